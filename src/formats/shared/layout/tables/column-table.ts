import { findSeparators, type Separator } from './columns.ts'
import { sketchRows } from './line-cells.ts'
import { type Band, emOf } from './page-words.ts'
import { groupRows } from './rows.ts'
import type { Ruling } from './rulings.ts'
import type { Sketch } from './sketch.ts'
import { inferSpans } from './spans.ts'
import { type LineCell, partLines, type TableLine } from './table-lines.ts'

const MAX_HEAD_LINES = 6

/** The table that lines of text make, if they stand in columns; rules between them part rows. */
export const sketchColumns = (
  bands: readonly Band[],
  rules: readonly Ruling[],
  confidence: number,
): Sketch | undefined => {
  const em = emOf(bands)
  const { lines, separators } = columnsOf(bands, em)
  if (separators.length === 0) return undefined
  const rows = groupRows(lines, separators.length + 1, em, breaksAt(bands, rules))
  const sketch = inferSpans(sketchRows(rows, separators, confidence), rules)
  return { ...sketch, hasHeadRule: rules.some((rule) => isHeadRule(rule, sketch, rows[0]?.length ?? 0, lines)) }
}

const isHeadRule = ({ at, from, to }: Ruling, { box }: Sketch, first: number, lines: readonly TableLine[]): boolean => {
  const [above, below] = [lines[first - 1]?.band, lines[first]?.band]
  const isWide = to - from > 0.8 * box.width && to - from < 1.4 * box.width + 20
  return isWide && at > middleOf(above) && at < middleOf(below)
}

type Columns = { lines: TableLine[]; separators: Separator[] }

const columnsOf = (bands: readonly Band[], em: number): Columns => {
  const separators = findSeparators(bands, em)
  const lines = partLines(bands, separators, em)
  return columnsOfBody(lines, separators, em) ?? columnsBelowHeads(lines, separators, em) ?? { lines, separators }
}

/** The columns without those that only hold a head which stands between the columns it spans. */
const columnsBelowHeads = (
  lines: readonly TableLine[],
  separators: readonly Separator[],
  em: number,
): Columns | undefined => {
  const used = new Map<number, number>()
  for (const [index, { cells }] of lines.entries()) for (const { column } of cells) used.set(column, index)
  const isHead = (column: number): boolean => {
    const last = used.get(column) ?? Infinity
    const own = lines.slice(0, last + 1).filter(({ cells }) => cells.some((cell) => cell.column === column))
    const isAlone = own.every(({ cells }) => cells.every((cell) => Math.abs(cell.column - column) !== 1))
    return column > 0 && column < separators.length && last < 2 && lines.length > last + 2 && isAlone
  }
  const heads = [...used.keys()].filter(isHead)
  if (heads.length === 0) return undefined
  const kept = separators.flatMap((strip, index) => {
    if (heads.includes(index)) return []
    const before = heads.includes(index + 1) ? separators[index + 1] : undefined
    return [before ? { x0: strip.x0, x1: before.x1 } : strip]
  })
  const bands = lines.map(({ band }) => band)
  return { lines: partLines(bands, kept, em), separators: kept }
}

/**
 * The columns of the body alone, where the head stands beside them, as a name at the left of right-aligned amounts may:
 * then the names belong to the columns in their order.
 */
const columnsOfBody = (
  lines: readonly TableLine[],
  separators: readonly Separator[],
  em: number,
): Columns | undefined => {
  const bold = lines.findIndex((line) => !line.bold)
  const head = lines.slice(0, Math.max(1, bold))
  const body = lines.slice(head.length).map(({ band }) => band)
  if (head.length > MAX_HEAD_LINES || body.length < 2 || separators.length < 2) return undefined
  const own = findSeparators(body, em)
  const names = [...new Set(head.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b)
  // The labels of the rows often have no name.
  const missing = own.length + 1 - names.length
  if (own.length === 0 || own.length >= separators.length || missing < 0 || missing > 1) return undefined
  const columns = new Map(names.map((column, index) => [column, index + missing]))
  const named = head.map((line) => ({
    ...line,
    cells: line.cells.map((cell) => ({ ...cell, column: columns.get(cell.column) ?? 0, columnSpan: 1 })),
  }))
  const isInPlace = ({ column, x0, x1 }: LineCell): boolean =>
    x0 >= (own[column - 1]?.x0 ?? -Infinity) && x1 <= (own[column]?.x1 ?? Infinity)
  if (!named.every(({ cells }) => cells.every(isInPlace))) return undefined
  return { lines: [...named, ...partLines(body, own, em)], separators: own }
}

/** Indexes of the lines of text that have a rule, over half of the table's width, between them and the line above. */
const breaksAt = (bands: readonly Band[], rules: readonly Ruling[]): Set<number> => {
  const width = Math.max(...bands.map(({ x1 }) => x1)) - Math.min(...bands.map(({ x0 }) => x0))
  const breaks = new Set<number>()
  let index = 0
  for (const rule of rules.toSorted((a, b) => a.at - b.at)) {
    if (rule.to - rule.from < 0.5 * width) continue
    while (index < bands.length && middleOf(bands[index]) < rule.at) index++
    if (index > 0 && index < bands.length) breaks.add(index)
  }
  return breaks
}

const middleOf = (band: Band | undefined): number => (band ? (band.y0 + band.y1) / 2 : Infinity)
