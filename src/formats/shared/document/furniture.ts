import type { Block, DocumentModel, Furniture } from './model.ts'

const isFurniture = (block: Block): block is Furniture => block.kind === 'furniture'

/** Blocks as they are written: what runs along on every page would break lists that go on over it, so it goes first. */
export const dropFurniture = (blocks: readonly Block[], keepsFurniture: boolean): readonly Block[] =>
  keepsFurniture ? blocks : blocks.filter((block) => !isFurniture(block))

/** The running headers, footers and page numbers of a document as a document of their own; undefined where it has none. */
export const separateFurniture = (document: DocumentModel): DocumentModel | undefined => {
  const blocks = document.blocks.filter(isFurniture)
  if (blocks.length === 0) return undefined
  return {
    ...document,
    blocks: blocks.map(({ kind: _, role: __, ...rest }) => ({ ...rest, kind: 'paragraph' as const })),
    notes: [],
  }
}
