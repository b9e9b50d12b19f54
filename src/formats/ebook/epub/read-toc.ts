import { findElement, type HtmlElement, parseHtml, shownText, walkElements } from '../../shared/html/tree.ts'
import type { Element } from '../../shared/xml/tree.ts'
import { MAX_TOC_DEPTH, MAX_TOC_ENTRIES, type TocEntry } from '../book.ts'
import { decodeMarkup } from '../chapters/decode-markup.ts'
import { childNamed, childrenNamed, findNamed, parseXml, textBelow } from '../xml.ts'
import { resolvePath } from './paths.ts'

/** A table of contents, and how many pages the printed book has where the file lists them. */
export type Navigation = { toc: TocEntry[]; pages: number }

type Counter = { left: number }

const targetOf = (href: string | undefined, from: string): { target?: string } => {
  const place = href === undefined ? undefined : resolvePath(href, from)
  if (!place) return {}
  return { target: place.fragment === '' ? place.path : `${place.path}#${place.fragment}` }
}

/** Reads the navigation document of EPUB 3. */
export const readNav = async (content: Buffer, path: string): Promise<Navigation> => {
  const root = await parseHtml(decodeMarkup(content), { xml: true })
  const navs = [...walkElements(root)].filter(({ name }) => name === 'nav')
  const ofType = (type: string) =>
    navs.find(({ attributes }) => (attributes['epub:type'] ?? '').split(/\s+/).includes(type))
  const counter: Counter = { left: MAX_TOC_ENTRIES }
  const list = (ofType('toc') ?? navs[0])?.children.find(isList) ?? findElement(ofType('toc') ?? root, 'ol')
  const pageList = ofType('page-list')
  return {
    toc: list ? readNavList(list as HtmlElement, path, 0, counter) : [],
    pages: pageList ? [...walkElements(pageList)].filter(({ name }) => name === 'a').length : 0,
  }
}

const isList = (node: HtmlElement | string): node is HtmlElement =>
  typeof node !== 'string' && /^[ou]l$/.test(node.name)

const readNavList = (list: HtmlElement, path: string, depth: number, counter: Counter): TocEntry[] =>
  list.children.flatMap((item): TocEntry[] => {
    if (typeof item === 'string' || item.name !== 'li' || counter.left-- <= 0) return []
    const label = item.children.find((child): child is HtmlElement => typeof child !== 'string' && !isList(child))
    const inner = item.children.find(isList)
    const link = label && (label.name === 'a' ? label : findElement(label, 'a'))
    const title = label ? shownText(label) : ''
    const children = inner && depth < MAX_TOC_DEPTH ? readNavList(inner, path, depth + 1, counter) : []
    if (title === '' && children.length === 0) return []
    return [{ title, ...targetOf(link?.attributes.href, path), children }]
  })

/** Reads the NCX of EPUB 2. */
export const readNcx = async (content: Buffer, path: string): Promise<Navigation> => {
  const root = await parseXml(content)
  const counter: Counter = { left: MAX_TOC_ENTRIES }
  const pages = childrenNamed(findNamed(root, 'pageList'), 'pageTarget').length
  return { toc: readNavPoints(findNamed(root, 'navMap'), path, 0, counter), pages }
}

const readNavPoints = (parent: Element | undefined, path: string, depth: number, counter: Counter): TocEntry[] =>
  childrenNamed(parent, 'navPoint').flatMap((point): TocEntry[] => {
    if (counter.left-- <= 0) return []
    const title = textBelow(childNamed(point, 'navLabel'))
    const children = depth < MAX_TOC_DEPTH ? readNavPoints(point, path, depth + 1, counter) : []
    if (title === '' && children.length === 0) return []
    return [{ title, ...targetOf(childNamed(point, 'content')?.attributes.src, path), children }]
  })
