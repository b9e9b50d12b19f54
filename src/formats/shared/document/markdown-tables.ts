import { writeHtmlTable } from './html-table.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { writeInlines } from './markdown-inline.ts'
import { writeCheckBox } from './markdown-lists.ts'
import type { Block, Cell, Inline, Table } from './model.ts'
import { chooseTableFormat } from './table-format.ts'
import { toGrid } from './table-grid.ts'

/** A table as markdown, without its caption; nothing where it has no cell. */
export const writeTable = (table: Table, context: MarkdownContext): string =>
  chooseTableFormat(table, context.tableFormat) === 'html'
    ? writeHtmlTable(table, context)
    : writePipeTable(table, context)

/** Pipes: what a merged cell says stands in every place that it covers. Several rows of headers become one. */
const writePipeTable = (table: Table, context: MarkdownContext): string => {
  const { columns, rows } = toGrid(table)
  if (columns === 0) return ''
  const written = new Map<Cell, string>()
  const write = (cell: Cell): string => {
    const known = written.get(cell) ?? writeCell(cell.blocks, context)
    written.set(cell, known)
    return known
  }
  const texts = rows.map((row) => row.map((place) => (place ? write(place.cell) : '')))
  const head = joinHeaders(texts.slice(0, table.headerRows), columns)
  const lines = [head, Array<string>(columns).fill('---'), ...texts.slice(table.headerRows)]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const joinHeaders = (rows: readonly (readonly string[])[], columns: number): string[] =>
  Array.from({ length: columns }, (_, column) => {
    const levels = rows.map((row) => row[column] ?? '').filter((text) => text !== '')
    return levels.filter((text, index) => text !== levels[index - 1]).join(' / ')
  })

/** All lines of a cell are written at once: what one of them opens, another could close. */
const writeCell = (blocks: readonly Block[], context: MarkdownContext): string => {
  const lines = linesOf(blocks).filter((line) => line.length > 0)
  const content = lines.flatMap((line, index): Inline[] => (index === 0 ? [...line] : [{ kind: 'break' }, ...line]))
  return writeInlines(content, context, 'cell').replaceAll('|', '\\|')
}

/** Each block of a cell as a line: what has no place in a cell keeps its text. */
const linesOf = (blocks: readonly Block[]): (readonly Inline[])[] =>
  blocks.flatMap((block): (readonly Inline[])[] => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return [block.content]
      case 'item': {
        const lead = writeCheckBox(block) || `${block.marker} `
        return [[{ kind: 'text', text: lead }, ...block.content], ...linesOf(block.more ?? [])]
      }
      case 'code':
        return block.text.split('\n').map((text) => [{ kind: 'text', text, code: true }])
      case 'quote':
        return linesOf(block.blocks)
      case 'image':
        return [[{ kind: 'image', image: block.image, alt: block.alt ?? '' }], block.caption ?? []]
      case 'formula':
        return [[block]]
      case 'table':
        return toGrid(block).rows.map((row) =>
          row
            .flatMap((place) => (place?.isOrigin ? linesOf(place.cell.blocks) : []))
            .filter((line) => line.length > 0)
            .flatMap((line, index): Inline[] => (index === 0 ? [...line] : [{ kind: 'text', text: ' ' }, ...line])),
        )
      default:
        return []
    }
  })
