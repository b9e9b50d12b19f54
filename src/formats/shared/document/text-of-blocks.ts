import { toPlainText } from './inline-runs.ts'
import type { Block } from './model.ts'

/** The text of blocks, a line for each. */
export const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join('\n')

const textOfBlock = (block: Block): string => {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'furniture':
      return toPlainText(block.content)
    case 'item':
      return [`${block.marker} ${toPlainText(block.content)}`.trim(), textOfBlocks(block.more ?? [])]
        .filter((text) => text !== '')
        .join('\n')
    case 'table':
      return block.rows.map((row) => row.map(({ blocks }) => textOfBlocks(blocks)).join('\t')).join('\n')
    case 'quote':
      return textOfBlocks(block.blocks)
    case 'image':
      return toPlainText(block.caption ?? [])
    case 'code':
    case 'formula':
      return block.text
    case 'rule':
    case 'page-break':
      return ''
  }
}
