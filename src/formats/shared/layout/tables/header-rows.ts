import { isNumber } from './rows.ts'
import { cellText, type Sketch, type SketchCell } from './sketch.ts'

/** How many rows at the top name the columns. */
export const countHeaderRows = (sketch: Sketch): number => {
  const rows = Array.from({ length: sketch.rows }, (): SketchCell[] => [])
  for (const cell of sketch.cells) if (cell.lines.length > 0) rows[cell.row]?.push(cell)
  const bold = leading(rows, (row) => row.length > 0 && row.every(isBold))
  // Heads of more than two rows have spans in them: else bold rows are but the first of the body.
  if (bold > 0 && bold * 2 <= rows.length) return Math.max(Math.min(bold, 2), spanEnd(rows, Math.min(bold, 2)))
  const first = rows[0] ?? []
  if (first.length === 0) return 0
  if (first.some((cell) => cell.column > 0 && isNumber(cellText(cell)) && !isYear(cellText(cell)))) return 0
  const end = spanEnd(rows, 1)
  return end < rows.length ? end : 1
}

/** The rows that heads which span rows or columns reach into, and the names under them. */
const spanEnd = (rows: readonly (readonly SketchCell[])[], from: number): number => {
  let end = from
  for (let row = 0; row < end && row < 4; row++)
    for (const cell of rows[row] ?? []) {
      end = Math.max(end, row + cell.rowSpan)
      const below = rows[row + 1] ?? []
      const isGroup = cell.columnSpan > 1 && (rows[row]?.length ?? 0) > 1
      if (isGroup && below.length > 0 && !below.some((cell) => cell.column > 0 && isNumber(cellText(cell))))
        end = Math.max(end, row + 2)
    }
  return end
}

const leading = <T>(values: readonly T[], holds: (value: T) => boolean): number => {
  const end = values.findIndex((value) => !holds(value))
  return end < 0 ? values.length : end
}

const isBold = ({ lines }: SketchCell): boolean => lines.every((words) => words.every(({ bold }) => bold))
const isYear = (text: string): boolean => /^(?:19|20)\d\d(?:[–-]\d{2,4})?$/.test(text)
