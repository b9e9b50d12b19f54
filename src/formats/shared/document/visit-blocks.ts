import type { Block, Inline } from './model.ts'

type Visitor = {
  inline?: (inline: Inline) => void
  /** Sees every list of blocks, innermost last, and may change it. */
  blocks?: (blocks: Block[]) => void
}

/** Goes through blocks and all that is in them. */
export const visitBlocks = (blocks: readonly Block[], visitor: Visitor): void => {
  visitor.blocks?.(blocks as Block[])
  const look = (content: readonly Inline[] = []): void => {
    if (visitor.inline) for (const inline of content) visitor.inline(inline)
  }
  for (const block of blocks) {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
      case 'furniture':
        look(block.content)
        break
      case 'item':
        look(block.content)
        visitBlocks(block.more ?? [], visitor)
        break
      case 'quote':
        visitBlocks(block.blocks, visitor)
        break
      case 'table':
        look(block.caption)
        for (const row of block.rows) for (const cell of row) visitBlocks(cell.blocks, visitor)
        break
      case 'image':
        look(block.caption)
    }
  }
}
