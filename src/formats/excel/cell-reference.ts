/** Limits of a sheet in Excel 2007 and later, and in LibreOffice. */
export const MAX_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384

/** A rectangle of cells; all four are included, counted from 0. */
export type Range = { top: number; left: number; bottom: number; right: number }

const names: string[] = []

/** `A` for 0, `AA` for 26. */
export const columnName = (column: number): string => {
  const known = names[column]
  if (known !== undefined) return known
  let name = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name
  }
  if (column < MAX_COLUMNS) names[column] = name
  return name
}

/** `B3` for row 2, column 1. */
export const cellName = (row: number, column: number): string => `${columnName(column)}${row + 1}`

/** `B3:D9`, or `B3` for a single cell. */
export const rangeName = ({ top, left, bottom, right }: Range): string =>
  top === bottom && left === right ? cellName(top, left) : `${cellName(top, left)}:${cellName(bottom, right)}`

/** Reads `B3` and `$B$3`; undefined for what is no cell of a sheet. */
export const readCellName = (name: string): { row: number; column: number } | undefined => {
  let at = name.charCodeAt(0) === DOLLAR ? 1 : 0
  let column = 0
  const first = at
  for (; at < name.length; at++) {
    const letter = name.charCodeAt(at) & 0xdf
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
    if (column > MAX_COLUMNS) return undefined
  }
  if (at === first) return undefined
  if (name.charCodeAt(at) === DOLLAR) at++
  let row = 0
  const firstDigit = at
  for (; at < name.length; at++) {
    const digit = name.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    row = row * 10 + digit
    if (row > MAX_ROWS) return undefined
  }
  return at === firstDigit || row === 0 ? undefined : { row: row - 1, column: column - 1 }
}
const DOLLAR = 36

/** Reads `B3:D9` and `B3`, in whatever order the corners are; undefined for what is no rectangle of cells. */
export const readRange = (name: string): Range | undefined => {
  const [from = '', to = from] = name.split(':')
  const first = readCellName(from)
  const last = readCellName(to)
  if (!first || !last) return undefined
  return {
    top: Math.min(first.row, last.row),
    left: Math.min(first.column, last.column),
    bottom: Math.max(first.row, last.row),
    right: Math.max(first.column, last.column),
  }
}
