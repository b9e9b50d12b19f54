import { joinWords, median, SEGMENT_GAP_EM } from './page-words.ts'
import { isNumber } from './rows.ts'
import { cellText, type Sketch, type SketchCell } from './sketch.ts'

/** Whether a grid of lines is a table, not a frame, a diagram or the grid of a chart. */
export const isLatticeTable = (sketch: Sketch): boolean => {
  const filled = filledCells(sketch)
  if (filled.length < 3 || sketch.rows < 2 || wordsPerCell(filled) > 60) return false
  if (sketch.columns < 2) return sketch.rows > 2 && filled.length === sketch.cells.length
  const usedRows = new Set(filled.map(({ row }) => row)).size
  const usedColumns = new Set(filled.map(({ column }) => column)).size
  if (usedRows < 2 || usedColumns < 2 || filled.length * 5 < sketch.cells.length) return false
  return true
}

/** Whether a grid of lines is the drawing of a diagram or a chart, and what stands in it belongs to that. */
export const isDrawing = (sketch: Sketch): boolean => {
  const filled = filledCells(sketch)
  return sketch.cells.length > 3 && (isDiagram(sketch, filled) || isChart(sketch, filled))
}

/** Whether lines of text between rules are a table, not prose or code between the rules of a page. */
export const isRuledTable = (sketch: Sketch, rules: number): boolean => {
  if (rules < 3) return isAlignedTable(sketch)
  const filled = filledCells(sketch)
  if (sketch.rows < 2 || sketch.columns < 2 || wordsPerCell(filled) > 60) return false
  if (isChart(sketch, filled) || isMarkedList(sketch, filled)) return false
  if (hasBoldHead(sketch, filled)) return true
  if (isProse(sketch, filled) || isCode(filled) || sketch.rows + sketch.columns < 5) return false
  return filled.length > 0.5 * sketch.rows * sketch.columns
}

/** Whether columns of text without rules are a table, not a list, a form, prose or what stands beside a figure. */
export const isAlignedTable = (sketch: Sketch): boolean => {
  const { rows, columns } = sketch
  const filled = filledCells(sketch)
  if (rows < 2 || columns < 2) return false
  if (isMarkedList(sketch, filled) || areNumberedEquations(sketch, filled) || isContents(sketch, filled)) return false
  if (isChart(sketch, filled) || isCode(filled) || hasGaps(filled)) return false
  const hasRule = sketch.hasHeadRule ?? false
  if (!hasRule && isProse(sketch, filled)) return false
  const fill = filled.length / (rows * columns)
  const numbers = numberShare(filled)
  const head = hasRule || hasBoldHead(sketch, filled)
  if (wordsPerCell(filled) > 14 || fill < (head ? 0.35 : 0.55)) return false
  if (columns === 2) return head ? rows > 2 && !hasLongLines(filled) : rows > 3 && numbers > 0.35
  if (rows === 2) return columns > 3 && (head || (numbers > 0.3 && fill > 0.9))
  if (head || numbers > 0.2) return true
  return rows > 3 && fill > 0.7 && wordsPerCell(filled) < 6 && isAligned(sketch, filled)
}

/** Whether the texts of each column begin, end or have their middle at the same place. */
const isAligned = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  for (let column = 0; column < sketch.columns; column++) {
    const lines = filled.filter((cell) => cell.column === column && cell.columnSpan === 1).flatMap(({ lines }) => lines)
    const ends = lines.map((words) => [words[0]?.x0 ?? 0, words.at(-1)?.x1 ?? 0] as const)
    const size = lines[0]?.[0]?.size ?? 10
    const isShared = (places: readonly number[]): boolean => {
      const middle = median(places)
      return places.filter((place) => Math.abs(place - middle) < 0.2 * size).length >= 0.85 * places.length
    }
    const edges = [ends.map(([x0]) => x0), ends.map(([, x1]) => x1), ends.map(([x0, x1]) => (x0 + x1) / 2)]
    if (!edges.some(isShared)) return false
  }
  return true
}

const filledCells = ({ cells }: Sketch): SketchCell[] => cells.filter(({ lines }) => lines.length > 0)
const wordCount = ({ lines }: SketchCell): number => lines.reduce((sum, words) => sum + words.length, 0)
const wordsPerCell = (cells: readonly SketchCell[]): number =>
  cells.reduce((sum, cell) => sum + wordCount(cell), 0) / Math.max(1, cells.length)
const numberShare = (cells: readonly SketchCell[]): number =>
  cells.filter((cell) => isNumber(cellText(cell))).length / Math.max(1, cells.length)

const isBold = ({ lines }: SketchCell): boolean => lines.every((words) => words.every(({ bold }) => bold))

const hasBoldHead = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  const first = filled.filter(({ row }) => row === 0)
  const others = filled.filter(({ row }) => row > 0)
  const covered = first.reduce((sum, { columnSpan }) => sum + columnSpan, 0)
  return covered > sketch.columns / 2 && first.every(isBold) && others.filter(isBold).length * 4 < others.length
}

/** Boxes with arrows: most of the grid is empty, and little of it regular. */
const isDiagram = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  const spanning = sketch.cells.filter(({ rowSpan, columnSpan }) => rowSpan > 1 || columnSpan > 1).length
  const share = filled.length / sketch.cells.length
  return (share < 0.5 && spanning * 4 > sketch.cells.length) || (share < 0.7 && spanning * 5 > sketch.cells.length * 3)
}

/** The scales of a chart: numbers at one side or both, and next to nothing between them. */
const isChart = ({ rows, columns }: Sketch, filled: readonly SketchCell[]): boolean => {
  if (rows < 3) return false
  const scales = [0, columns - 1].filter((column) => isScale(filled.filter((cell) => cell.column === column)))
  if (rows < 4) return scales.length === 2
  const body = filled.filter(({ row }) => row > 0)
  const isSide = ({ column }: SketchCell): boolean => column === 0 || (column === columns - 1 && columns > 2)
  const sides = body.filter((cell) => isSide(cell))
  const inner = (rows - 1) * (columns - (columns > 2 ? 2 : 1))
  const share = (body.length - sides.length) / Math.max(1, inner)
  if (share < 0.15 && numberShare(sides) > 0.6) return true
  return share < 0.8 && scales.length > 0
}

/** Whether numbers go down by even steps, as those beside the axis of a chart. */
const isScale = (cells: readonly SketchCell[]): boolean => {
  const texts = cells.toSorted((a, b) => a.row - b.row).flatMap(({ lines }) => lines.flat().map(({ text }) => text))
  const values = texts.map((text) => Number(text.replace(/[,%$€£]/g, '')))
  if (values.length < 3 || values.some((value) => Number.isNaN(value))) return false
  const steps = values.slice(1).map((value, index) => (values[index] ?? 0) - value)
  const step = steps[0] ?? 0
  return step > 0 && steps.every((other) => Math.abs(other - step) < 0.02 * step)
}

const MARKER = /^(?:[•‣◦▪▫■□●○⁃∙·➢✓✔►▶–—*o-]|[([]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]|\[\d+\])$/

/** A list: the first column only has bullets or the numbers of items. */
const isMarkedList = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  const first = filled.filter(({ column, row }) => column === 0 && row > 0)
  const marked = filled.filter((cell) => cell.column === 0 && MARKER.test(cellText(cell))).length
  return sketch.columns === 2 && marked > 0 && marked >= first.length * 0.7
}

const areNumberedEquations = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  const last = filled.filter(({ column }) => column === sketch.columns - 1)
  return last.every((cell) => /^[([][A-Z]?\d+(?:\.\d+)*[a-z]?[)\]]$/.test(cellText(cell)))
}

/** A table of contents: titles, and numbers of pages that never go down. */
const isContents = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  if (filled.some((cell) => /\.{5,}|(?:\. ){5,}|…{2,}/.test(cellText(cell)))) return true
  const last = filled.filter(({ column }) => column === sketch.columns - 1).map(cellText)
  const pages = last.filter((text) => /^(?:\d{1,4}|[ivxlc]{1,7})$/i.test(text))
  if (sketch.columns > 3 || pages.length < last.length || pages.length < 4) return false
  const numbers = pages.filter((text) => /^\d/.test(text)).map(Number)
  return numbers.every((page, index) => index === 0 || page >= (numbers[index - 1] ?? 0))
}

type CellLine = { column: number; characters: number; width: number; isTight: boolean }

const linesOf = (filled: readonly SketchCell[]): CellLine[] => {
  const lines = filled
    .filter(({ columnSpan }) => columnSpan === 1)
    .flatMap(({ column, lines }) => lines.map((words) => ({ column, words })))
    .sort((a, b) => a.column - b.column || (a.words[0]?.y0 ?? 0) - (b.words[0]?.y0 ?? 0))
  return lines.map(({ column, words }, index) => {
    const [first, next] = [words[0], lines[index + 1]]
    const pitch = next?.column === column && first ? (next.words[0]?.y0 ?? 0) - first.y0 : Infinity
    return {
      column,
      characters: words.reduce((sum, { text }) => sum + text.length + 1, 0),
      width: (words.at(-1)?.x1 ?? 0) - (first?.x0 ?? 0),
      isTight: pitch < 1.7 * (first?.size ?? 0),
    }
  })
}

/** Columns of prose: line after line fills its column. */
const isProse = (sketch: Sketch, filled: readonly SketchCell[]): boolean => {
  if (sketch.columns > 3) return false
  const lines = linesOf(filled)
  const widths = new Map<number, number>()
  for (const { column, width } of lines) widths.set(column, Math.max(widths.get(column) ?? 0, width))
  const full = lines.filter(
    ({ column, characters, width, isTight }) => isTight && characters > 18 && width > 0.8 * (widths.get(column) ?? 0),
  )
  return lines.length > 7 && full.length > 0.45 * lines.length
}

/** Both columns have lines as long as those of prose. */
const hasLongLines = (filled: readonly SketchCell[]): boolean => {
  const lines = linesOf(filled)
  const isLong = (column: number): boolean => {
    const own = lines.filter((line) => line.column === column)
    return own.reduce((sum, { characters }) => sum + characters, 0) > 28 * own.length
  }
  return isLong(0) && isLong(1)
}

/** Whether many cells have wide gaps in them: what stands there is not in these columns. */
const hasGaps = (filled: readonly SketchCell[]): boolean => {
  const parted = filled.filter(({ lines }) => lines.some((words) => joinWords(words, SEGMENT_GAP_EM).length > 1))
  return parted.length * 6 > filled.length
}

/** Code stands in columns by its indents. */
const isCode = (filled: readonly SketchCell[]): boolean => {
  const words = filled.flatMap(({ lines }) => lines.flat())
  const monospace = words.filter((word) => word.monospace).length
  return monospace > 0.8 * words.length && numberShare(filled) < 0.3
}
