import type { Block, Cell, Table } from '../../shared/document/model.ts'
import { limitSpans } from '../../shared/ooxml/limit-spans.ts'
import { childOf, type Element } from '../../shared/xml/tree.ts'
import { numberOf, settingOf, toggleOf } from './values.ts'

type OpenCell = { properties: Element | undefined }
type GrowingCell = Cell & { rowSpan?: number }
/** A cell that goes on in the rows below, and how many columns it is wide. */
type Merge = { cell: GrowingCell; span: number }

/** Puts a table together out of rows and cells as they come. */
export type TableBuilder = {
  tableProperties(properties: Element): void
  beginRow(): void
  rowProperties(properties: Element): void
  beginCell(): void
  cellProperties(properties: Element): void
  endCell(blocks: Block[]): void
  endRow(): void
  finish(): Block[]
}

const MAX_SPAN = 500
const MAX_COLUMNS = 2_000
const FIRST_ROW_BIT = 0x20

export const createTableBuilder = (): TableBuilder => {
  const rows: GrowingCell[][] = []
  let isFirstRowSpecial = true
  let markedHeaders = 0
  let areHeadersOver = false
  let merges = new Map<number, Merge>()

  let row: GrowingCell[] = []
  let nextMerges = new Map<number, Merge>()
  let column = 0
  let isDeleted = false
  let isHeader = false
  let open: OpenCell = { properties: undefined }

  return {
    tableProperties(properties) {
      const look = childOf(properties, 'w:tblLook')?.attributes
      if (!look) return
      const bits = Number.parseInt(look['w:val'] ?? '', 16)
      isFirstRowSpecial = look['w:firstRow']
        ? /^(?:1|true|on)$/.test(look['w:firstRow'])
        : Number.isNaN(bits) || (bits & FIRST_ROW_BIT) !== 0
    },
    beginRow() {
      row = []
      nextMerges = new Map()
      column = 0
      isDeleted = false
      isHeader = false
    },
    rowProperties(properties) {
      isDeleted = childOf(properties, 'w:del') !== undefined
      isHeader = toggleOf(properties, 'w:tblHeader') ?? false
      const before = Math.min(MAX_SPAN, numberOf(properties, 'w:gridBefore') ?? 0)
      if (before <= 0) return
      row.push({ blocks: [], ...(before > 1 ? { columnSpan: before } : {}) })
      column = before
    },
    beginCell() {
      open = { properties: undefined }
    },
    cellProperties(properties) {
      open.properties = properties
    },
    endCell(blocks) {
      const { properties } = open
      if (column >= MAX_COLUMNS || childOf(properties, 'w:cellDel')) return
      const span = Math.max(1, Math.min(MAX_SPAN, numberOf(properties, 'w:gridSpan') ?? 1))
      const place = column
      column += span
      // The older way to merge sideways: the cells are all there, those after the first say that they go on.
      if (settingOf(properties, 'w:hMerge') !== undefined && settingOf(properties, 'w:hMerge') !== 'restart') {
        const left = row.at(-1)
        if (left) {
          left.columnSpan = (left.columnSpan ?? 1) + span
          return
        }
      }
      const merge = settingOf(properties, 'w:vMerge')
      const above = merge !== undefined && merge !== 'restart' ? merges.get(place) : undefined
      if (above && above.span === span) {
        above.cell.rowSpan = (above.cell.rowSpan ?? 1) + 1
        nextMerges.set(place, above)
        return
      }
      const cell: GrowingCell = { blocks, ...(span > 1 ? { columnSpan: span } : {}) }
      row.push(cell)
      if (merge !== undefined) nextMerges.set(place, { cell, span })
    },
    endRow() {
      if (isDeleted || (row.length === 0 && nextMerges.size === 0)) return
      if (isHeader && !areHeadersOver) markedHeaders++
      else areHeadersOver = true
      rows.push(row)
      merges = nextMerges
    },
    finish() {
      const [first] = rows
      if (!first) return []
      // A frame around something is no table.
      if (rows.length === 1 && first.length === 1) return [...(first[0] as Cell).blocks]
      const headerRows = Math.min(rows.length, markedHeaders || (isFirstRowSpecial && rows.length > 1 ? 1 : 0))
      for (const headerRow of rows.slice(0, headerRows)) for (const cell of headerRow) cell.header = true
      const table: Table = { kind: 'table', rows: limitSpans(rows), headerRows }
      return [table]
    },
  }
}
