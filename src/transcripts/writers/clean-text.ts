// What XML does not allow, and what would steer a terminal or a player instead of being read.
const UNWANTED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g

/** What was said as one line of text that every format can hold. */
export const cleanText = (text: string): string =>
  text.toWellFormed().replace(UNWANTED, '').replace(/\s+/gu, ' ').trim()

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for the content and the attributes of XML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] as string)
