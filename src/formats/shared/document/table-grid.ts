import type { Cell, Table } from './model.ts'

/** A place in a grid: the cell that covers it, and whether the cell begins there. */
export type GridPlace = { cell: Cell; isOrigin: boolean }

/** A table as a rectangle of rows and columns; a place that no cell covers is undefined. */
export type TableGrid = { columns: number; rows: readonly (readonly (GridPlace | undefined)[])[] }

/** Far more than a page holds, little enough that a table of spans cannot fill the memory. */
const MAX_PLACES = 2_000_000

/** Lays the cells of a table out, spans cut where they leave the table or meet another cell. */
export const toGrid = (table: Table): TableGrid => {
  const rows: (GridPlace | undefined)[][] = table.rows.map(() => [])
  let places = 0
  for (const [rowIndex, cells] of table.rows.entries()) {
    const row = rows[rowIndex] as (GridPlace | undefined)[]
    let column = 0
    for (const cell of cells) {
      while (row[column]) column++
      const height = Math.min(spanOf(cell.rowSpan), rows.length - rowIndex)
      const width = freeWidth(row, column, spanOf(cell.columnSpan))
      places += width * height
      const isOverfull = places > MAX_PLACES
      for (let y = 0; y < (isOverfull ? 1 : height); y++) {
        const target = rows[rowIndex + y] as (GridPlace | undefined)[]
        for (let x = 0; x < (isOverfull ? 1 : width); x++) {
          target[column + x] ??= { cell, isOrigin: x === 0 && y === 0 }
        }
      }
      column += isOverfull ? 1 : width
    }
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return { columns, rows: rows.map((row) => Array.from({ length: columns }, (_, x) => row[x])) }
}

const MAX_SPAN = 10_000
const spanOf = (span = 1): number => (span >= 1 ? Math.min(MAX_SPAN, Math.floor(span)) : 1)

const freeWidth = (row: readonly (GridPlace | undefined)[], column: number, wanted: number): number => {
  let width = 1
  while (width < wanted && !row[column + width]) width++
  return width
}

/** Whether any cell covers more than one place. */
export const hasSpans = ({ rows }: Table): boolean =>
  rows.some((cells) => cells.some(({ columnSpan = 1, rowSpan = 1 }) => columnSpan > 1 || rowSpan > 1))
