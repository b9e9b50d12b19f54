import { MAX_COLUMNS, type Range } from './cell-reference.ts'

/** Rows that follow each other without a blank row between them, and where they lie in the file of rows. */
export type Band = {
  top: number
  bottom: number
  /** Columns that hold something, as runs without a gap, from left to right. */
  runs: readonly ColumnRun[]
  start: number
  end: number
}
export type ColumnRun = {
  left: number
  right: number
  /** The most cells in one of its columns. */
  height: number
}

// Beyond this many a sheet is no set of tables; what is left goes on as one.
const MAX_BANDS = 20_000

/** Finds the bands of a sheet while its rows come by, in their order. */
export const createBandFinder = () => {
  const found: Band[] = []
  const counts = new Uint32Array(MAX_COLUMNS)
  const columns = new Set<number>()
  let current: { top: number; bottom: number; start: number } | undefined
  let rowHasCells = false
  let used: Range | undefined

  const closeBand = (end: number): void => {
    if (!current) return
    found.push({ ...current, end, runs: takeRuns(columns, counts) })
    current = undefined
  }

  // The columns of a new row are only known to belong to a new band when the row ends.
  const rowColumns: number[] = []
  return {
    cell(column: number): void {
      rowHasCells = true
      rowColumns.push(column)
    },
    /** Tells whether the row that ends here is the first of a band; its place in the file is then asked for. */
    endRow(row: number): { isNewBand: boolean } {
      if (!rowHasCells) return { isNewBand: false }
      rowHasCells = false
      const goesOn = current !== undefined && (row <= current.bottom + 1 || found.length >= MAX_BANDS)
      if (!goesOn) {
        closeBand(-1)
        current = { top: row, bottom: row, start: 0 }
      }
      if (current) current.bottom = row
      used ??= { top: row, left: MAX_COLUMNS, bottom: row, right: 0 }
      used.bottom = row
      for (const column of rowColumns) {
        columns.add(column)
        counts[column] = (counts[column] ?? 0) + 1
        if (column < used.left) used.left = column
        if (column > used.right) used.right = column
      }
      rowColumns.length = 0
      return { isNewBand: !goesOn }
    },
    markOffset(bytes: number): void {
      const previous = found.at(-1)
      if (previous && previous.end < 0) previous.end = bytes
      if (current) current.start = bytes
    },
    finish(bytes: number): { used: Range | undefined; found: readonly Band[] } {
      closeBand(bytes)
      return { used, found }
    },
  }
}

const takeRuns = (columns: Set<number>, counts: Uint32Array): ColumnRun[] => {
  const runs: ColumnRun[] = []
  for (const column of [...columns].sort((a, b) => a - b)) {
    const height = counts[column] ?? 0
    counts[column] = 0
    const last = runs.at(-1)
    if (last && last.right === column - 1) {
      last.right = column
      last.height = Math.max(last.height, height)
    } else {
      runs.push({ left: column, right: column, height })
    }
  }
  columns.clear()
  return runs
}

/** Columns of a band that make one table, without those that hold nothing. */
export const tablesOf = (band: Band): number[][] => {
  const groups: ColumnRun[][] = []
  for (const run of band.runs) {
    const last = groups.at(-1)
    // A lone column beside a gap is a label or a remark of what stands next to it, not a table of its own.
    const stands = (part: readonly ColumnRun[]) => widthOf(part) >= 2 && part.some(({ height }) => height >= 2)
    if (last && !(stands(last) && stands([run]))) last.push(run)
    else groups.push([run])
  }
  return groups.map((runs) =>
    runs.flatMap(({ left, right }) => Array.from({ length: right - left + 1 }, (_, i) => left + i)),
  )
}

const widthOf = (runs: readonly ColumnRun[]): number => runs.reduce((sum, { left, right }) => sum + right - left + 1, 0)
