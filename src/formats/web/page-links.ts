import type { DocumentModel, Inline } from '../shared/document/model.ts'
import { visitBlocks } from '../shared/document/visit-blocks.ts'
import { type HtmlElement, shownText, walkElements } from '../shared/html/tree.ts'

export type PageLink = {
  href: string
  text: string
  title: string | null
  rel: string[]
  kind: 'external' | 'internal' | 'fragment' | 'mail' | 'phone' | 'other'
}

/** Every link of a page in order; the same address and text only once. */
export const readLinks = (root: HtmlElement): PageLink[] => {
  const links = new Map<string, PageLink>()
  for (const element of walkElements(root)) {
    const href = element.name === 'a' || element.name === 'area' ? element.attributes.href?.trim() : undefined
    if (!href || /^(?:javascript|data|vbscript):/i.test(href)) continue
    const text = shownText(element) || (element.attributes['aria-label'] ?? '')
    const key = `${href}\n${text}`
    if (links.has(key)) continue
    links.set(key, {
      href,
      text,
      title: element.attributes.title ?? null,
      rel: element.attributes.rel?.split(/\s+/).filter(Boolean) ?? [],
      kind: kindOf(href),
    })
  }
  return [...links.values()]
}

/** Every link of a document in order; the same address and text only once. */
export const readDocumentLinks = ({ blocks }: DocumentModel): PageLink[] => {
  const links = new Map<string, PageLink>()
  const inline = (each: Inline): void => {
    if (each.kind !== 'text' || !each.href) return
    const link: PageLink = { href: each.href, text: each.text.trim(), title: null, rel: [], kind: kindOf(each.href) }
    const key = `${link.href}\n${link.text}`
    if (!links.has(key)) links.set(key, link)
  }
  visitBlocks(blocks, { inline })
  return [...links.values()]
}

const kindOf = (href: string): PageLink['kind'] => {
  if (href.startsWith('#')) return 'fragment'
  if (/^(?:https?:)?\/\//i.test(href)) return 'external'
  if (/^mailto:/i.test(href)) return 'mail'
  if (/^(?:tel|sms):/i.test(href)) return 'phone'
  return /^[a-z][a-z0-9+.-]*:/i.test(href) ? 'other' : 'internal'
}
