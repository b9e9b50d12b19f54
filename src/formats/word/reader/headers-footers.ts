import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, Furniture, Inline } from '../../shared/document/model.ts'
import type { Relationships } from '../../shared/ooxml/package.ts'
import { readPart } from '../../shared/ooxml/read-part.ts'
import { createBlockReader } from './read-blocks.ts'
import { type Reading, startPart } from './reading.ts'

const MAX_PARTS = 300

/** Headers and footers of all sections; what is the same in several of them is given once. */
export const readHeadersFooters = async (
  reading: Reading,
  relationships: Relationships,
): Promise<{ headers: Furniture[]; footers: Furniture[] }> => ({
  headers: await readFurniture(reading, relationships, 'header'),
  footers: await readFurniture(reading, relationships, 'footer'),
})

const readFurniture = async (
  reading: Reading,
  relationships: Relationships,
  role: 'header' | 'footer',
): Promise<Furniture[]> => {
  const seen = new Set<string>()
  const found: Furniture[] = []
  for (const id of [...reading.headerFooterIds[role]].slice(0, MAX_PARTS)) {
    const target = relationships.get(id)
    if (!target || target.isExternal) continue
    const reader = createBlockReader(startPart(reading, await reading.file.relationshipsOf(target.target)))
    await readPart(reading.file, target.target, reader.events)
    for (const content of linesOf(reader.finish())) {
      const text = plainText(content).replace(/\s+/g, ' ').trim()
      if (text === '' || seen.has(text)) continue
      seen.add(text)
      found.push({ kind: 'furniture', role: isPageNumber(text) ? 'page-number' : role, content })
    }
  }
  return found
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

const joinCells = (cells: readonly (readonly Inline[])[]): Inline[] =>
  cells
    .filter((content) => content.length > 0)
    .flatMap((content, index): Inline[] => [
      ...(index === 0 ? [] : [{ kind: 'text' as const, text: '\t' }]),
      ...content,
    ])
