import type { MergeFiller } from './merged-cells.ts'
import type { SpooledRow } from './spool.ts'

/** What a row shows in these columns, which are in their order; empty where it shows nothing. */
export const layOutRow = (
  { index, cells }: Pick<SpooledRow, 'index' | 'cells'>,
  columns: readonly number[],
  filler: MergeFiller | undefined,
): string[] => {
  if (filler) {
    const shownAt = new Map<number, string>()
    for (const { column, shown } of cells) if (shown !== '') shownAt.set(column, shown)
    filler.fill(index, shownAt)
    return columns.map((column) => shownAt.get(column) ?? '')
  }
  const texts: string[] = []
  let at = 0
  for (const column of columns) {
    while (at < cells.length && (cells[at]?.column ?? 0) < column) at++
    const cell = cells[at]
    texts.push(cell?.column === column ? cell.shown : '')
  }
  return texts
}
