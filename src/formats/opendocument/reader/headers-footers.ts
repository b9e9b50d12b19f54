import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, Furniture, Inline } from '../../shared/document/model.ts'
import { childrenOf, type Element } from '../../shared/xml/tree.ts'
import { readBlocks } from './read-blocks.ts'
import type { Reading } from './reading.ts'

const MAX_MASTER_PAGES = 300
const ROLES: Readonly<Record<string, 'header' | 'footer'>> = {
  'style:header': 'header',
  'style:header-left': 'header',
  'style:header-first': 'header',
  'loext:header-first': 'header',
  'style:footer': 'footer',
  'style:footer-left': 'footer',
  'style:footer-first': 'footer',
  'loext:footer-first': 'footer',
}

/** Headers and footers of all kinds of page; what is the same on several of them is given once. */
export const readHeadersFooters = (masterPages: readonly Element[], reading: Reading): Furniture[] => {
  const seen = new Set<string>()
  return masterPages.slice(0, MAX_MASTER_PAGES).flatMap((page) =>
    childrenOf(page).flatMap((element): Furniture[] => {
      const role = ROLES[element.name]
      if (!role || element.attributes['style:display'] === 'false') return []
      return linesOf(readBlocks(element, reading)).flatMap((content): Furniture[] => {
        const text = plainText(content).replace(/\s+/g, ' ').trim()
        if (text === '' || seen.has(`${role} ${text}`)) return []
        seen.add(`${role} ${text}`)
        return [{ kind: 'furniture', role: isPageNumber(text) ? 'page-number' : role, content }]
      })
    }),
  )
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
        return block.rows.map((row) =>
          row
            .map(({ blocks: inside }) => linesOf(inside).flat())
            .filter((content) => content.length > 0)
            .flatMap((content, index): Inline[] => [...(index === 0 ? [] : [TAB]), ...content]),
        )
      default:
        return []
    }
  })

const TAB: Inline = { kind: 'text', text: '\t' }
