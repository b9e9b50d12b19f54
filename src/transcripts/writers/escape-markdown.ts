/** Text that a reader of Markdown shows as it is, also at the beginning of a line or in a cell of a table. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<~|]|&(?=#?\w+;)|#$/g, (mark) => `\\${mark}`)
    // A single dollar is money; two may be read as a formula.
    .replace(/\$(?=.*\$)/g, '\\$')
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]{2,}|>)/, (mark) => `\\${mark}`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** A path as the target of a link. */
export const escapeTarget = (path: string): string =>
  encodeURI(path.toWellFormed()).replace(/[()?#]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
