const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Puts right a text in UTF-8 that was read byte by byte, as many writers leave it in tags that should not hold it. */
export const mendText = (text: string): string => {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text
  try {
    return strictUtf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
