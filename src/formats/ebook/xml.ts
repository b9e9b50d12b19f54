import { dropDocumentType } from '../shared/xml/drop-document-type.ts'
import { parseTree } from '../shared/xml/parse-tree.ts'
import type { Element } from '../shared/xml/tree.ts'

const LIMITS = { depth: 100, elements: 1_000_000 }

/** A small XML file of a book as a tree. */
export const parseXml = (content: Buffer): Promise<Element | undefined> =>
  parseTree(dropDocumentType(content), new Map(), LIMITS)

/** The name of an element without its prefix: writers of books are careless with namespaces. */
export const localName = ({ name }: Element): string => name.slice(name.lastIndexOf(':') + 1)

export const childrenNamed = (element: Element | undefined, name: string): Element[] =>
  (element?.children ?? []).filter((child): child is Element => typeof child !== 'string' && localName(child) === name)

export const childNamed = (element: Element | undefined, name: string): Element | undefined =>
  childrenNamed(element, name)[0]

/** All text below, on one line. */
export const textBelow = (element: Element | undefined): string => collect(element).replace(/\s+/g, ' ').trim()

const collect = (element: Element | undefined): string =>
  (element?.children ?? []).map((child) => (typeof child === 'string' ? child : collect(child))).join('')

/** The first element of that name below, in document order. */
export const findNamed = (element: Element | undefined, name: string): Element | undefined => {
  for (const child of element?.children ?? []) {
    if (typeof child === 'string') continue
    const found = localName(child) === name ? child : findNamed(child, name)
    if (found) return found
  }
  return undefined
}
