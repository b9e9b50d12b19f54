import { columnName, MAX_COLUMNS, MAX_ROWS } from './cell-reference.ts'

// Strings and quoted sheet names pass; then whole-row, whole-column and cell references. A name that goes on, or is
// called, is none: LOG10(, A1_total.
const PIECES =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|(?<![\p{L}\p{N}_.$])(?:(\$?)([A-Z]{1,3})(\$?)(\d{1,7})|(\$?)([A-Z]{1,3}):(\$?)([A-Z]{1,3})|(\$?)(\d{1,7}):(\$?)(\d{1,7}))(?![\p{L}\p{N}_.(!])/giu

/** The formula of a cell so many rows and columns away from the one that it was written for. */
export const shiftFormula = (formula: string, rows: number, columns: number): string => {
  if (rows === 0 && columns === 0) return formula
  return formula.replace(PIECES, (piece, ...groups: (string | undefined)[]) => {
    const [columnFixed, column, rowFixed, row, fromFixed, from, toFixed, to, topFixed, top, endFixed, end] = groups
    if (column !== undefined && row !== undefined) {
      return moveColumn(columnFixed, column, columns) + moveRow(rowFixed, row, rows)
    }
    if (from !== undefined && to !== undefined) {
      return `${moveColumn(fromFixed, from, columns)}:${moveColumn(toFixed, to, columns)}`
    }
    if (top !== undefined && end !== undefined) {
      return `${moveRow(topFixed, top, rows)}:${moveRow(endFixed, end, rows)}`
    }
    return piece
  })
}

const moveColumn = (fixed: string | undefined, name: string, by: number): string => {
  if (fixed) return `$${name}`
  let column = -1
  for (const letter of name.toUpperCase()) column = (column + 1) * 26 + letter.charCodeAt(0) - 65
  // What leaves the sheet on one side comes in on the other, as in Excel.
  return columnName((((column + by) % MAX_COLUMNS) + MAX_COLUMNS) % MAX_COLUMNS)
}

const moveRow = (fixed: string | undefined, row: string, by: number): string =>
  fixed ? `$${row}` : String(((((Number(row) - 1 + by) % MAX_ROWS) + MAX_ROWS) % MAX_ROWS) + 1)
