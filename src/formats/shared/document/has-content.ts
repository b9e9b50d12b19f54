import type { Block, DocumentModel } from './model.ts'
import { textOfBlocks } from './text-of-blocks.ts'

/** Whether a document says anything: images, rules and what runs along on every page do not count. */
export const hasContent = ({ blocks, notes }: DocumentModel): boolean =>
  blocks.some(isContent) || notes.some((note) => note.blocks.some(isContent))

const isContent = (block: Block): boolean => block.kind !== 'furniture' && textOfBlocks([block]).trim() !== ''
