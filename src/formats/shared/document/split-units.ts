import type { ChunkUnit } from './chunk-units.ts'
import { writeGroup } from './markdown-blocks.ts'
import type { MarkdownContext } from './markdown-context.ts'
import type { Cell, Code, Table } from './model.ts'
import { splitLines, splitText } from './split-text.ts'
import { chooseTableFormat } from './table-format.ts'
import { estimateTokens } from './token-estimate.ts'

/** A unit as it is, or in parts of at most `maxTokens`: tables by rows with their headers, code by lines, text by sentences. */
export const fitUnit = (unit: ChunkUnit, maxTokens: number, context: MarkdownContext): ChunkUnit[] => {
  if (unit.tokens <= maxTokens) return [unit]
  const { block, ...rest } = unit
  if (block?.kind !== 'table' && block?.kind !== 'code') return fitPlain(rest, maxTokens, true)
  const texts = block.kind === 'table' ? splitTable(block, maxTokens, context) : splitCode(block, maxTokens, context)
  // Parts with headers or fences of their own are nowhere in the markdown: each has the place of the whole.
  return texts.flatMap((text) =>
    fitPlain({ ...rest, text, tokens: estimateTokens(text), gap: '\n\n' }, maxTokens, false),
  )
}

const fitPlain = (unit: ChunkUnit, maxTokens: number, isExact: boolean): ChunkUnit[] => {
  if (unit.tokens <= maxTokens) return [unit]
  let start = unit.start
  let gap = unit.gap
  return splitText(unit.text, maxTokens).flatMap((part) => {
    const lead = part.length - part.trimStart().length
    const text = part.trim()
    const from = start + lead
    const before = gap + part.slice(0, lead)
    start += part.length
    gap = part.slice(lead + text.length)
    if (text === '') return []
    const place = isExact ? { start: from, end: from + text.length, gap: before } : {}
    return [{ ...unit, text, tokens: estimateTokens(text), ...place }]
  })
}

const splitTable = (table: Table, maxTokens: number, context: MarkdownContext): string[] => {
  const { caption: _caption, ...bare } = table
  // Every part is written as the whole would be, whatever is merged in it.
  const fixed = { ...context, tableFormat: chooseTableFormat(table, context.tableFormat) }
  const all = table.rows.slice(0, table.headerRows)
  const isLong = estimateTokens(writeGroup([{ ...bare, rows: all }], fixed)) > maxTokens / 2
  const write = (rows: Table['rows'], isFirst: boolean): string => {
    const head = isFirst || !isLong ? all : []
    return writeGroup([{ ...(isFirst ? table : bare), headerRows: head.length, rows: [...head, ...rows] }], fixed)
  }
  const parts: string[] = []
  let rows: (readonly Cell[])[] = []
  for (const group of groupRows(table.rows.slice(table.headerRows))) {
    if (rows.length > 0 && estimateTokens(write([...rows, ...group], parts.length === 0)) > maxTokens) {
      parts.push(write(rows, parts.length === 0))
      rows = []
    }
    rows.push(...group)
  }
  if (rows.length > 0 || parts.length === 0) parts.push(write(rows, parts.length === 0))
  return parts
}

/** Rows that a cell ties together stay together. */
const groupRows = (rows: Table['rows']): Table['rows'][] => {
  const groups: (readonly Cell[])[][] = []
  let tiedUntil = 0
  for (const [index, row] of rows.entries()) {
    if (index < tiedUntil) groups.at(-1)?.push(row)
    else groups.push([row])
    for (const { rowSpan = 1 } of row) tiedUntil = Math.max(tiedUntil, index + rowSpan)
  }
  return groups
}

const splitCode = (code: Code, maxTokens: number, context: MarkdownContext): string[] => {
  const write = (text: string) => writeGroup([{ ...code, text }], context)
  const room = Math.max(1, maxTokens - estimateTokens(write('')))
  return splitLines(code.text, room).map(write)
}
