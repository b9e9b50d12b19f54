import { toPlainText } from './inline-runs.ts'
import { roundBox, toJsonPlace } from './json-place.ts'
import type { Block, Table } from './model.ts'
import { toGrid } from './table-grid.ts'
import { textOfBlocks } from './text-of-blocks.ts'

/** What stands in the places that a merged cell covers, besides the first: what it says, or nothing. */
export type MergedCells = 'repeat' | 'blank'

/** All tables of a document, those inside items and quotes too; tables inside tables are part of these. */
export function* findTables(blocks: readonly Block[]): Generator<Table> {
  for (const block of blocks) {
    if (block.kind === 'table') yield block
    else if (block.kind === 'item') yield* findTables(block.more ?? [])
    else if (block.kind === 'quote') yield* findTables(block.blocks)
  }
}

/** The texts of a table as a rectangle. */
export const tableTexts = (table: Table, mergedCells: MergedCells): string[][] =>
  toGrid(table).rows.map((row) =>
    row.map((place) => (place && (place.isOrigin || mergedCells === 'repeat') ? textOfBlocks(place.cell.blocks) : '')),
  )

/** A table as CSV by RFC 4180: header rows first, as in the source. */
export const writeTableCsv = (table: Table, mergedCells: MergedCells): string =>
  tableTexts(table, mergedCells)
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('')

const quoteCell = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A table with all that is known of it: where it stands, its texts as a rectangle, and its cells with their spans. */
export const toTableJson = (table: Table, mergedCells: MergedCells): Record<string, unknown> => {
  const { continued, caption, headerRows } = table
  const { columns, rows } = toGrid(table)
  return {
    ...toJsonPlace(table),
    ...(continued ? { continued: continued.map((part) => ({ page: part.page, box: roundBox(part.box) })) } : {}),
    ...(caption ? { caption: toPlainText(caption) } : {}),
    headerRows,
    columns,
    rows: tableTexts(table, mergedCells),
    cells: rows.flatMap((places, row) =>
      places.flatMap((place, column) => {
        if (!place?.isOrigin) return []
        const { blocks, columnSpan = 1, rowSpan = 1, header, box } = place.cell
        return [
          {
            row,
            column,
            ...(rowSpan > 1 ? { rowSpan } : {}),
            ...(columnSpan > 1 ? { columnSpan } : {}),
            ...(header || row < headerRows ? { header: true } : {}),
            text: textOfBlocks(blocks),
            ...(box ? { box: roundBox(box) } : {}),
          },
        ]
      }),
    ),
  }
}
