import { longestBacktickRun, makeFence } from '../markdown.ts'
import { type BlockGroup, groupItems } from './group-items.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { writeImageLine, writeInlines } from './markdown-inline.ts'
import { writeItems } from './markdown-lists.ts'
import { writeTable } from './markdown-tables.ts'
import type { Block, Formula, ImageBlock, Item, Table } from './model.ts'

/** Blocks as markdown, with a blank line between them. */
export const writeBlocks = (blocks: readonly Block[], context: MarkdownContext): string =>
  groupItems(blocks)
    .map((group) => writeGroup(group, context))
    .filter((text) => text !== '')
    .join('\n\n')

/** One group as markdown; an empty string where there is nothing to say. */
export const writeGroup = (group: BlockGroup, context: MarkdownContext): string =>
  group[0]?.kind === 'item'
    ? writeItemGroup(group as readonly Item[], context)
        .join('')
        .trimEnd()
    : group[0]
      ? writeBlock(group[0], context)
      : ''

/** The items of a list, each with the line breaks that part it from the next. */
export const writeItemGroup = (items: readonly Item[], context: MarkdownContext): string[] =>
  writeItems(items, context, (blocks) => writeBlocks(blocks, context))

const writeBlock = (block: Block, context: MarkdownContext): string => {
  switch (block.kind) {
    case 'heading': {
      const text = writeInlines(block.content, context, 'heading')
      return text === '' ? '' : `${'#'.repeat(block.level)} ${text}`
    }
    case 'paragraph':
      if (block.role === 'title') return prefixHeading(writeInlines(block.content, context, 'heading'))
      return block.role === 'aside'
        ? quote(writeInlines(block.content, context, 'paragraph'))
        : writeInlines(block.content, context, 'paragraph')
    case 'item':
      return writeItemGroup([block], context).join('').trimEnd()
    case 'table':
      return writeCaptioned(block, context)
    case 'code': {
      const fence = makeFence(longestBacktickRun(block.text))
      const language = (block.language ?? '').replace(/[`\s]+/g, '')
      return `${fence}${language}\n${block.text.replace(/\n+$/, '')}\n${fence}`
    }
    case 'quote':
      return quote(writeBlocks(block.blocks, context))
    case 'image':
      return writeFigure(block, context)
    case 'formula':
      return writeFormula(block, context)
    case 'rule':
      return '---'
    case 'furniture':
      return writeInlines(block.content, context, 'paragraph')
    case 'page-break':
      return ''
  }
}

const prefixHeading = (text: string): string => (text === '' ? '' : `# ${text}`)

const quote = (text: string): string => (text === '' ? '' : text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>'))

const writeCaptioned = (table: Table, context: MarkdownContext): string =>
  [writeInlines(table.caption ?? [], context, 'paragraph'), writeTable(table, context)]
    .filter((text) => text !== '')
    .join('\n\n')

const writeFigure = ({ image, alt = '', caption = [] }: ImageBlock, context: MarkdownContext): string =>
  [writeImageLine(image, alt, context) ?? '', writeInlines(caption, context, 'paragraph')]
    .filter((text) => text !== '')
    .join('\n\n')

const writeFormula = ({ text, latex, label }: Formula, context: MarkdownContext): string => {
  if (!latex) {
    const line = label ? `${text} ${label}` : text
    return writeInlines([{ kind: 'text', text: line }], context, 'paragraph')
  }
  const tag = label && !latex.includes('\\tag') ? `\n\\tag{${label.replace(/^\(|\)$/g, '')}}` : ''
  return `$$\n${latex.replace(/\n\s*\n/g, '\n').trim()}${tag}\n$$`
}
