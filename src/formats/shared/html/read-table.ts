import type { Block, Cell, Inline } from '../document/model.ts'
import { splitInline } from './flow.ts'
import { type HtmlElement, walkElements } from './tree.ts'

const MAX_SPAN = 1_000

type ReadBlocks = (element: HtmlElement) => Block[]

/** A table as a block, or nothing where it has no cells. A table that only arranges the page is not meant here. */
export const readTable = (table: HtmlElement, readBlocks: ReadBlocks): Block | undefined => {
  const caption = table.children.find((child) => typeof child !== 'string' && child.name === 'caption')
  const { head, body, foot } = collectRows(table)
  const read = (row: HtmlElement[]): Cell[] => row.map((cell) => readCell(cell, readBlocks))
  const headRows = foldRows(head.map(read).map((row, index) => row.map((cell) => cutSpan(cell, head.length - index))))
  const rows = [...headRows, ...foldRows([...body, ...foot].map(read))]
  if (!rows.some((row) => row.length > 0)) return undefined
  return {
    kind: 'table',
    rows,
    headerRows: headRows.length > 0 ? headRows.length : countHeaderRows(rows),
    ...captionOf(caption as HtmlElement | undefined, readBlocks),
  }
}

/** No cell goes beyond the part of the table that it begins in. */
const cutSpan = ({ rowSpan = 1, ...cell }: Cell, most: number): Cell =>
  Math.min(rowSpan, most) > 1 ? { ...cell, rowSpan: Math.min(rowSpan, most) } : cell

/** Rows of nothing but headers at the top, as far as no header goes on beside the rows below them. */
const countHeaderRows = (rows: readonly (readonly Cell[])[]): number => {
  const leading = rows.findIndex((row) => !(row.length > 0 && row.every(({ header }) => header)))
  if (leading < 0) return Math.min(1, rows.length)
  const leaving = rows.slice(0, leading).findIndex((row, at) => row.some(({ rowSpan = 1 }) => at + rowSpan > leading))
  return leaving < 0 ? leading : leaving
}

const MAX_FOLDED_ROWS = 5_000

/** A row that only begins what stands beside the rows below it, as writers of such tables like it, is a part of the next. */
const foldRows = (given: readonly (readonly Cell[])[]): Cell[][] => {
  const rows = given.map((row) => [...row])
  if (rows.length > MAX_FOLDED_ROWS) return rows
  for (let at = rows.length - 2; at >= 0; at--) {
    const row = rows[at] ?? []
    const above = rows
      .slice(0, at)
      .flatMap((cells, index) =>
        cells.filter(({ rowSpan = 1 }) => index + rowSpan > at).map((cell) => ({ cell, index })),
      )
    const isFolded =
      row.length > 0 &&
      row.every(({ rowSpan = 1 }) => rowSpan > 1) &&
      above.every(({ cell: { rowSpan = 1 }, index }) => index + rowSpan > at + 1)
    if (!isFolded) continue
    for (const { cell, index } of above)
      rows[index] = (rows[index] ?? []).map((one) => (one === cell ? cutSpan(one, (one.rowSpan ?? 1) - 1) : one))
    rows.splice(at, 2, [...row.map((cell) => cutSpan(cell, (cell.rowSpan ?? 1) - 1)), ...(rows[at + 1] ?? [])])
  }
  return rows
}

const captionOf = (caption: HtmlElement | undefined, readBlocks: ReadBlocks): { caption?: Inline[] } => {
  const content = caption ? splitInline(readBlocks(caption)).content : []
  return content.length > 0 ? { caption: content } : {}
}

/** Whether a table holds data rather than the parts of a page. */
export const holdsData = (table: HtmlElement): boolean => {
  if (/^(?:presentation|none)$/i.test(table.attributes.role ?? '')) return false
  const { head, body, foot } = collectRows(table)
  const rows = [...head, ...body, ...foot]
  const widest = Math.max(0, ...rows.map((row) => row.length))
  if (widest <= 1 && !rows.flat().some(({ name }) => name === 'th')) return false
  const arranges = (cell: HtmlElement) =>
    [...walkElements(cell)].filter(({ name }) => LAYOUT_SIGN.test(name)).length > 1
  return !rows.flat().some(arranges)
}

/** What stands in a cell of a page's frame, and hardly in one of a table. */
const LAYOUT_SIGN = /^(?:h[1-3]|main|article|section|nav|form|table)$/

type Rows = { head: HtmlElement[][]; body: HtmlElement[][]; foot: HtmlElement[][] }

const collectRows = (table: HtmlElement): Rows => {
  const rows: Rows = { head: [], body: [], foot: [] }
  const visit = (element: HtmlElement, part: HtmlElement[][]): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (child.name === 'tr') part.push(cellsOf(child))
      else if (child.name === 'thead') visit(child, rows.head)
      else if (child.name === 'tfoot') visit(child, rows.foot)
      else if (child.name === 'tbody' || child.name === 'form') visit(child, rows.body)
    }
  }
  visit(table, rows.body)
  return rows
}

const cellsOf = (row: HtmlElement): HtmlElement[] =>
  row.children.filter((child): child is HtmlElement => typeof child !== 'string' && /^t[dh]$/.test(child.name))

const readCell = (cell: HtmlElement, readBlocks: ReadBlocks): Cell => {
  const columnSpan = readSpan(cell.attributes.colspan)
  const rowSpan = readSpan(cell.attributes.rowspan)
  return {
    blocks: readBlocks(cell),
    ...(columnSpan > 1 ? { columnSpan } : {}),
    ...(rowSpan > 1 ? { rowSpan } : {}),
    ...(cell.name === 'th' ? { header: true } : {}),
  }
}

const readSpan = (value: string | undefined): number =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))
