import type { LineCell, TableLine } from './table-lines.ts'

/** Lines nearer than this part of an em to each other overlap: they are one row. */
const OVERLAP_EM = 0.85
/** Lines of one paragraph are not nearer to each other than this, and not further apart. */
const MIN_LEADING_EM = 0.95
const LEADING_EM = 1.6
/** Between rows there is at least this much more room than between the lines of a row, where there is any. */
const ROW_RATIO = 1.08

/** Groups lines of text into rows; `breaks` holds the indexes of lines before which a rule is drawn. */
export const groupRows = (
  lines: readonly TableLine[],
  columns: number,
  em: number,
  breaks: ReadonlySet<number>,
): TableLine[][] => {
  const widths = columnWidths(lines, columns)
  if (areRowsRuled(lines, columns, widths, em, breaks)) return splitAt(lines, breaks)
  const threshold = rowPitch(lines, widths, em, breaks)
  const solid = threshold === undefined && isSolidText(lines, widths, em, breaks)
  const rows: TableLine[][] = []
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1)
    const before = lines[index - 1]
    if (!row || !before || breaks.has(index)) {
      rows.push([line])
      continue
    }
    if (continuesRow(row, line, { threshold, solid, widths, columns, em })) row.push(line)
    else rows.push([line])
  }
  return rows
}

const splitAt = (lines: readonly TableLine[], breaks: ReadonlySet<number>): TableLine[][] => {
  const rows: TableLine[][] = []
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1)
    if (row && !breaks.has(index) && !partsSpan(row, line)) row.push(line)
    else rows.push([line])
  }
  return rows
}

/** Whether a line has several entries below one that spans their columns, or spans columns that have several above it. */
const partsSpan = (row: readonly TableLine[], line: TableLine): boolean =>
  row.some(({ cells }) => spansSeveral(cells, line.cells) || spansSeveral(line.cells, cells))

const spansSeveral = (cells: readonly LineCell[], others: readonly LineCell[]): boolean =>
  cells.some(
    ({ column, columnSpan }) =>
      columnSpan > 1 &&
      others.filter((other) => other.column >= column && other.column < column + columnSpan).length > 1,
  )

/** Whether each row has its rule: between rules there are hardly ever two lines that must be two rows. */
const areRowsRuled = (
  lines: readonly TableLine[],
  columns: number,
  widths: readonly number[],
  em: number,
  breaks: ReadonlySet<number>,
): boolean => {
  if (breaks.size < 3) return false
  const isDense = (line: TableLine): boolean => line.cells.length >= Math.max(2, columns / 2)
  let anew = 0
  let before: TableLine | undefined
  for (const [index, line] of lines.entries()) {
    if (breaks.has(index)) before = undefined
    if (!isDense(line)) continue
    if (before && startsAnew([before], line, widths, em)) anew++
    before = line
  }
  return anew * 5 <= breaks.size
}

type Facts = { threshold: number | undefined; solid: boolean; widths: readonly number[]; columns: number; em: number }

const continuesRow = (row: readonly TableLine[], line: TableLine, facts: Facts): boolean => {
  const { threshold, solid, widths, columns, em } = facts
  const before = row.at(-1)
  if (!before || partsSpan(row, line)) return false
  // A line at half the height between two others is of one row with them, unless those are rows and it is their label.
  const above = row.findLast((other) => sharesColumn(other, line))
  const isNear = pitchOf(before, line) < OVERLAP_EM * em && !isComplete(line, columns)
  if (isNear && (!above || !startsAnew([above], sharedPart(line, above), widths, em))) return true
  const pitch = pitchOf(above ?? before, line)
  if (before.bold && !line.bold) return false
  if (threshold !== undefined)
    return pitch <= threshold && !(isComplete(line, columns) && startsAnew(row, line, widths, em))
  if (pitch > LEADING_EM * em) return false
  if (solid) return true
  return !coversRow(row, line) && !startsAnew(row, line, widths, em)
}

const middleOf = ({ band }: TableLine): number => (band.y0 + band.y1) / 2
const pitchOf = (a: TableLine, b: TableLine): number => middleOf(b) - middleOf(a)
const sharesColumn = (a: TableLine, b: TableLine): boolean =>
  a.cells.some(({ column, columnSpan }) =>
    b.cells.some((cell) => cell.column < column + columnSpan && column < cell.column + cell.columnSpan),
  )
const sharedPart = (line: TableLine, other: TableLine): TableLine => ({
  ...line,
  cells: line.cells.filter((cell) => other.cells.some(({ column }) => column === cell.column)),
})
const isComplete = (line: TableLine, columns: number): boolean => columns > 1 && line.cells.length === columns

/** Whether the line has something in each column where the row has. */
const coversRow = (row: readonly TableLine[], line: TableLine): boolean => {
  const filled = new Set(row.flatMap(({ cells }) => cells.map(({ column }) => column)))
  const here = new Set(line.cells.map(({ column }) => column))
  return [...filled].every((column) => here.has(column))
}

/** Whether something of the line cannot be the next line of what stands above it in the row. */
const startsAnew = (row: readonly TableLine[], line: TableLine, widths: readonly number[], em: number): boolean =>
  line.cells.some((cell) => {
    const above = lastCell(row, cell.column)
    return !above || !wraps(above, cell, widths[cell.column] ?? 0, em)
  })

const lastCell = (row: readonly TableLine[], column: number): LineCell | undefined =>
  row.at(-1)?.cells.find((cell) => cell.column === column)

/** Whether a cell can be the next line of another: its first word would not have fitted there. */
const wraps = (above: LineCell, cell: LineCell, width: number, em: number): boolean => {
  const first = cell.words[0]
  if (!first) return false
  if (isNumber(textOf(above)) && isNumber(textOf(cell))) return false
  return above.x1 - above.x0 + 0.2 * em + (first.x1 - first.x0) > width - 0.3 * em
}

const textOf = ({ words }: LineCell): string => words.map(({ text }) => text).join(' ')

/** Whether a text is an amount, a year, a percentage or a mark that stands for none. */
export const isNumber = (text: string): boolean =>
  /^[\s$€£¥₹([<>≤≥±~≈+−–-]*\d[\d\s.,:/'’]*(?:e[+−-]?\d+)?[\s%‰°)\]*†‡kKmMbB+]*$/i.test(text) ||
  /^[\s–—−-]+$|^n\/?a\.?$/i.test(text)

const columnWidths = (lines: readonly TableLine[], columns: number): number[] => {
  const widths: number[] = Array.from({ length: columns }, () => 0)
  for (const { cells } of lines)
    for (const { column, columnSpan, x0, x1 } of cells)
      if (columnSpan === 1) widths[column] = Math.max(widths[column] ?? 0, x1 - x0)
  return widths
}

/** The distance of lines above which a new row begins, if the distances tell rows from lines of a row. */
const rowPitch = (
  lines: readonly TableLine[],
  widths: readonly number[],
  em: number,
  breaks: ReadonlySet<number>,
): number | undefined => {
  const pitches: number[] = []
  for (let index = 1; index < lines.length; index++) {
    const [before, line] = [lines[index - 1], lines[index]]
    if (!before || !line || breaks.has(index) || (before.bold && !line.bold)) continue
    const pitch = pitchOf(before, line)
    if (pitch >= MIN_LEADING_EM * em) pitches.push(pitch)
  }
  pitches.sort((a, b) => a - b)
  let best = ROW_RATIO
  let threshold: number | undefined
  for (const [index, pitch] of pitches.entries()) {
    const next = pitches[index + 1]
    if (next === undefined || pitch > LEADING_EM * em) break
    if (next / pitch > best) {
      best = next / pitch
      threshold = (pitch + next) / 2
    }
  }
  if (threshold === undefined) return undefined
  return tellsRows(lines, widths, em, threshold) ? threshold : undefined
}

/** Whether what is near the line above it looks like its continuation; else the wide distances part groups of rows. */
const tellsRows = (lines: readonly TableLine[], widths: readonly number[], em: number, threshold: number): boolean => {
  let near = 0
  let anew = 0
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    if (!before || pitchOf(before, line) > threshold || (before.bold && !line.bold)) continue
    near++
    if (coversRow([before], line) && line.cells.length > 1 && startsAnew([before], line, widths, em)) anew++
  }
  return anew * 3 <= near
}

/** Whether the columns are wrapped text from top to bottom. */
const isSolidText = (
  lines: readonly TableLine[],
  widths: readonly number[],
  em: number,
  breaks: ReadonlySet<number>,
): boolean => {
  let [joints, wrapped, words, cells] = [0, 0, 0, 0]
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    if (!before || breaks.has(index) || before.bold !== line.bold) continue
    joints++
    if (!startsAnew([before], line, widths, em)) wrapped++
    cells += line.cells.length
    for (const cell of line.cells) words += cell.words.length
  }
  return joints > 1 && wrapped >= 0.75 * joints && words >= 2.5 * cells
}
