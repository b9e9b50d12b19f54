import { typeOfCell } from './column-types.ts'
import { usualColumns } from './dialect.ts'

const MAX_PREAMBLE_ROWS = 50

/** Separates titles and comments before the table, and the row that names the columns, from the data. */
export const splitHead = (
  rows: readonly string[][],
  choice: 'auto' | 'yes' | 'no',
): { preamble: string[]; header?: string[] } => {
  const preambleRows = countPreamble(rows)
  const preamble = rows.slice(0, preambleRows).map((row) => row.join(', ').replace(/[, ]+$/, ''))
  const [first, ...others] = rows.slice(preambleRows)
  const named = first !== undefined && (choice === 'yes' || (choice === 'auto' && looksLikeHeader(first, others)))
  return { preamble, ...(named ? { header: first } : {}) }
}

const filledCells = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length

/** Rows before the table have a single cell, or start with a comment sign and are narrower than the table. */
const countPreamble = (rows: readonly string[][]): number => {
  const usual = usualColumns(rows)
  let count = 0
  while (count < Math.min(rows.length - 1, MAX_PREAMBLE_ROWS)) {
    const row = rows[count] as string[]
    const isComment = /^\s*(?:#|\/\/)/.test(row[0] ?? '') && (row.length < usual || usual === 1)
    const isTitle = usual > 1 && filledCells(row) <= 1 && (row.length === 1 || count > 0 || isBareTitle(rows, usual))
    if (!isComment && !isTitle) break
    count++
  }
  // All rows narrow: that is the table itself.
  return count >= Math.min(rows.length, MAX_PREAMBLE_ROWS) ? 0 : count
}

/** A title padded with empty cells to the width of the table, above a row that is filled. */
const isBareTitle = (rows: readonly string[][], usual: number): boolean =>
  usual > 2 && rows[0]?.[0]?.trim() !== '' && rows.slice(1, 4).some((row) => filledCells(row) >= usual - 1)

/** A first row is taken for names unless its cells are of the same kind as the data below. */
const looksLikeHeader = (first: readonly string[], others: readonly (readonly string[])[]): boolean => {
  if (filledCells(first) === 0) return false
  if (others.length === 0) return first.every((cell) => typeOfCell(cell) === 'text')
  const hasText = first.some((cell) => typeOfCell(cell) === 'text')
  let votes = 0
  for (const [column, cell] of first.entries()) {
    const kind = typeOfCell(cell)
    const below = others.map((row) => row[column] ?? '').filter((other) => other.trim() !== '')
    if (kind === 'empty' || below.length === 0) continue
    // Years make column names: country, 2019, 2020.
    if (hasText && /^(?:19|20)\d\d$/.test(cell.trim())) continue
    const alike = below.filter((other) => sameKind(typeOfCell(other), kind)).length / below.length
    if (kind !== 'text') votes += alike > 0.8 ? -1 : 1
    else if (alike < 0.2) votes += 1
    else if (below.length > 1 && below.includes(cell)) votes -= 1
  }
  return votes >= 0
}

const sameKind = (a: string, b: string): boolean => a === b || (isNumeric(a) && isNumeric(b))
const isNumeric = (kind: string): boolean => kind === 'integer' || kind === 'number'

/** One name for every column: empty ones become `column_3`, a second `id` becomes `id_2`. */
export const nameColumns = (header: readonly string[], count: number): string[] => {
  const taken = new Set<string>()
  const counters = new Map<string, number>()
  return Array.from({ length: count }, (_, index) => {
    const given = (header[index] ?? '').trim().replace(/\s+/g, ' ') || `column_${index + 1}`
    let name = given
    while (taken.has(name)) {
      const next = (counters.get(given) ?? 1) + 1
      counters.set(given, next)
      name = `${given}_${next}`
    }
    taken.add(name)
    return name
  })
}
