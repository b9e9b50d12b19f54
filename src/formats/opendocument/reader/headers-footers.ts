import { createFurnitureCollector } from '../../shared/document/collect-furniture.ts'
import type { Furniture } from '../../shared/document/model.ts'
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
  const collector = createFurnitureCollector()
  for (const page of masterPages.slice(0, MAX_MASTER_PAGES)) {
    for (const element of childrenOf(page)) {
      const role = ROLES[element.name]
      if (role && element.attributes['style:display'] !== 'false') collector.add(role, readBlocks(element, reading))
    }
  }
  return collector.found
}
