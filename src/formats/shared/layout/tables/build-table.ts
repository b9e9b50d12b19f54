import type { Box, Cell, Table } from '../../document/model.ts'
import { isMostlyRtl } from '../scripts.ts'
import { toBlocks } from './cell-blocks.ts'
import { countHeaderRows } from './header-rows.ts'
import { cellText, type Sketch, type SketchCell } from './sketch.ts'

/** The table as the document has it, and the runs that went into it. */
export const buildTable = (drawn: Sketch, page: number): { table: Table; box: Box; runs: Set<number> } => {
  const isRtl = isMostlyRtl(drawn.cells.map(cellText).join(' '))
  const sketch = isRtl ? turnRound(drawn) : drawn
  const headerRows = sketch.headerRows ?? countHeaderRows(sketch)
  const runs = new Set<number>()
  const places = new Map<number, SketchCell>()
  for (const cell of sketch.cells) {
    places.set(cell.row * sketch.columns + cell.column, cell)
    for (const words of cell.lines) for (const { run } of words) runs.add(run)
  }
  const covered = coveredPlaces(sketch)
  const rows: Cell[][] = []
  for (let row = 0; row < sketch.rows; row++) {
    const cells: Cell[] = []
    for (let column = 0; column < sketch.columns; column++) {
      const place = row * sketch.columns + column
      const cell = places.get(place)
      if (cell) cells.push(toCell(cell, row < headerRows))
      else if (!covered.has(place)) cells.push({ blocks: [], ...(row < headerRows ? { header: true } : {}) })
    }
    rows.push(cells)
  }
  const { box, confidence } = sketch
  const direction = isRtl ? ({ direction: 'rtl' } as const) : {}
  return { table: { kind: 'table', page, box, confidence, ...direction, rows, headerRows }, box, runs }
}

/** The first column of a table in a right-to-left script stands at the right. */
const turnRound = (sketch: Sketch): Sketch => ({
  ...sketch,
  cells: sketch.cells.map((cell) => ({ ...cell, column: sketch.columns - cell.column - cell.columnSpan })),
})

const coveredPlaces = ({ cells, columns }: Sketch): Set<number> => {
  const covered = new Set<number>()
  for (const { row, column, rowSpan, columnSpan } of cells)
    for (let y = row; y < row + rowSpan; y++)
      for (let x = column; x < column + columnSpan; x++) covered.add(y * columns + x)
  return covered
}

const toCell = ({ lines, columnSpan, rowSpan, box }: SketchCell, header: boolean): Cell => ({
  blocks: toBlocks(lines, header),
  ...(columnSpan > 1 ? { columnSpan } : {}),
  ...(rowSpan > 1 ? { rowSpan } : {}),
  ...(header ? { header } : {}),
  box,
})
