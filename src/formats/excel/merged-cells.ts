import type { Range } from './cell-reference.ts'

/** What stands in the places that a merged cell covers, besides the first: what it says, or nothing. */
export const mergedCellsOption = (defaultValue: 'repeat' | 'blank') =>
  ({
    type: 'enum',
    allowedValues: ['repeat', 'blank'],
    defaultValue,
    detail: 'What stands in the places that a merged cell covers, besides the first: the same again, or nothing.',
  }) as const

/** Merged cells that reach over more places than this are left as they are: they are decoration. */
const MAX_REPEATED = 1_000

export type MergeFiller = {
  /** Adds what merged cells say to the places of a row that they cover. Rows must come in their order. */
  fill(row: number, shownAt: Map<number, string>): void
}

/** Fills the places that merged cells cover; undefined where there is nothing to fill. */
export const createMergeFiller = (merges: readonly Range[]): MergeFiller | undefined => {
  const waiting = merges
    .filter(({ top, left, bottom, right }) => (bottom - top + 1) * (right - left + 1) <= MAX_REPEATED)
    .toSorted((a, b) => b.top - a.top)
  if (waiting.length === 0) return undefined
  let active: { range: Range; shown: string }[] = []
  return {
    fill(row, shownAt) {
      active = active.filter(({ range }) => range.bottom >= row)
      for (let next = waiting.at(-1); next && next.top <= row; next = waiting.at(-1)) {
        waiting.pop()
        const shown = next.top === row ? shownAt.get(next.left) : undefined
        if (shown !== undefined && shown !== '') active.push({ range: next, shown })
      }
      for (const { range, shown } of active) {
        for (let column = range.left; column <= range.right; column++) {
          if (!shownAt.has(column)) shownAt.set(column, shown)
        }
      }
    },
  }
}
