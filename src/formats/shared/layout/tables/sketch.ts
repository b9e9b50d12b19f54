import type { Box } from '../../document/model.ts'
import type { PageWord } from './page-words.ts'

/** A cell before it is written into the document: where it stands in the grid and its words, line by line. */
export type SketchCell = {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  lines: readonly (readonly PageWord[])[]
  box: Box
}

/** A table before it is written into the document. Cells do not overlap, and may leave places of the grid empty. */
export type Sketch = {
  rows: number
  columns: number
  cells: readonly SketchCell[]
  box: Box
  /** 0 to 1. */
  confidence: number
  /** How many rows at the top are headers, where the drawing tells. */
  headerRows?: number
  /** Whether a rule as wide as the table parts its first row from the others. */
  hasHeadRule?: boolean
}

/** The box around corners. */
export const boxOf = (x0: number, y0: number, x1: number, y1: number): Box => ({
  x: x0,
  y: y0,
  width: x1 - x0,
  height: y1 - y0,
})

export const cellText = ({ lines }: Pick<SketchCell, 'lines'>): string =>
  lines.map((words) => words.map(({ text }) => text).join(' ')).join(' ')
