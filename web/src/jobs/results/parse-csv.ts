export type ParsedCsv = { rows: string[][]; rowCount: number }

const DELIMITERS = [',', ';', '\t', '|']

/** Reads a table of separated values: the first rows, and how many there are. */
export const parseCsv = (text: string, maxRows: number, delimiter = guessDelimiter(text)): ParsedCsv => {
  const rows: string[][] = []
  let rowCount = 0
  let row: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const endRow = () => {
    // A line of nothing at all is no row.
    if (row.length > 1 || row[0] !== '') {
      rowCount += 1
      if (rows.length < maxRows) rows.push(row)
    }
    row = []
  }
  while (at < text.length) {
    const [value, end] = text[at] === '"' ? readQuoted(text, at) : ['', at]
    const stop = findEnd(text, end, delimiter)
    row.push(value + text.slice(end, stop))
    const mark = text[stop]
    at = stop + 1
    if (mark === delimiter) {
      if (at === text.length) row.push('')
      else continue
    }
    if (mark === '\r' && text[at] === '\n') at += 1
    endRow()
  }
  if (row.length > 0) endRow()
  return { rows, rowCount }
}

/** The value of a quoted cell and where it ends; a quote that is never closed takes the rest. */
const readQuoted = (text: string, start: number): [string, number] => {
  let from = start + 1
  let value = ''
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return [value + text.slice(from), text.length]
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return [value, quote + 1]
    value += '"'
    from = quote + 2
  }
}

const findEnd = (text: string, start: number, delimiter: string): number => {
  let at = start
  while (at < text.length) {
    const char = text[at]
    if (char === delimiter || char === '\n' || char === '\r') return at
    at += 1
  }
  return at
}

/** The delimiter that cuts the first line most often, quoted parts aside. */
const guessDelimiter = (text: string): string => {
  const line =
    text
      .slice(0, 20_000)
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/\r?\n/, 1)[0] ?? ''
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string
}
