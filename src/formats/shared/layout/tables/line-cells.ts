import type { Separator } from './columns.ts'
import { boxOf, type Sketch, type SketchCell } from './sketch.ts'
import type { LineCell, TableLine } from './table-lines.ts'

/** The table that rows of parted lines make. */
export const sketchRows = (
  rows: readonly (readonly TableLine[])[],
  separators: readonly Separator[],
  confidence: number,
): Sketch => {
  const lines = rows.flat()
  const x0 = Math.min(...lines.map(({ band }) => band.x0))
  const x1 = Math.max(...lines.map(({ band }) => band.x1))
  const xs = [x0, ...separators.map((strip) => (strip.x0 + strip.x1) / 2), x1]
  const tops = rows.map((row) => Math.min(...row.map(({ band }) => band.y0)))
  const bottoms = rows.map((row) => Math.max(...row.map(({ band }) => band.y1)))
  const cells = rows.flatMap((row, index) => {
    const [y0, y1] = [tops[index] ?? 0, bottoms[index] ?? 0]
    return cellsOfRow(row).map(({ column, columnSpan, lines }): SketchCell => {
      const box = boxOf(xs[column] ?? 0, y0, xs[column + columnSpan] ?? 0, y1)
      return { row: index, column, rowSpan: 1, columnSpan, lines, box }
    })
  })
  const box = boxOf(x0, Math.min(...tops), x1, Math.max(...bottoms))
  return { rows: rows.length, columns: separators.length + 1, cells, box, confidence }
}

type RowCell = { column: number; columnSpan: number; lines: LineCell['words'][] }

/** Puts the lines of a row together: what stands in the same columns, or spans them, is one cell. */
const cellsOfRow = (row: readonly TableLine[]): RowCell[] => {
  const parts = row.flatMap(({ cells }) => cells).sort((a, b) => a.column - b.column)
  const cells: RowCell[] = []
  for (const { column, columnSpan, words } of parts) {
    const last = cells.at(-1)
    if (last && column < last.column + last.columnSpan) {
      last.columnSpan = Math.max(last.columnSpan, column + columnSpan - last.column)
      last.lines.push(words)
    } else cells.push({ column, columnSpan, lines: [words] })
  }
  for (const cell of cells) cell.lines.sort((a, b) => (a[0]?.y0 ?? 0) - (b[0]?.y0 ?? 0))
  return cells
}
