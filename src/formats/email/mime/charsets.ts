import { isAscii, isUtf8 } from 'node:buffer'
import type iconvLite from 'iconv-lite'
import { guessEncoding, mostlyUtf8 } from '../../shared/encoding-guess.ts'

/** Names that mail programs use and no table has. */
const ALIASES: Readonly<Record<string, string>> = {
  unicode: 'utf-16',
  'unicode-1-1-utf-7': 'utf-7',
  'unicode-1-1-utf-8': 'utf-8',
  utf8mb4: 'utf-8',
  'x-gbk': 'gbk',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
  'ks_c_5601-1987': 'cp949',
  'x-sjis': 'shift_jis',
  'x-windows-949': 'cp949',
  'iso-8859-8-i': 'iso-8859-8',
  'iso-8859-6-i': 'iso-8859-6',
  'x-mac-cyrillic': 'maccyrillic',
}

const SAMPLE_BYTES = 131_072

export type Charsets = {
  /** Text in a character set that was named; bytes that do not fit become U+FFFD. Undefined for an unknown name. */
  decode(bytes: Buffer, charset: string): string | undefined
}

let loaded: Charsets | undefined

/** Loads the tables; afterwards decoding needs no waiting. */
export const loadCharsets = async (): Promise<Charsets> => {
  if (loaded) return loaded
  const { default: iconv } = await import('iconv-lite')
  loaded = { decode: (bytes, charset) => decodeNamed(iconv, bytes, charset) }
  return loaded
}

const decodeNamed = (iconv: typeof iconvLite, bytes: Buffer, charset: string): string | undefined => {
  const given = charset
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
  const name = ALIASES[given] ?? given
  if (isAscii(bytes) && !/^(?:utf-?(?:16|32|7)|hz|iso-2022)/.test(name)) return bytes.toString('latin1')
  if (name === 'utf-8' || name === 'utf8') return bytes.toString('utf8').replace(/^\ufeff/, '')
  if (name.startsWith('iso-2022-jp')) return new TextDecoder('iso-2022-jp').decode(bytes)
  if (name === 'iso-2022-kr') return iconv.decode(unshift(bytes, 0x0e, 0x0f), 'cp949')
  if (name === 'hz-gb-2312') return iconv.decode(unshiftHz(bytes), 'gb18030')
  return iconv.encodingExists(name) ? iconv.decode(bytes, name) : undefined
}

/** ISO-2022-KR as EUC: what stands between the shifts has its high bit set. */
const unshift = (bytes: Buffer, out: number, back: number): Buffer => {
  const text = bytes.toString('latin1').replaceAll('\u001b$)C', '')
  const made: number[] = []
  let isShifted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === out || code === back) isShifted = code === out
    else made.push(isShifted && code > 0x20 ? code | 0x80 : code)
  }
  return Buffer.from(made)
}

const unshiftHz = (bytes: Buffer): Buffer =>
  unshift(
    Buffer.from(
      bytes
        .toString('latin1')
        .replace(/~\r?\n/g, '')
        .replace(/~([{}~])/g, (_, sign: string) => (sign === '{' ? '\u000e' : sign === '}' ? '\u000f' : '~')),
      'latin1',
    ),
    0x0e,
    0x0f,
  )

const WEAK = /^(?:|us-ascii|ascii|iso-8859-1|latin1|windows-1252|utf-?8|unknown.*|x-unknown|default.*|binary|8bit)$/

/**
 * Text in the character set that was named, unless the bytes say that the name is wrong: UTF-8 shows by itself, and
 * names that programs write without knowing count for little.
 */
export const decodeBody = async (bytes: Buffer, charset: string, declared?: string): Promise<string> => {
  const charsets = await loadCharsets()
  const given = charset
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
  if (given !== '' && !WEAK.test(given)) {
    const text = charsets.decode(bytes, given)
    if (text !== undefined) return text
  }
  if (isAscii(bytes)) {
    const text = bytes.toString('latin1')
    return text.includes('\u001b$') ? (charsets.decode(bytes, 'iso-2022-jp') ?? text) : text
  }
  if (isUtf8(bytes) || mostlyUtf8(bytes.subarray(0, SAMPLE_BYTES))) return charsets.decode(bytes, 'utf-8') as string
  if (/^(?:iso-8859-1|latin1|windows-1252)$/.test(given)) return charsets.decode(bytes, 'windows-1252') as string
  const named = declared && !WEAK.test(declared) ? charsets.decode(bytes, declared) : undefined
  if (named !== undefined) return named
  const guess = await guessEncoding(bytes.subarray(0, SAMPLE_BYTES))
  return charsets.decode(bytes, guess?.name ?? 'windows-1252') ?? bytes.toString('latin1')
}
