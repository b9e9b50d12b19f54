import type { Block } from './model.ts'

/** A block, or the items that make a list. */
export type BlockGroup = readonly Block[]

/** Brings the items of a list together: they are written as one. */
export const groupItems = (blocks: readonly Block[]): BlockGroup[] => {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (block.kind === 'item' && last?.at(-1)?.kind === 'item') last.push(block)
    else groups.push([block])
  }
  return groups
}
