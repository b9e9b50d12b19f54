import type { Cell, Table } from '../../shared/document/model.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import { limitSpans } from '../../shared/ooxml/limit-spans.ts'
import type { Relationships } from '../../shared/ooxml/package.ts'
import { childOf, childrenOf, type Element } from '../../shared/xml/tree.ts'
import { readTextBody } from './text-body.ts'

const MAX_SPAN = 500

/** A table of a slide. Cells that a merged one covers are in the file too, and say so. */
export const readTable = (table: Element, relationships: Relationships, budget: Budget): Table | undefined => {
  const rows = childrenOf(table, 'a:tr').map((row) =>
    childrenOf(row, 'a:tc')
      .filter(({ attributes }) => !isOn(attributes.hMerge) && !isOn(attributes.vMerge))
      .map((cell): Cell => {
        const columnSpan = spanOf(cell.attributes.gridSpan)
        const rowSpan = spanOf(cell.attributes.rowSpan)
        return {
          blocks: readTextBody(childOf(cell, 'a:txBody'), relationships),
          ...(columnSpan > 1 ? { columnSpan } : {}),
          ...(rowSpan > 1 ? { rowSpan } : {}),
        }
      }),
  )
  if (rows.every((row) => row.length === 0)) return undefined
  budget.countBlocks(rows.reduce((sum, row) => sum + row.length, 0))
  const first = childOf(table, 'a:tblPr')?.attributes.firstRow
  const headerRows = rows.length > 1 && (first === undefined || isOn(first)) ? 1 : 0
  const marked = rows.map((row, index) => (index < headerRows ? row.map((cell) => ({ ...cell, header: true })) : row))
  return { kind: 'table', rows: limitSpans(marked), headerRows }
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'
const spanOf = (value: string | undefined): number => Math.max(1, Math.min(MAX_SPAN, Number(value) || 1))
