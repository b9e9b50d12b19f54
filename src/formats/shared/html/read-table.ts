import type { Block, Cell, Inline } from '../document/model.ts'
import { splitInline } from './flow.ts'
import { type HtmlElement, walkElements } from './tree.ts'

const MAX_SPAN = 1_000

type ReadBlocks = (element: HtmlElement) => Block[]

/** A table as a block, or nothing where it has no cells. A table that only arranges the page is not meant here. */
export const readTable = (table: HtmlElement, readBlocks: ReadBlocks): Block | undefined => {
  const caption = table.children.find((child) => typeof child !== 'string' && child.name === 'caption')
  const { head, body, foot } = collectRows(table)
  const rows = [...head, ...body, ...foot].map((row) => row.map((cell) => readCell(cell, readBlocks)))
  if (!rows.some((row) => row.length > 0)) return undefined
  const leading = rows.findIndex((row) => !(row.length > 0 && row.every(({ header }) => header)))
  return {
    kind: 'table',
    rows,
    headerRows: head.length > 0 ? head.length : leading < 0 ? Math.min(1, rows.length) : leading,
    ...captionOf(caption as HtmlElement | undefined, readBlocks),
  }
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
