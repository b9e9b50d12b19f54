/** Decodes a sample in one go; bytes that do not fit become U+FFFD. */
export const decodeSample = async (sample: Buffer, name: string): Promise<string> => {
  if (name === 'iso-2022-jp') return new TextDecoder(name).decode(sample)
  const { default: iconv } = await import('iconv-lite')
  return iconv.decode(sample, name)
}

const MAX_CONTROL_SHARE = 0.05
const MAX_NUL_SHARE_OUTSIDE_UTF8 = 0.001

/** Control bytes and NULs beyond what stray ones in a log make. */
export const looksBinary = (head: Buffer, isUtf8: boolean): boolean => {
  let controls = 0
  let nuls = 0
  for (const byte of head) {
    if (byte >= 0x20 && byte !== 0x7f) continue
    if (byte === 0) nuls++
    // Bell to carriage return, end-of-file of old systems, and escape are met in text.
    else if ((byte >= 7 && byte <= 13) || byte === 0x1a || byte === 0x1b) continue
    controls++
  }
  if (controls > head.length * MAX_CONTROL_SHARE) return true
  return !isUtf8 && nuls > head.length * MAX_NUL_SHARE_OUTSIDE_UTF8
}

/** UTF-8 with a few broken bytes: far more good multi-byte characters than bad ones. */
export const mostlyUtf8 = (sample: Buffer): boolean => {
  let good = 0
  let bad = 0
  for (let i = 0; i < sample.length; ) {
    const byte = sample[i] as number
    if (byte < 0x80) {
      i++
      continue
    }
    const length =
      byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0
    let complete = length > 0 && i + length <= sample.length
    for (let k = 1; complete && k < length; k++) complete = ((sample[i + k] as number) & 0xc0) === 0x80
    if (complete) good++
    else bad++
    i += complete ? length : 1
  }
  return good >= 4 && good >= bad * 10
}

// Supersets of what the statistics name: the extra characters are the ones that occur in practice.
const SUPERSETS: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-9': 'windows-1254',
  'iso-8859-8': 'windows-1255',
  gb2312: 'gb18030',
  ascii: 'windows-1252',
}

// Tried next where control characters show that the standard is not the one in use.
const WIDER: Record<string, string[]> = {
  'iso-8859-2': ['windows-1250'],
  'iso-8859-6': ['windows-1256'],
  'iso-8859-7': ['windows-1253'],
}

/** The likeliest encoding of bytes that are not Unicode; undefined when no encoding makes text of them. */
export const guessEncoding = async (sample: Buffer): Promise<{ name: string; confidence: number } | undefined> => {
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')])
  const candidates = chardet
    .analyse(sample)
    .map(({ name, confidence }) => ({ name: SUPERSETS[name.toLowerCase()] ?? name.toLowerCase(), confidence }))
    .flatMap(({ name, confidence }) => [name, ...(WIDER[name] ?? [])].map((each) => ({ name: each, confidence })))
    .filter(({ name }) => !name.startsWith('utf-') && (name === 'iso-2022-jp' || iconv.encodingExists(name)))
  for (const { name, confidence } of [...candidates, { name: 'windows-1252', confidence: 10 }]) {
    const text = await decodeSample(sample, name)
    // The first and last character of a sample may be cut.
    const strange = text.slice(1, -1).match(/[\ufffd\u0080-\u009f\p{Cn}\p{Co}]/gu)?.length ?? 0
    const allowed = name === 'windows-1252' ? 0.02 : 0.001
    if (strange <= text.length * allowed) return { name, confidence: confidence / 100 }
  }
  return undefined
}
