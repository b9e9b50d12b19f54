import { findSeparators, type Separator } from './columns.ts'
import { sketchRows } from './line-cells.ts'
import { type Band, bandsOf, emOf, joinWords, type PageWord, SEGMENT_GAP_EM } from './page-words.ts'
import { groupRows, isNumber } from './rows.ts'
import { boxOf, cellText, type Sketch, type SketchCell } from './sketch.ts'
import { spanGroups, spanHead } from './spans.ts'
import { columnAt, partLines, type TableLine } from './table-lines.ts'

/** Parts what lines leave together: rows without lines between them, columns without lines between them. */
export const refineLattice = (sketch: Sketch): Sketch => partRows(partColumns(partSpans(partHead(sketch))))

/** A row of the grid with at least this many lines of text may be several rows. */
const MIN_LINES = 2
/** A grid with at most this many rows may have lines around its body only. */
const MAX_GRID_ROWS = 3

/** Parts a first row without lines between its names, which the lines below it tell apart. */
const partHead = (sketch: Sketch): Sketch => {
  const head = sketch.cells.find((cell) => cell.row === 0)
  if (!head || head.columnSpan < Math.max(2, sketch.columns) || head.rowSpan > 1) return sketch
  const bands = bandsOf(head.lines.flat())
  if (!bands.some(({ segments }) => segments.length > 1)) return sketch
  const em = emOf(bands)
  const edges = columnEdges(sketch).slice(1)
  const separators = edges.map((x): Separator => ({ x0: x, x1: x }))
  const rows = groupRows(partLines(bands, separators, em), sketch.columns, em, new Set())
  const parts = sketchRows(rows, separators, sketch.confidence)
  const more = parts.rows - 1
  const others = sketch.cells.filter((cell) => cell !== head).map((cell) => ({ ...cell, row: cell.row + more }))
  return spanHead({ ...sketch, rows: sketch.rows + more, cells: [...parts.cells, ...others] }, [])
}

/** Parts cells over several columns whose text stands in those columns: a head without lines between its names. */
const partSpans = (sketch: Sketch): Sketch => {
  const cells = sketch.cells.flatMap((cell) => {
    const [words, ...more] = cell.lines
    if (cell.columnSpan < 2 || cell.rowSpan > 1 || !words || more.length > 0) return [cell]
    const segments = joinWords(words, SEGMENT_GAP_EM)
    if (segments.length !== cell.columnSpan) return [cell]
    const xs = columnEdges(sketch)
    const places = segments.map(({ x0, x1 }) => xs.findLastIndex((x) => x <= (x0 + x1) / 2))
    if (places.some((place, index) => place !== cell.column + index)) return [cell]
    return segments.map((segment, index): SketchCell => {
      const column = cell.column + index
      const [x0, x1] = [xs[column] ?? 0, xs[column + 1] ?? sketch.box.x + sketch.box.width]
      const box = boxOf(x0, cell.box.y, x1, cell.box.y + cell.box.height)
      return { ...cell, column, columnSpan: 1, lines: [segment.words], box }
    })
  })
  return { ...sketch, cells }
}

const columnEdges = ({ cells, columns }: Sketch): number[] =>
  Array.from({ length: columns }, (_, column) => {
    const own = cells.find((cell) => cell.column === column && cell.columnSpan < columns)
    return own?.box.x ?? Infinity
  })

const partRows = (sketch: Sketch): Sketch => {
  let result = sketch
  for (let row = sketch.rows - 1; row >= 0; row--) {
    const cells = result.cells.filter((cell) => cell.row <= row && row < cell.row + cell.rowSpan)
    const own = cells.filter((cell) => cell.row === row && cell.rowSpan === 1).sort((a, b) => a.column - b.column)
    if (own.filter(({ lines }) => lines.length >= MIN_LINES).length < 2) continue
    const rows = rowsInside(own, sketch.rows <= MAX_GRID_ROWS)
    if (rows) result = insertRows(result, row, own, rows)
  }
  return result.rows > sketch.rows && sketch.rows <= MAX_GRID_ROWS ? spanGroups(dropEmpty(result)) : result
}

const dropEmpty = (sketch: Sketch): Sketch => ({
  ...sketch,
  cells: sketch.cells.filter(({ lines }) => lines.length > 0),
})

/** The rows that stand in one row of the grid, if its cells clearly hold several. */
const rowsInside = (cells: readonly SketchCell[], isOpen: boolean): TableLine[][] | undefined => {
  const bands = bandsOf(cells.flatMap(({ lines }) => lines.flat()))
  const em = emOf(bands)
  const edges = cells.slice(1).map(({ box }): Separator => ({ x0: box.x, x1: box.x }))
  const lines = partLines(bands, edges, em)
  const rows = groupRows(lines, cells.length, em, new Set())
  if (rows.length < 2) return undefined
  const filled = rows.reduce(
    (sum, row) => sum + new Set(row.flatMap((line) => line.cells.map((c) => c.column))).size,
    0,
  )
  if (filled < 0.55 * rows.length * cells.length) return undefined
  return hasNumbers(rows, cells.length) || (isOpen && rows.length > 2) ? rows : undefined
}

/** Whether one of the columns has an amount in nearly each row: those do not wrap. */
const hasNumbers = (rows: readonly (readonly TableLine[])[], columns: number): boolean => {
  for (let column = 0; column < columns; column++) {
    const texts = rows.map((row) =>
      row.flatMap(({ cells }) =>
        cells.filter((cell) => cell.column === column).map(({ words }) => words.map(({ text }) => text).join(' ')),
      ),
    )
    const numbers = texts.filter((text) => text.length === 1 && isNumber(text[0] ?? '')).length
    if (numbers >= 0.8 * rows.length) return true
  }
  return false
}

const insertRows = (
  sketch: Sketch,
  row: number,
  own: readonly SketchCell[],
  rows: readonly (readonly TableLine[])[],
): Sketch => {
  const more = rows.length - 1
  const tops = rows.map((lines) => Math.min(...lines.map(({ band }) => band.y0)))
  const parts = own.flatMap((cell, column) =>
    rows.map((lines, index): SketchCell => {
      const words = lines.flatMap(({ cells }) => cells.filter((c) => c.column === column).map((c) => c.words))
      const y0 = index === 0 ? cell.box.y : (tops[index] ?? cell.box.y)
      const y1 = index === more ? cell.box.y + cell.box.height : (tops[index + 1] ?? cell.box.y)
      const box = boxOf(cell.box.x, y0, cell.box.x + cell.box.width, y1)
      return { ...cell, row: row + index, lines: words, box }
    }),
  )
  const others = sketch.cells
    .filter((cell) => !own.includes(cell))
    .map((cell): SketchCell => {
      if (cell.row > row) return { ...cell, row: cell.row + more }
      return cell.row + cell.rowSpan > row ? { ...cell, rowSpan: cell.rowSpan + more } : cell
    })
  return { ...sketch, rows: sketch.rows + more, cells: [...others, ...parts] }
}

const partColumns = (sketch: Sketch): Sketch => {
  let result = sketch
  for (let column = sketch.columns - 1; column >= 0; column--) {
    const own = result.cells.filter((cell) => cell.column === column && cell.columnSpan === 1)
    const bands = own.flatMap(({ lines }) => lines.map(toBand))
    const parted = bands.filter(({ segments }) => segments.length > 1).length
    if (parted < 3 || parted * 2 < bands.length) continue
    const separators = findSeparators(bands, emOf(bands)).filter((strip) => partsMost(bands, strip))
    if (separators.length > 0) result = insertColumns(result, column, own, separators)
  }
  return result
}

const toBand = (words: readonly PageWord[]): Band => {
  const [band] = bandsOf(words)
  return band ?? { words, segments: [], x0: 0, x1: 0, y0: 0, y1: 0, size: 1 }
}

const partsMost = (bands: readonly Band[], { x0, x1 }: Separator): boolean => {
  const both = bands.filter((band) => band.x0 < x0 && band.x1 > x1)
  return both.length > 2 && both.length * 2 >= bands.length
}

const insertColumns = (
  sketch: Sketch,
  column: number,
  own: readonly SketchCell[],
  separators: readonly Separator[],
): Sketch => {
  const more = separators.length
  const parts = own.flatMap((cell): SketchCell[] => {
    const lines = partLines(cell.lines.map(toBand), separators, cell.lines[0]?.[0]?.size ?? 10)
    const isWhole = lines.every(({ cells }) => cells.length < 2) && !isNumber(cellText(cell))
    if (isWhole) return [{ ...cell, columnSpan: 1 + more }]
    const xs = [cell.box.x, ...separators.map(({ x0, x1 }) => (x0 + x1) / 2), cell.box.x + cell.box.width]
    return Array.from({ length: more + 1 }, (_, index): SketchCell => {
      const words = cell.lines.map((line) =>
        line.filter((word) => columnAt((word.x0 + word.x1) / 2, separators) === index),
      )
      const box = boxOf(xs[index] ?? 0, cell.box.y, xs[index + 1] ?? 0, cell.box.y + cell.box.height)
      return { ...cell, column: column + index, lines: words.filter((line) => line.length > 0), box }
    })
  })
  const others = sketch.cells
    .filter((cell) => !own.includes(cell))
    .map((cell): SketchCell => {
      if (cell.column > column) return { ...cell, column: cell.column + more }
      return cell.column + cell.columnSpan > column ? { ...cell, columnSpan: cell.columnSpan + more } : cell
    })
  return { ...sketch, columns: sketch.columns + more, cells: [...others, ...parts] }
}
