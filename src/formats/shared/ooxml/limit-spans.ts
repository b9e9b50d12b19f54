import { overLimit } from '../decode.ts'
import type { Cell } from '../document/model.ts'

const MAX_PLACES = 2_000_000
/** Places that are there without any merging. */
const MAX_OWN_PLACES = 10_000_000

/** Takes merging off a table that would unfold to more places than any real one has. */
export const limitSpans = <T extends Cell>(rows: T[][]): T[][] => {
  const widthOf = (row: readonly Cell[]) => row.reduce((sum, { columnSpan = 1 }) => sum + columnSpan, 0)
  const columns = rows.reduce((most, row) => Math.max(most, widthOf(row)), 0)
  if (columns * rows.length <= MAX_PLACES) return rows
  const cells = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (cells * rows.length > MAX_OWN_PLACES) throw overLimit('tablePlaces', MAX_OWN_PLACES)
  return rows.map((row) => row.map(({ columnSpan: _, rowSpan: __, ...cell }) => cell as T))
}
