import type { Cell, Table } from './model.ts'
import { hasSpans } from './table-grid.ts'

export type TableFormat = 'auto' | 'pipe' | 'html'

/** How a table is written: pipes can say neither merged cells, nor two rows of headers, nor blocks in cells. */
export const chooseTableFormat = (table: Table, format: TableFormat): 'pipe' | 'html' => {
  if (format !== 'auto') return format
  return !hasSpans(table) && table.headerRows <= 1 && table.rows.every((row) => row.every(isSimple)) ? 'pipe' : 'html'
}

const isSimple = ({ blocks }: Cell): boolean =>
  blocks.every(({ kind }) => kind === 'paragraph' || kind === 'heading' || kind === 'image' || kind === 'formula')
