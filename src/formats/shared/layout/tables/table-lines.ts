import type { Separator } from './columns.ts'
import { type Band, joinWords, type PageWord, type Segment } from './page-words.ts'

/** What a line of text has in one column, or in several that it spans. */
export type LineCell = Segment & { column: number; columnSpan: number }

/** A line of text of a table, parted at its columns. */
export type TableLine = { band: Band; cells: readonly LineCell[]; bold: boolean }

const SPACE_EM = 0.38
/** A word this near, in ems, to the edge of a column begins there, even after a narrow space. */
const EDGE_EM = 0.15
const NARROW_SPACE_EM = 0.28

/** Parts lines of text at the columns of their table. */
export const partLines = (bands: readonly Band[], separators: readonly Separator[], em: number): TableLine[] => {
  const lefts = columnLefts(bands, separators, em)
  return bands.map((band) => ({
    band,
    cells: cellsOf(band, separators, lefts, em),
    bold: band.words.every(({ bold }) => bold),
  }))
}

/** Which column a place belongs to. */
export const columnAt = (x: number, separators: readonly Separator[]): number => {
  let column = 0
  for (const { x0, x1 } of separators) {
    if (x < (x0 + x1) / 2) break
    column++
  }
  return column
}

const cellsOf = (
  band: Band,
  separators: readonly Separator[],
  lefts: readonly (number | undefined)[],
  em: number,
): LineCell[] => {
  const cells: LineCell[] = []
  for (const blob of joinWords(band.words, SPACE_EM))
    for (const part of partAtEdges(blob, separators, lefts, em)) {
      const column = columnAt(part.x0 + Math.min(em, part.x1 - part.x0) / 2, separators)
      const last = Math.max(column, columnAt(part.x1 - Math.min(em, part.x1 - part.x0) / 2, separators))
      const previous = cells.at(-1)
      if (previous && previous.column + previous.columnSpan > column) {
        const columnSpan = Math.max(previous.columnSpan, last - previous.column + 1)
        const words = [...previous.words, ...part.words]
        cells[cells.length - 1] = { ...previous, words, x1: Math.max(previous.x1, part.x1), columnSpan }
      } else cells.push({ ...part, column, columnSpan: last - column + 1 })
    }
  return cells
}

/** Parts a blob where a word begins exactly at a column that other lines show: neighbours may nearly touch. */
const partAtEdges = (
  blob: Segment,
  separators: readonly Separator[],
  lefts: readonly (number | undefined)[],
  em: number,
): Segment[] => {
  const from = columnAt(blob.x0, separators)
  const to = columnAt(blob.x1, separators)
  if (from === to || blob.words.length < 2) return [blob]
  const parts: Segment[] = []
  let current: PageWord[] = []
  for (const word of blob.words) {
    const before = current.at(-1)
    const left = lefts[columnAt(word.x0 + 0.1 * em, separators)]
    const begins = left !== undefined && Math.abs(word.x0 - left) < EDGE_EM * em
    if (before && begins && columnAt(before.x0, separators) !== columnAt(word.x0 + 0.1 * em, separators))
      if (before.run !== word.run || word.x0 - before.x1 > NARROW_SPACE_EM * em * word.spacing) {
        parts.push(segmentOf(current))
        current = []
      }
    current.push(word)
  }
  parts.push(segmentOf(current))
  return parts
}

const segmentOf = (words: readonly PageWord[]): Segment => ({
  words,
  x0: Math.min(...words.map(({ x0 }) => x0)),
  x1: Math.max(...words.map(({ x1 }) => x1)),
})

/** The left edge that most entries of each column share, if they do. */
const columnLefts = (bands: readonly Band[], separators: readonly Separator[], em: number): (number | undefined)[] => {
  const starts: number[][] = Array.from({ length: separators.length + 1 }, () => [])
  for (const band of bands)
    for (const { x0, x1 } of joinWords(band.words, SPACE_EM)) {
      const column = columnAt(x0, separators)
      if (columnAt(x1, separators) === column) starts[column]?.push(x0)
    }
  return starts.map((column) => {
    column.sort((a, b) => a - b)
    const middle = column[column.length >> 1]
    if (middle === undefined) return undefined
    const near = column.filter((x) => Math.abs(x - middle) < EDGE_EM * em).length
    return near * 2 >= column.length ? middle : undefined
  })
}
