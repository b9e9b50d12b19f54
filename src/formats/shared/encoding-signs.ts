import { decodeSample } from './encoding-guess.ts'

const MARKS = [
  { name: 'utf-32le', hex: 'fffe0000' },
  { name: 'utf-32be', hex: '0000feff' },
  { name: 'utf-8', hex: 'efbbbf' },
  { name: 'utf-16le', hex: 'fffe' },
  { name: 'utf-16be', hex: 'feff' },
]

/** The encoding that a byte-order mark at the head names. */
export const findByteOrderMark = (head: Buffer): { name: string; bytes: number } | undefined => {
  const start = head.toString('hex', 0, 4)
  const mark = MARKS.find(({ hex }) => start.startsWith(hex))
  return mark && { name: mark.name, bytes: mark.hex.length / 2 }
}

const PATTERN_BYTES = 8_192

/** UTF-16 and UTF-32 without a mark give themselves away by where their NUL bytes fall. */
export const findNulPattern = (head: Buffer): string | undefined => {
  const sample = head.subarray(0, Math.min(head.length, PATTERN_BYTES) & ~3)
  if (sample.length < 4 || !sample.includes(0)) return undefined
  for (const name of ['utf-32le', 'utf-32be']) {
    if (isUtf32(sample, name === 'utf-32le')) return name
  }
  let evenNuls = 0
  let oddNuls = 0
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue
    if (i % 2 === 0) evenNuls++
    else oddNuls++
  }
  const name = oddNuls > evenNuls * 20 ? 'utf-16le' : evenNuls > oddNuls * 20 ? 'utf-16be' : undefined
  if (!name) return undefined
  const text = decodeUtf16(sample, name === 'utf-16be')
  const strange = text.match(/[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/gu)?.filter((c) => !/[\t\n\r\f]/.test(c)).length ?? 0
  // Each newline or space has one NUL; data with stray NULs and no readable characters is something else.
  return strange <= text.length * 0.01 ? name : undefined
}

/** Decodes whole UTF-16 units; a lone surrogate stays as it is. */
export const decodeUtf16 = (bytes: Buffer, bigEndian: boolean): string =>
  (bigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le')

const isUtf32 = (sample: Buffer, littleEndian: boolean): boolean => {
  for (let i = 0; i + 4 <= sample.length; i += 4) {
    const code = littleEndian ? sample.readUInt32LE(i) : sample.readUInt32BE(i)
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}

/** How many bytes at the end begin a UTF-8 character that is not complete yet. */
export const incompleteTailBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? back : 0
    }
  }
  return 0
}

const DECLARATIONS = [
  /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']/,
  /^@charset\s+"([A-Za-z0-9._-]{2,40})"/,
  /^(?:[^\n]*\n)?[^\n]{0,200}coding[:=][ \t]*([A-Za-z0-9._-]{2,40})/,
  /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._-]{2,40})/i,
  /\\usepackage\s*\[([a-z0-9]{3,20})\]\s*\{inputenc\}/,
]
const LATEX_NAMES: Record<string, string> = {
  latin1: 'iso-8859-1',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin9: 'iso-8859-15',
  ansinew: 'windows-1252',
  applemac: 'macintosh',
}

/** The encoding that the text says it has (XML, HTML, CSS, coding cookie, LaTeX), if the bytes fit it. */
export const findDeclaredEncoding = async (head: Buffer, sample: Buffer): Promise<string | undefined> => {
  const { default: iconv } = await import('iconv-lite')
  const text = head.toString('latin1', 0, 4_096)
  for (const pattern of DECLARATIONS) {
    const named = pattern.exec(text)?.[1]?.toLowerCase()
    if (!named) continue
    const name = LATEX_NAMES[named] ?? named
    if (/^(?:utf-?8|us-ascii|ascii|utf-?16|utf-?32|ucs-?[24])/.test(name) || !iconv.encodingExists(name)) continue
    const decoded = await decodeSample(sample, name)
    if (!decoded.slice(1, -1).includes('\ufffd')) return name
  }
  return undefined
}
