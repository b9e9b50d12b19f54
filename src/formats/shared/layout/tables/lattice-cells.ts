import { isDrawn, type Lattice } from './lattice.ts'
import { bandsOf, type PageWord } from './page-words.ts'
import { boxOf, type Sketch, type SketchCell } from './sketch.ts'

/** The table that a grid of lines draws: cells go on where no line parts them. */
export const sketchLattice = (lattice: Lattice, words: readonly PageWord[]): Sketch => {
  const { xs, ys } = lattice
  const spans = spansOf(lattice)
  const inside = placeWords(lattice, words, spans)
  const cells = spans.map((span, index): SketchCell => {
    const [x0, x1] = [xs[span.column] ?? 0, xs[span.column + span.columnSpan] ?? 0]
    const [y0, y1] = [ys[span.row] ?? 0, ys[span.row + span.rowSpan] ?? 0]
    const lines = linesOf(inside[index] ?? [])
    return { ...span, lines, box: boxOf(x0, y0, x1, y1) }
  })
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  const box = boxOf(xs[0] ?? 0, ys[0] ?? 0, xs.at(-1) ?? 0, ys.at(-1) ?? 0)
  return dropUnused({ rows, columns, cells, box, confidence: 0.95 })
}

const linesOf = (words: readonly PageWord[]): (readonly PageWord[])[] => {
  const turned = words.find((word) => word.turned)?.turned
  if (!turned) return bandsOf(words).map((band) => band.words)
  const way = turned === 'up' ? 1 : -1
  const isBeside = (a: PageWord, b: PageWord): boolean => Math.abs(a.x0 - b.x0) < 0.5 * a.size
  return words.toSorted((a, b) => way * (isBeside(a, b) ? b.y0 - a.y0 : a.x0 - b.x0)).map((word) => [word])
}

type Span = { row: number; column: number; rowSpan: number; columnSpan: number }

const spansOf = ({ xs, ys, horizontal, vertical }: Lattice): Span[] => {
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  const uprights = bucket(vertical, xs)
  const levels = bucket(horizontal, ys)
  const partsRight = (row: number, column: number): boolean =>
    column + 1 >= columns || isDrawn(uprights[column + 1] ?? [], xs[column + 1] ?? 0, ys[row] ?? 0, ys[row + 1] ?? 0)
  const partsBelow = (row: number, column: number): boolean =>
    row + 1 >= rows || isDrawn(levels[row + 1] ?? [], ys[row + 1] ?? 0, xs[column] ?? 0, xs[column + 1] ?? 0)
  const taken = new Uint8Array(rows * columns)
  const spans: Span[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column]) continue
      let columnSpan = 1
      while (!partsRight(row, column + columnSpan - 1) && !taken[row * columns + column + columnSpan]) columnSpan++
      let rowSpan = 1
      while (joinsBelow(row + rowSpan - 1, column, columnSpan, partsRight, partsBelow)) rowSpan++
      for (let y = row; y < row + rowSpan; y++) taken.fill(1, y * columns + column, y * columns + column + columnSpan)
      spans.push({ row, column, rowSpan, columnSpan })
    }
  return spans
}

type Parts = (row: number, column: number) => boolean

/** Whether a cell goes on in the next row over all its columns, and over no other. */
const joinsBelow = (row: number, column: number, columnSpan: number, partsRight: Parts, partsBelow: Parts): boolean => {
  for (let x = column; x < column + columnSpan; x++) {
    if (partsBelow(row, x)) return false
    const isLast = x === column + columnSpan - 1
    if (partsRight(row + 1, x) !== isLast) return false
  }
  return column === 0 || partsRight(row + 1, column - 1)
}

/** Lines by the boundary they stand at. */
const bucket = <R extends { at: number }>(rulings: readonly R[], places: readonly number[]): R[][] => {
  const buckets: R[][] = places.map(() => [])
  for (const ruling of rulings) buckets[nearest(places, ruling.at)]?.push(ruling)
  return buckets
}

const nearest = (places: readonly number[], at: number): number => {
  const after = intervalOf(places, at) + 1
  const before = after - 1
  if (before < 0) return 0
  const next = places[after]
  return next !== undefined && next - at < at - (places[before] ?? 0) ? after : before
}

/** Index of the interval between boundaries that holds a place; -1 before the first. */
const intervalOf = (places: readonly number[], at: number): number => {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

const placeWords = ({ xs, ys }: Lattice, words: readonly PageWord[], spans: readonly Span[]): PageWord[][] => {
  const columns = xs.length - 1
  const owners = new Int32Array(columns * (ys.length - 1))
  spans.forEach(({ row, column, rowSpan, columnSpan }, index) => {
    for (let y = row; y < row + rowSpan; y++)
      owners.fill(index, y * columns + column, y * columns + column + columnSpan)
  })
  const inside: PageWord[][] = spans.map(() => [])
  for (const word of words) {
    const column = intervalOf(xs, (word.x0 + word.x1) / 2)
    const row = intervalOf(ys, (word.y0 + word.y1) / 2)
    if (column < 0 || row < 0 || column >= columns || row >= ys.length - 1) continue
    inside[owners[row * columns + column] ?? -1]?.push(word)
  }
  return inside
}

/** Leaves out rows and columns in which no cell begins or ends, which lines drawn elsewhere made. */
const dropUnused = (sketch: Sketch): Sketch => {
  const rows = renumber(sketch.cells.map(({ row, rowSpan }) => [row, rowSpan]))
  const columns = renumber(sketch.cells.map(({ column, columnSpan }) => [column, columnSpan]))
  const cells = sketch.cells.map((cell) => {
    const [row, column] = [rows.get(cell.row) ?? 0, columns.get(cell.column) ?? 0]
    const rowSpan = (rows.get(cell.row + cell.rowSpan) ?? rows.size) - row
    const columnSpan = (columns.get(cell.column + cell.columnSpan) ?? columns.size) - column
    return { ...cell, row, column, rowSpan, columnSpan }
  })
  return { ...sketch, cells, rows: rows.size, columns: columns.size }
}

const renumber = (ranges: readonly (readonly [number, number])[]): Map<number, number> => {
  const starts = [...new Set(ranges.map(([start]) => start))].sort((a, b) => a - b)
  return new Map(starts.map((start, index) => [start, index]))
}
