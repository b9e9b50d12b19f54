import { typeOfCell } from './column-types.ts'
import { DelimitedReader, type Dialect } from './delimited-reader.ts'

const DELIMITERS = [',', ';', '\t', '|', ':']
/** A colon is found in times and addresses more often than between cells. */
const WEIGHTS: Record<string, number> = { '\t': 1.1, ':': 0.3 }
const SAMPLE_ROWS = 200

/** The delimiter that an extension promises. */
const PROMISED: Record<string, string> = { tsv: '\t', tab: '\t', psv: '|' }

/** Finds out how the cells of a file are written, from its first lines. */
export const sniffDialect = (sample: string, extension: string, forcedDelimiter?: string): Dialect => {
  const promised = PROMISED[extension]
  const delimiters = forcedDelimiter
    ? [forcedDelimiter]
    : promised && sample.includes(promised)
      ? [promised]
      : DELIMITERS.filter((delimiter) => sample.includes(delimiter))
  let best: { dialect: Dialect; score: number } = {
    dialect: { delimiter: forcedDelimiter ?? promised ?? singleColumnDelimiter(sample), quote: '"', escape: 'doubled' },
    score: delimiters.length === 1 && (forcedDelimiter || promised) ? -1 : scoreSingleColumn(sample),
  }
  for (const delimiter of delimiters) {
    for (const dialect of dialectsWith(delimiter, sample)) {
      const rows = readSample(sample, dialect)
      const score = scoreRows(rows) * (WEIGHTS[delimiter] ?? 1)
      if (score > best.score + 1e-9) best = { dialect, score }
    }
  }
  return best.dialect
}

/** One column: a comma splits the cells only if the first line has one. */
const singleColumnDelimiter = (sample: string): string => (/^[^\r\n]*,/.test(sample) ? ',' : '')

/** The plausible ways to quote; the usual one comes first and wins a tie. */
const dialectsWith = (delimiter: string, sample: string): Dialect[] => {
  const dialects: Dialect[] = [{ delimiter, quote: '"', escape: 'doubled' }]
  const cut = /[\w\s]/.test(delimiter) ? delimiter : `\\${delimiter}`
  // A backslash before a quote that does not end its cell, or before a delimiter.
  if (new RegExp(String.raw`\\"(?!\s*(?:[${cut}\r\n]|$))|\\[${cut}]`).test(sample)) {
    dialects.push({ delimiter, quote: '"', escape: 'backslash' })
  }
  const hasDoubleQuotes = new RegExp(String.raw`(?:^|[${cut}\n])\s?"`).test(sample)
  const singleQuoted = sample.match(new RegExp(String.raw`(?:^|[${cut}\n])'[^'\n]*'(?=[${cut}\r\n]|$)`, 'g')) ?? []
  const holdsDelimiter = singleQuoted.some((cell) => cell.slice(1).includes(delimiter))
  // Apostrophes around one lone cell are its content.
  if (!hasDoubleQuotes && (holdsDelimiter || singleQuoted.length > sample.split('\n').length)) {
    dialects.push({ delimiter, quote: "'", escape: 'doubled' })
    if (sample.includes("\\'")) dialects.push({ delimiter, quote: "'", escape: 'backslash' })
  }
  return dialects
}

/** The first rows of a sample. */
export const readSample = (sample: string, dialect: Dialect): string[][] => {
  const reader = new DelimitedReader(dialect)
  return [...reader.write(sample), ...reader.end()].slice(0, SAMPLE_ROWS)
}

const scoreSingleColumn = (sample: string): number => {
  const lines = sample
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_ROWS)
  return lines.length === 0 ? 0 : (0.25 * lines.reduce((sum, line) => sum + scoreCell(line), 0)) / lines.length
}

/** High when most rows have the same number of cells, and the cells look like values. */
const scoreRows = (rows: readonly string[][]): number => {
  const usual = usualColumns(rows)
  if (usual < 2) return 0
  const alike = rows.filter((row) => row.length === usual).length / rows.length
  let cells = 0
  let points = 0
  for (const row of rows) {
    for (const cell of row) {
      cells++
      points += scoreCell(cell)
    }
  }
  return alike * alike * ((usual - 1) / usual) * (points / cells)
}

/** The number of cells that most rows have. */
export const usualColumns = (rows: readonly (readonly string[])[]): number => {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  let usual = 0
  for (const [columns, count] of counts) {
    const known = counts.get(usual) ?? 0
    if (count > known || (count === known && columns > usual)) usual = columns
  }
  return usual
}

const scoreCell = (cell: string): number => {
  if (typeOfCell(cell) !== 'text') return 1
  if (cell.length > 2_000) return 0.5
  // Signs that separate cells in another dialect speak against this one.
  if (/[;|\t]/.test(cell) || /^"|"$/.test(cell)) return 0.1
  if (/,(?! )/.test(cell)) return 0.2
  return cell.includes(', ') ? 0.6 : 0.9
}
