import type { Charsets } from './charsets.ts'

const WORD = /=\?([^?\s]{1,100})\?([bBqQ])\?([^?]*)\?=/g

type Word = { charset: string; bytes: Buffer[] }

/**
 * A header value as text: encoded words decoded, also where a character is cut between two of them, and bare 8-bit
 * text taken as UTF-8 or as `fallback`.
 */
export const decodeWords = (raw: string, charsets: Charsets, fallback: string): string => {
  let text = ''
  let at = 0
  let pending: Word | undefined
  const flush = (): void => {
    const bytes = Buffer.concat(pending?.bytes ?? [])
    if (pending) text += charsets.decode(bytes, pending.charset) ?? bytes.toString('latin1')
    pending = undefined
  }
  for (const match of raw.matchAll(WORD)) {
    const between = raw.slice(at, match.index)
    at = match.index + match[0].length
    const word = readWord(match)
    // White space between encoded words is not part of the text.
    const isNext = pending !== undefined && between.trim() === ''
    if (isNext && pending && pending.charset === word.charset) {
      pending.bytes.push(...word.bytes)
      continue
    }
    flush()
    if (!isNext) text += decodePlain(between, charsets, fallback)
    pending = word
  }
  flush()
  return text + decodePlain(raw.slice(at), charsets, fallback)
}

const readWord = ([, charset = '', encoding = '', content = '']: RegExpMatchArray): Word => ({
  // A language may follow: `utf-8*en`.
  charset: charset.toLowerCase().replace(/\*.*$/, ''),
  bytes: [
    encoding.toLowerCase() === 'b' ? Buffer.from(content.replace(/[^A-Za-z0-9+/]/g, ''), 'base64') : readQ(content),
  ],
})

const readQ = (content: string): Buffer => unescapeHex(content.replaceAll('_', ' '), /=([0-9A-Fa-f]{2})/g)

const unescapeHex = (text: string, pattern: RegExp): Buffer =>
  Buffer.from(
    text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

const decodePlain = (raw: string, charsets: Charsets, fallback: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is the common case
  if (/^[\u0000-\u007f]*$/.test(raw)) return raw
  const bytes = Buffer.from(raw, 'latin1')
  return charsets.decode(bytes, fallback) ?? raw
}

/** A parameter such as a file name, in any of the ways in which programs write it. */
export const decodeParameter = (
  params: Readonly<Record<string, string>>,
  name: string,
  charsets: Charsets,
  fallback: string,
): string | undefined => {
  const extended = params[`${name}*`]
  if (extended !== undefined) {
    const [, charset = '', , value = extended] = /^([^']*)'([^']*)'([\s\S]*)$/.exec(extended) ?? []
    const bytes = unescapeHex(value, /%([0-9A-Fa-f]{2})/g)
    return charsets.decode(bytes, charset || 'utf-8') ?? charsets.decode(bytes, fallback)
  }
  const plain = params[name]
  if (plain === undefined) return undefined
  const text = decodeWords(plain, charsets, fallback)
  return /%[0-9A-Fa-f]{2}/.test(text) && /^[\w''-]*''/.test(text)
    ? decodeParameter({ [`${name}*`]: text }, name, charsets, fallback)
    : text
}
