import { writeHtmlTable } from './html-table.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { writeInlines } from './markdown-inline.ts'
import type { Block, Cell, Table } from './model.ts'
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

const writeCell = (blocks: readonly Block[], context: MarkdownContext): string =>
  writeCellLines(blocks, context)
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')

/** Each block of a cell as a line: what has no place in a cell keeps its text. */
const writeCellLines = (blocks: readonly Block[], context: MarkdownContext): string[] =>
  blocks.flatMap((block) => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return [writeInlines(block.content, context, 'cell')]
      case 'item': {
        const line = writeInlines([{ kind: 'text', text: `${block.marker} ` }, ...block.content], context, 'cell')
        return [line, ...writeCellLines(block.more ?? [], context)]
      }
      case 'code':
        return block.text.split('\n').map((text) => writeInlines([{ kind: 'text', text, code: true }], context, 'cell'))
      case 'quote':
        return writeCellLines(block.blocks, context)
      case 'image':
        return [
          writeInlines([{ kind: 'image', image: block.image, alt: block.alt ?? '' }], context, 'cell'),
          writeInlines(block.caption ?? [], context, 'cell'),
        ]
      case 'formula':
        return [writeInlines([block], context, 'cell')]
      case 'table':
        return toGrid(block).rows.map((row) =>
          row
            .flatMap((place) => (place?.isOrigin ? writeCellLines(place.cell.blocks, context) : []))
            .filter((text) => text !== '')
            .join(' '),
        )
      default:
        return []
    }
  })
