import { isUtf8 } from 'node:buffer'

/** The text of a page of a book: by its mark, by what it declares, else UTF-8, and what is not that as Western. */
export const decodeMarkup = (bytes: Buffer): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = bytes.subarray(0, 1_024).toString('latin1')
  const declared =
    /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  try {
    const name = declared && !/^utf-?(?:8|16)/i.test(declared) ? declared : 'windows-1252'
    return new TextDecoder(name).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
