import { isNumber } from './rows.ts'
import type { Ruling } from './rulings.ts'
import { cellText, type Sketch, type SketchCell } from './sketch.ts'

/** A head is over the middle of its columns, but for this part of an em. */
const CENTRED_EM = 0.8
/** Columns at each side that a head may go over, beside its own. */
const MAX_WIDER = 12

/** Adds the spans that a table without lines only shows by what it leaves empty. */
export const inferSpans = (sketch: Sketch, rules: readonly Ruling[]): Sketch => spanGroups(spanHead(sketch, rules))

/** Lets heads go over the columns they are centred on, and the heads beside those over both rows. */
export const spanHead = (sketch: Sketch, rules: readonly Ruling[]): Sketch => {
  const second = sketch.cells.filter(({ row }) => row === 1)
  if (sketch.rows < 3 || second.length === 0) return sketch
  const first = widenHeads(
    sketch.cells.filter(({ row }) => row === 0),
    second,
    rules.filter(({ from, to }) => to - from < 0.9 * sketch.box.width),
  )
  const wide = first.filter(({ columnSpan }) => columnSpan > 1)
  const isUnderWide = (cell: SketchCell): boolean => wide.some((head) => overlaps(head, cell))
  if (!second.some(isUnderWide)) return sketch
  const heads = first.map((cell): SketchCell => {
    if (cell.columnSpan > 1 || second.some((below) => overlaps(below, cell))) return cell
    return { ...cell, rowSpan: 2, box: { ...cell.box, height: heightOver(cell, second) } }
  })
  const others = sketch.cells
    .filter(({ row }) => row > 0)
    .map((cell): SketchCell => {
      const isLow = cell.row === 1 && !first.some((head) => overlaps(head, cell))
      return isLow ? { ...cell, row: 0, rowSpan: 2 } : cell
    })
  return { ...sketch, cells: [...heads, ...others] }
}

type Extent = { x0: number; x1: number }

const extentOf = ({ lines }: SketchCell): Extent => {
  const words = lines.flat()
  return { x0: Math.min(...words.map(({ x0 }) => x0)), x1: Math.max(...words.map(({ x1 }) => x1)) }
}

/** Gives a head the columns of the rule below it, or those beside its own that have no head if it is centred on all of them. */
const widenHeads = (
  heads: readonly SketchCell[],
  names: readonly SketchCell[],
  rules: readonly Ruling[],
): SketchCell[] => {
  const named = new Map(names.filter(({ columnSpan }) => columnSpan === 1).map((name) => [name.column, name]))
  const taken = new Set(heads.flatMap(({ column, columnSpan }) => columnsOf(column, column + columnSpan)))
  const widen = (head: SketchCell, [from, to]: Range): SketchCell => {
    for (const column of columnsOf(from, to)) taken.add(column)
    return { ...head, column: from, columnSpan: to - from }
  }
  const isFree = (column: number): boolean => column > 0 && named.has(column) && !taken.has(column)
  return heads
    .toSorted((a, b) => a.column - b.column)
    .map((head) => {
      const ruled = ruledRange(head, heads, named, rules)
      if (ruled) return widen(head, ruled)
      return widen(head, centredRange(head, named, isFree))
    })
}

type Range = readonly [from: number, to: number]

/** The columns over a rule right below a head that is no other head's. */
const ruledRange = (
  head: SketchCell,
  heads: readonly SketchCell[],
  named: ReadonlyMap<number, SketchCell>,
  rules: readonly Ruling[],
): Range | undefined => {
  const bottom = head.box.y + head.box.height / 2
  const { x0, x1 } = extentOf(head)
  const isOver = (rule: Ruling, x: number): boolean => rule.from <= x && x <= rule.to
  const rule = rules.find(
    (rule) => rule.at > bottom && rule.at < bottom + head.box.height && isOver(rule, (x0 + x1) / 2),
  )
  if (!rule || heads.some((other) => other !== head && isOver(rule, middleOf(extentOf(other))))) return undefined
  const columns = [...named].filter(([, name]) => isOver(rule, middleOf(extentOf(name)))).map(([column]) => column)
  return columns.length > 1 ? [Math.min(...columns), Math.max(...columns) + 1] : undefined
}

const middleOf = ({ x0, x1 }: Extent): number => (x0 + x1) / 2

const centredRange = (
  head: SketchCell,
  named: ReadonlyMap<number, SketchCell>,
  isFree: (column: number) => boolean,
): Range => {
  const own: Range = [head.column, head.column + head.columnSpan]
  const em = head.lines[0]?.[0]?.size ?? 10
  const middle = middleOf(extentOf(head))
  const off = (from: number, to: number): number => {
    const [left, right] = [named.get(from), named.get(to - 1)]
    if (!left || !right) return Infinity
    const ofText = (extentOf(left).x0 + extentOf(right).x1) / 2
    const ofCells = (left.box.x + right.box.x + right.box.width) / 2
    return Math.min(Math.abs(ofText - middle), Math.abs(ofCells - middle))
  }
  // A head over its own column is in its place: what is free beside it belongs to no head.
  if (head.columnSpan === 1 && off(...own) < CENTRED_EM * em) return own
  let [from, to] = own
  let best = off(from, to)
  for (let left = own[0]; left === own[0] || (isFree(left) && own[0] - left < MAX_WIDER); left--)
    for (let right = own[1]; right === own[1] || (isFree(right - 1) && right - own[1] < MAX_WIDER); right++) {
      const distance = off(left, right)
      if (distance > best + 0.25 * em || distance > CENTRED_EM * em || !isEven(left, right, named)) continue
      best = Math.min(best, distance)
      if (right - left > to - from) [from, to] = [left, right]
    }
  return [from, to]
}

/** Whether names stand at about even distances, as those of one group do. */
const isEven = (from: number, to: number, named: ReadonlyMap<number, SketchCell>): boolean => {
  const middles = columnsOf(from, to).map((column) => middleOfCell(named.get(column)))
  const steps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0))
  return Math.max(...steps) < 1.7 * Math.min(...steps)
}

const middleOfCell = (cell: SketchCell | undefined): number => (cell ? cell.box.x + cell.box.width / 2 : 0)

const columnsOf = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

const heightOver = (cell: SketchCell, below: readonly SketchCell[]): number =>
  Math.max(cell.box.height, ...below.map(({ box }) => box.y + box.height - cell.box.y))

const overlaps = (a: SketchCell, b: SketchCell): boolean =>
  a.column < b.column + b.columnSpan && b.column < a.column + a.columnSpan

/** Lets the labels of the first column go over the rows of their group. */
export const spanGroups = (sketch: Sketch): Sketch => {
  const labels = sketch.cells
    .filter(({ column, columnSpan }) => column === 0 && columnSpan === 1)
    .sort((a, b) => a.row - b.row)
  const body = labels.filter(({ row, rowSpan }) => row + rowSpan > 1)
  const first = body[0]
  if (!first || body.some((cell) => isNumber(cellText(cell)))) return sketch
  const wide = sketch.cells.filter(({ column, columnSpan }) => column === 0 && columnSpan > 1)
  const ends = [...labels.slice(1).map(({ row }) => row), sketch.rows]
  const spans = centredGroups(sketch, body) ?? groupsBelow(sketch, labels, wide, ends)
  if (spans.size === 0) return sketch
  const bottoms = new Map<number, number>()
  for (const { row, box } of sketch.cells) bottoms.set(row, Math.max(bottoms.get(row) ?? 0, box.y + box.height))
  const tops = new Map<number, number>()
  for (const { row, box } of sketch.cells) tops.set(row, Math.min(tops.get(row) ?? Infinity, box.y))
  const cells = sketch.cells.map((cell): SketchCell => {
    const span = spans.get(cell)
    if (!span) return cell
    const y = tops.get(span.row) ?? cell.box.y
    const height = (bottoms.get(span.row + span.rowSpan - 1) ?? y) - y
    return { ...cell, ...span, box: { ...cell.box, y, height: Math.max(height, cell.box.height) } }
  })
  return { ...sketch, cells }
}

type Groups = Map<SketchCell, { row: number; rowSpan: number }>

/** Groups that begin at their label and go down to the next one. */
const groupsBelow = (
  sketch: Sketch,
  labels: readonly SketchCell[],
  wide: readonly SketchCell[],
  ends: readonly number[],
): Groups => {
  const groups: Groups = new Map()
  const wideRows = wide.map(({ row }) => row).sort((a, b) => a - b)
  let next = 0
  labels.forEach((label, index) => {
    while ((wideRows[next] ?? Infinity) <= label.row) next++
    const stop = Math.min(wideRows[next] ?? Infinity, ends[index] ?? 0)
    if (label.row > 0 && label.rowSpan === 1 && stop - label.row > 1)
      groups.set(label, { row: label.row, rowSpan: stop - label.row })
  })
  const grouped = [...groups.values()].reduce((sum, { rowSpan }) => sum + rowSpan, 0)
  return groups.size < 2 || grouped * 2 < sketch.rows - 1 ? new Map() : groups
}

/** Groups whose labels stand at half their height: rows are given to the labels so that each is in the middle of its own. */
const centredGroups = (sketch: Sketch, labels: readonly SketchCell[]): Groups | undefined => {
  const others = sketch.cells.filter(({ column }) => column > 0)
  const byRow = Map.groupBy(others, ({ row }) => row)
  const rows = Array.from({ length: sketch.rows }, (_, row) => middleHeight(byRow.get(row) ?? []))
  const first = labels[0]
  if (!first || labels.length < 2) return undefined
  // Rows above the first label that is not part of the head are its own.
  let from = 1
  while (from < first.row && (byRow.get(from) ?? []).every(({ rowSpan }) => rowSpan > 1)) from++
  // Labels that all stand at rows, the first one at the first, are at the top of their groups.
  const isAtRow = (label: SketchCell): boolean =>
    Math.abs((rows[label.row] ?? 0) - middleHeight([label])) < 0.2 * (label.lines[0]?.[0]?.size ?? 10)
  if (first.row === from && labels.every(isAtRow)) return undefined
  const groups: Groups = new Map()
  for (const [index, label] of labels.entries()) {
    const height = middleHeight([label])
    const until = labels[index + 1]?.row ?? sketch.rows - 1
    let best = { off: Infinity, to: from }
    for (let to = Math.max(from, label.row); to <= Math.min(until, sketch.rows - 1); to++) {
      const off = Math.abs(((rows[from] ?? 0) + (rows[to] ?? 0)) / 2 - height)
      if (off < best.off) best = { off, to }
    }
    if (best.off > 0.35 * (label.lines[0]?.[0]?.size ?? 10) || label.row < from) return undefined
    groups.set(label, { row: from, rowSpan: best.to - from + 1 })
    from = best.to + 1
  }
  return from === sketch.rows ? groups : undefined
}

const middleHeight = (cells: readonly SketchCell[]): number => {
  const words = cells.flatMap(({ lines }) => lines.flat())
  return (Math.min(...words.map(({ y0 }) => y0)) + Math.max(...words.map(({ y1 }) => y1))) / 2
}
