import { plainText } from './inline-content.ts'
import type { Block, Furniture, Inline } from './model.ts'

/** Gathers headers and footers, line by line; what is the same on several kinds of page is given once. */
export type FurnitureCollector = { readonly found: Furniture[]; add(role: 'header' | 'footer', blocks: Block[]): void }

export const createFurnitureCollector = (): FurnitureCollector => {
  const seen = new Set<string>()
  const found: Furniture[] = []
  return {
    found,
    add(role, blocks) {
      for (const content of linesOf(blocks)) {
        const text = plainText(content).replace(/\s+/g, ' ').trim()
        if (text === '' || seen.has(`${role} ${text}`)) continue
        seen.add(`${role} ${text}`)
        found.push({ kind: 'furniture', role: isPageNumber(text) ? 'page-number' : role, content })
      }
    },
  }
}

const isPageNumber = (text: string): boolean =>
  /^[\p{Pd}\s]*(?:\p{L}{1,8}\.?\s*)?\d+(?:\s*(?:\/|\p{L}{1,4})\s*\d+)?[\p{Pd}\s]*$/u.test(text)

/** All lines of text in blocks, whatever they are arranged in. */
const linesOf = (blocks: readonly Block[]): (readonly Inline[])[] =>
  blocks.flatMap((block): (readonly Inline[])[] => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
      case 'item':
        return [block.content]
      case 'quote':
        return linesOf(block.blocks)
      case 'table':
        return block.rows.map((row) => joinCells(row.map(({ blocks: inside }) => linesOf(inside).flat())))
      default:
        return []
    }
  })

const TAB: Inline = { kind: 'text', text: '\t' }

const joinCells = (cells: readonly (readonly Inline[])[]): Inline[] =>
  cells
    .filter((content) => content.length > 0)
    .flatMap((content, index): Inline[] => [...(index === 0 ? [] : [TAB]), ...content])
