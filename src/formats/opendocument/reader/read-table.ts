import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, Cell, Table } from '../../shared/document/model.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import { limitSpans } from '../../shared/ooxml/limit-spans.ts'
import type { Attributes } from '../../shared/xml/events.ts'
import { childrenOf, type Element } from '../../shared/xml/tree.ts'

/** Takes the rows of one table as they come. */
export type TableBuilder = {
  addRow(row: Element, isHeader: boolean): void
  finish(): Block[]
}

type GrowingCell = { -readonly [K in keyof Cell]: Cell[K] }

/** Empty places at the end of rows and tables may be repeated without end; filled ones hardly ever are. */
const MAX_REPEATED_CELLS = 200
const MAX_REPEATED_ROWS = 200
const MAX_SPAN = 1_000

const countOf = (attributes: Attributes, name: string, most: number): number => {
  const count = Number(attributes[name] ?? 1)
  return Number.isInteger(count) && count >= 1 ? Math.min(count, most) : 1
}

export const createTableBuilder = (budget: Budget, readBlocks: (cell: Element) => Block[]): TableBuilder => {
  const rows: GrowingCell[][] = []
  let headerRows = 0
  let areHeadersOver = false
  let emptyRows = 0

  const readRow = (row: Element): GrowingCell[] => {
    const cells: GrowingCell[] = []
    let emptyCells = 0
    for (const element of childrenOf(row)) {
      if (element.name !== 'table:table-cell') continue
      const blocks = readBlocks(element)
      const columnSpan = countOf(element.attributes, 'table:number-columns-spanned', MAX_SPAN)
      const rowSpan = countOf(element.attributes, 'table:number-rows-spanned', MAX_SPAN)
      const times = countOf(element.attributes, 'table:number-columns-repeated', MAX_REPEATED_CELLS)
      budget.countBlocks(times)
      if (blocks.length === 0 && columnSpan === 1 && rowSpan === 1) {
        emptyCells += times
        continue
      }
      for (; emptyCells > 0; emptyCells--) cells.push({ blocks: [] })
      for (let copy = 0; copy < times; copy++) {
        cells.push({
          blocks,
          ...(columnSpan > 1 ? { columnSpan } : {}),
          ...(rowSpan > 1 ? { rowSpan } : {}),
        })
      }
    }
    // A row of a few places ends in empty ones; one of a hundred is the edge of a sheet.
    if (emptyCells < MAX_REPEATED_CELLS) for (; emptyCells > 0; emptyCells--) cells.push({ blocks: [] })
    return cells
  }

  return {
    addRow(row, isHeader) {
      const times = countOf(row.attributes, 'table:number-rows-repeated', MAX_REPEATED_ROWS)
      const cells = readRow(row)
      if (isHeader && !areHeadersOver) headerRows += times
      else areHeadersOver = true
      if (cells.every(({ blocks }) => blocks.length === 0) && times > 1) {
        emptyRows += times
        return
      }
      for (; emptyRows > 0; emptyRows--) rows.push([])
      for (let copy = 0; copy < times; copy++) {
        budget.countBlocks(copy === 0 ? 1 : cells.length)
        rows.push(cells)
      }
    },
    finish() {
      const [first] = rows
      if (!first || rows.every((row) => row.length === 0)) return []
      // A frame around something is no table.
      if (rows.length === 1 && first.length === 1) return [...(first[0] as Cell).blocks]
      const heads = headerRows > 0 ? Math.min(headerRows, rows.length) : looksLikeHeader(rows) ? 1 : 0
      for (const row of rows.slice(0, heads)) for (const cell of row) cell.header = true
      const table: Table = { kind: 'table', rows: limitSpans(rows), headerRows: heads }
      return [table]
    },
  }
}

const MAX_HEADER_CHARACTERS = 80

/** Few writers mark header rows: short names over what they name are taken for one. */
const looksLikeHeader = ([first = [], second]: readonly (readonly Cell[])[]): boolean =>
  second !== undefined &&
  first.length > 1 &&
  first.every(({ blocks, rowSpan }) => {
    const [only] = blocks
    if (blocks.length !== 1 || only?.kind !== 'paragraph' || rowSpan !== undefined) return false
    const text = plainText(only.content).trim()
    return text.length <= MAX_HEADER_CHARACTERS && /\p{L}/u.test(text) && !/[.:;]$/.test(text)
  })

const GROUPS = new Set(['table:table-rows', 'table:table-row-group', 'table:table-header-rows'])

/** Reads a whole table that is in memory. */
export const readTable = (table: Element, budget: Budget, readBlocks: (cell: Element) => Block[]): Block[] => {
  const builder = createTableBuilder(budget, readBlocks)
  const visit = (element: Element, isHeader: boolean): void => {
    for (const child of childrenOf(element)) {
      if (child.name === 'table:table-row') builder.addRow(child, isHeader)
      else if (GROUPS.has(child.name)) visit(child, isHeader || child.name === 'table:table-header-rows')
    }
  }
  visit(table, false)
  return builder.finish()
}
