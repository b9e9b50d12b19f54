import type { HtmlElement } from '../../shared/html/tree.ts'
import type { TocEntry } from '../book.ts'
import { clippedText } from './clipped-text.ts'

/** What the table of contents calls a place of a chapter: its beginning, or an id in it. */
export type PlaceTitle = { id: string | undefined; title: string; level: number }

/** The entries of a table of contents by the chapter that they lead into. */
export const listTitles = (toc: readonly TocEntry[]): ((chapter: string) => readonly PlaceTitle[]) => {
  const titles = new Map<string, PlaceTitle[]>()
  const visit = (entries: readonly TocEntry[], level: number): void => {
    for (const { title, target, children } of entries) {
      const [chapter = '', id] = target?.split('#') ?? []
      const key = chapter.toLowerCase()
      if (key !== '') titles.set(key, [...(titles.get(key) ?? []).slice(0, MAX_TITLES), { id, title, level }])
      visit(children, level + 1)
    }
  }
  visit(toc, 1)
  return (chapter) => titles.get(chapter.toLowerCase()) ?? []
}
const MAX_TITLES = 2_000

const MAX_TITLE_CHARACTERS = 500
const LEAVES = new Set(['p', 'div', 'span', 'center', 'font', 'b', 'strong'])
const BLOCKS = /^(?:p|div|ul|ol|table|blockquote|section|article|h[1-6]|pre|dl|figure|li|aside)$/
/** How many paragraphs may stand between the place and the words of its title: a number, an ornament. */
const MAX_BETWEEN = 3

/**
 * Many books mark their titles only by looks. Where the table of contents leads to words that are its own, these words
 * are a heading. Changes the tree.
 */
export const promoteTitles = (body: HtmlElement, titles: readonly PlaceTitle[]): void => {
  if (titles.length === 0) return
  const byId = new Map<string, PlaceTitle[]>()
  for (const title of titles) if (title.id) byId.set(title.id, [...(byId.get(title.id) ?? []), title])
  let pending = titles.filter(({ id }) => !id).map((title) => ({ title, left: MAX_BETWEEN }))
  const visit = (element: HtmlElement): void => {
    for (const id of [element.attributes.id, element.attributes.name]) {
      for (const title of byId.get(id ?? '') ?? []) pending.push({ title, left: MAX_BETWEEN })
    }
    if (/^h[1-6]$/.test(element.name)) {
      pending = []
      return
    }
    if (pending.length > 0 && LEAVES.has(element.name) && !hasBlocks(element)) {
      const words = simplify(clippedText(element, MAX_TITLE_CHARACTERS) ?? 'long')
      if (words === '') {
        for (const child of element.children) if (typeof child !== 'string') visit(child)
        return
      }
      const found = pending.find(({ title }) => simplify(title.title) === words)
      if (found && (element.name === 'p' || element.name === 'div' || element.name === 'center')) {
        element.name = `h${Math.min(6, Math.max(1, found.title.level))}`
        pending = []
        return
      }
      if (element.name === 'p' || element.name === 'div') {
        pending = pending.flatMap(({ title, left }) => (left > 1 ? [{ title, left: left - 1 }] : []))
      }
    }
    for (const child of element.children) if (typeof child !== 'string') visit(child)
  }
  visit(body)
}

const hasBlocks = (element: HtmlElement): boolean =>
  element.children.some((child) => typeof child !== 'string' && BLOCKS.test(child.name))

const simplify = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
