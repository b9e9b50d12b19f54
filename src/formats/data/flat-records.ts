import { isScalar, RawNumber, type Scalar, type Tree, writeCompact } from './tree.ts'

const MAX_FLATTENED_DEPTH = 3
const MAX_TABLE_COLUMNS = 100
const MIN_FILLED_SHARE = 0.4

/** A scalar as a reader expects it: strings without quotes. */
export const showScalar = (scalar: Scalar): string => {
  if (scalar === null) return ''
  return scalar instanceof RawNumber ? scalar.raw : String(scalar)
}

/**
 * Calls `take` for every cell of a record: nested objects give `address.city`, lists of plain values one cell.
 * False when the record holds lists of objects, which no cell can show.
 */
const visitCells = (
  record: Tree,
  take: (name: string, value: Scalar | Tree[]) => void,
  prefix = '',
  depth = 1,
): boolean => {
  if (!(record instanceof Map) || record.size === 0) return false
  for (const [key, value] of record) {
    const name = prefix === '' ? key : prefix + key
    if (isScalar(value)) take(name, value)
    else if (Array.isArray(value)) {
      if (!isCellList(value)) return false
      take(name, value)
    } else if (value.size === 0) take(name, null)
    else if (depth >= MAX_FLATTENED_DEPTH || !visitCells(value, take, `${name}.`, depth + 1)) return false
  }
  return true
}

const isCellList = (list: Tree[]): boolean => list.every(isScalar) || list.every(isNumeric)

/** Plain values joined by commas; coordinates and other lists of numbers as JSON. */
const showCell = (value: Scalar | Tree[]): string => {
  if (!Array.isArray(value)) return showScalar(value)
  return value.every(isScalar) ? value.map(showScalar).join(', ') : writeCompact(value)
}

const isNumeric = (tree: Tree): boolean =>
  typeof tree === 'number' || tree instanceof RawNumber || (Array.isArray(tree) && tree.every(isNumeric))

/** What kind of table the records make together. */
export type TableShape = { kind: 'records'; columns: string[] } | { kind: 'matrix'; columns: number }

/** Learns from one record after the other whether they make a table, and with which columns. */
export class TableShaper {
  readonly #columns = new Set<string>()
  #records = 0
  #filled = 0
  #matrixColumns = 0
  #kind: 'records' | 'matrix' | 'none' | undefined

  /** False once it is clear that the records make no table. */
  add(record: Tree): boolean {
    this.#records++
    if (this.#kind === 'none') return false
    const isRow = Array.isArray(record) && record.length > 1 && record.every(isScalar)
    if (isRow) this.#matrixColumns = Math.max(this.#matrixColumns, record.length)
    const kind = isRow ? 'matrix' : visitCells(record, this.#takeName) ? 'records' : 'none'
    const isTooWide = this.#columns.size > MAX_TABLE_COLUMNS || this.#matrixColumns > MAX_TABLE_COLUMNS
    this.#kind = isTooWide || (this.#kind !== undefined && this.#kind !== kind) ? 'none' : kind
    return this.#kind !== 'none'
  }

  readonly #takeName = (name: string): void => {
    this.#filled++
    if (this.#columns.size <= MAX_TABLE_COLUMNS) this.#columns.add(name)
  }

  get records(): number {
    return this.#records
  }

  finish(): TableShape | undefined {
    if (this.#records < 2) return undefined
    if (this.#kind === 'matrix') return { kind: 'matrix', columns: this.#matrixColumns }
    if (this.#kind !== 'records') return undefined
    // Records that have little in common read better one by one.
    const share = this.#filled / (this.#records * this.#columns.size)
    return share >= MIN_FILLED_SHARE ? { kind: 'records', columns: [...this.#columns] } : undefined
  }
}

/** The shape of a list that is in memory. */
export const shapeOf = (list: readonly Tree[]): TableShape | undefined => {
  const shaper = new TableShaper()
  for (const record of list) if (!shaper.add(record)) return undefined
  return shaper.finish()
}

/** The names over the columns; rows without names have none. */
export const headOf = (shape: TableShape): string[] =>
  shape.kind === 'records' ? shape.columns : Array.from({ length: shape.columns }, () => '')

/** The cells of one record in the order of the columns. */
export const rowOf = (record: Tree, shape: TableShape): string[] => {
  if (shape.kind === 'matrix') {
    const items = Array.isArray(record) ? record : []
    return Array.from({ length: shape.columns }, (_, i) => {
      const item = items[i]
      return item === undefined || !isScalar(item) ? '' : showScalar(item)
    })
  }
  const cells = new Map<string, string>()
  visitCells(record, (name, value) => cells.set(name, showCell(value)))
  return shape.columns.map((name) => cells.get(name) ?? '')
}
