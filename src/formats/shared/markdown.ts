/** What reads the same in every Markdown renderer: the characters of `text` and no markup. */
export const escapeInline = (text: string): string => {
  if (!/[\\*`_<&[\]~]/.test(text)) return text
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])|[*`]|~(?=~)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=[([])/g, '\\]')
    .replace(/&(?=#?[A-Za-z0-9]{1,32};)/g, '&amp;')
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
}

const HAS_CELL_MARKUP = /[\\*`_<&[\]~|\r\n\t]/
// Looking at two characters is much cheaper than having a regular expression look for blanks at the ends.
const isPadded = (text: string): boolean => text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32

/** A table cell that renders to exactly this text; newlines become `<br>`. */
export const escapeCell = (text: string): string => {
  if (!HAS_CELL_MARKUP.test(text)) return isPadded(text) ? text.trim() : text
  return escapeInline(text.trim())
    .replaceAll('|', '\\|')
    .replace(/\r\n?|\n/g, '<br>')
    .replaceAll('\t', ' ')
}

/** A line that begins like a heading, a quote or an item, as the plain text it is. */
export const escapeLineStart = (line: string): string => line.replace(/^(\s*)(?=[#>+=-]|\d{1,9}[.)]\s)/, '$1\\')

/** One line of a pipe table with this many columns; cells are escaped here, missing ones are empty. */
export const fillTableRow = (cells: readonly string[], columns: number): string => {
  let line = '|'
  for (let i = 0; i < columns; i++) line += ` ${escapeCell(cells[i] ?? '')} |`
  return `${line}\n`
}

/** The line under the head of a pipe table. */
export const tableRule = (columns: number): string => `|${' - |'.repeat(columns)}\n`

/** A whole pipe table; short rows are filled up. */
export const writeTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), head.length)
  return fillTableRow(head, columns) + tableRule(columns) + rows.map((row) => fillTableRow(row, columns)).join('')
}

/** A fence longer than any run of backticks inside. */
export const makeFence = (longestRun: number): string => '`'.repeat(Math.max(3, longestRun + 1))

/** The longest run of backticks in a text. */
export const longestBacktickRun = (text: string): number =>
  text.includes('`') ? (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0) : 0

/** A fenced code block. */
export const writeCode = (code: string, language = ''): string => {
  const fence = makeFence(longestBacktickRun(code))
  return `${fence}${language}\n${code.replace(/\n+$/, '')}\n${fence}\n`
}

/** Inline code, also where the code holds backticks. */
export const inlineCode = (code: string): string => {
  const flat = code.replace(/\s*\n\s*/g, ' ')
  const tick = '`'.repeat(longestBacktickRun(flat) + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return flat === '' ? '' : `${tick}${pad}${flat}${pad}${tick}`
}
