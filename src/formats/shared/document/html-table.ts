import { groupItems } from './group-items.ts'
import { type InlineRun, isTextRun, toRuns } from './inline-runs.ts'
import { safeHref } from './links.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { writeCheckBox } from './markdown-lists.ts'
import type { Block, Cell, Inline, Table } from './model.ts'
import { toScriptCharacters } from './script-characters.ts'

/** A table as an HTML block of markdown: no blank line is in it, since that would end it. */
export const writeHtmlTable = (table: Table, context: MarkdownContext): string => {
  if (table.rows.every((row) => row.length === 0)) return ''
  const head = table.rows.slice(0, table.headerRows)
  const body = table.rows.slice(table.headerRows)
  const direction = table.direction === 'rtl' ? ' dir="rtl"' : ''
  return [
    `<table${direction}>`,
    ...(head.length > 0 ? ['<thead>', ...head.map((row) => writeRow(row, 'th', context)), '</thead>'] : []),
    ...(body.length > 0 ? ['<tbody>', ...body.map((row) => writeRow(row, 'td', context)), '</tbody>'] : []),
    '</table>',
  ].join('\n')
}

const writeRow = (row: readonly Cell[], tag: 'th' | 'td', context: MarkdownContext): string =>
  `<tr>${row.map((cell) => writeCell(cell, cell.header ? 'th' : tag, context)).join('')}</tr>`

const writeCell = (cell: Cell, tag: 'th' | 'td', context: MarkdownContext): string => {
  const spans = [
    ['colspan', cell.columnSpan ?? 1],
    ['rowspan', cell.rowSpan ?? 1],
  ] as const
  const attributes = spans.map(([name, span]) => (span > 1 ? ` ${name}="${span}"` : '')).join('')
  return `<${tag}${attributes}>${writeCellBlocks(cell.blocks, context, tag === 'th')}</${tag}>`
}

const writeCellBlocks = (blocks: readonly Block[], context: MarkdownContext, isHeader: boolean): string => {
  let out = ''
  let wasLine = false
  for (const group of groupItems(blocks)) {
    const { html, isLine } = writeCellBlock(group, context, isHeader)
    if (html === '') continue
    out += wasLine && isLine ? `<br>${html}` : html
    wasLine = isLine
  }
  return out
}

type CellPart = { html: string; isLine: boolean }

const writeCellBlock = ([block, ...rest]: readonly Block[], context: MarkdownContext, isHeader: boolean): CellPart => {
  switch (block?.kind) {
    case 'paragraph':
    case 'heading':
      return { html: writeHtmlInlines(block.content, context, isHeader), isLine: true }
    case 'item':
      return { html: writeList([block, ...rest], context), isLine: false }
    case 'code':
      return { html: `<pre>${escapeHtml(block.text).replace(/\n/g, '&#10;')}</pre>`, isLine: false }
    case 'quote':
      return { html: `<blockquote>${writeCellBlocks(block.blocks, context, false)}</blockquote>`, isLine: false }
    case 'image': {
      const image = writeHtmlInlines([{ kind: 'image', image: block.image, alt: block.alt ?? '' }], context, false)
      const caption = writeHtmlInlines(block.caption ?? [], context, false)
      return { html: [image, caption].filter((html) => html !== '').join('<br>'), isLine: true }
    }
    case 'formula':
      return { html: escapeHtml(block.latex ? `$${block.latex}$` : block.text).replace(/\s+/g, ' '), isLine: true }
    case 'table':
      return { html: writeHtmlTable(block, context).replaceAll('\n', ''), isLine: false }
    default:
      return { html: '', isLine: false }
  }
}

/** Items as a flat list: their markers stand where they are more than bullets. */
const writeList = (items: readonly Block[], context: MarkdownContext): string => {
  const written = items.map((item) => {
    if (item.kind !== 'item') return ''
    const marker = item.ordered ? `${escapeHtml(item.marker)} ` : writeCheckBox(item)
    const more = writeCellBlocks(item.more ?? [], context, false)
    return `<li>${marker}${writeHtmlInlines(item.content, context, false)}${more}</li>`
  })
  return `<ul>${written.join('')}</ul>`
}

const writeHtmlInlines = (content: readonly Inline[], context: MarkdownContext, isHeader: boolean): string =>
  toRuns(content)
    .map((run) => writeRun(run, context, isHeader))
    .join('')

const writeRun = (run: InlineRun, context: MarkdownContext, isHeader: boolean): string => {
  if (!isTextRun(run)) return writeAtom(run, context)
  const { bold, italic, strike, code, script, href } = run.style
  const characters = script ? toScriptCharacters(run.text, script) : undefined
  const wrap = (html: string, tag: string, wanted: boolean) => (wanted ? `<${tag}>${html}</${tag}>` : html)
  let html = escapeHtml(characters ?? run.text)
  if (script && characters === undefined) html = wrap(html, script === 'super' ? 'sup' : 'sub', true)
  html = wrap(html, 'code', code)
  html = wrap(html, 's', strike)
  html = wrap(html, 'em', italic)
  // Headers are bold as they are.
  html = wrap(html, 'strong', bold && !isHeader)
  const address = href ? safeHref(href) : undefined
  return address === undefined ? html : `<a href="${escapeAttribute(address)}">${html}</a>`
}

const writeAtom = ({ atom }: Extract<InlineRun, { atom: unknown }>, context: MarkdownContext): string => {
  switch (atom.kind) {
    case 'break':
      return '<br>'
    case 'note': {
      // Renderers look for `[^1]` in markdown only, not in HTML.
      const mark = context.noteMarks.get(atom.id)
      return mark === undefined ? '' : `<sup>${escapeHtml(mark)}</sup>`
    }
    case 'image': {
      const href = context.imageHref(atom.image)
      return href === undefined ? '' : `<img src="${escapeAttribute(href)}" alt="${escapeAttribute(atom.alt ?? '')}">`
    }
    case 'formula':
      return escapeHtml(atom.latex ? `$${atom.latex}$` : atom.text).replace(/\s+/g, ' ')
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char] as string)
const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] as string)
