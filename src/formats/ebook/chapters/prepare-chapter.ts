import { type HtmlElement, type HtmlNode, shownText, walkElements } from '../../shared/html/tree.ts'

/** What is part of the reading system and not of the text. */
const NAVIGATION = /(?:^|\s)(?:toc|landmarks|page-list|loi|lot|loa)(?:\s|$)/

/** Makes a page of a book one that the reader of pages understands; changes the tree. */
export const prepareChapter = (root: HtmlElement, hasImage: (src: string) => boolean): { missingImages: number } => {
  let missingImages = 0
  const adapt = (node: HtmlNode): HtmlNode[] => {
    if (typeof node === 'string') return [node]
    const { name, attributes } = node
    if (name === 'nav' && NAVIGATION.test(attributes['epub:type'] ?? '')) return []
    // Numbers of printed pages stand in the middle of sentences.
    if (/(?:^|\s)pagebreak(?:\s|$)/.test(attributes['epub:type'] ?? '') || attributes.role === 'doc-pagebreak') {
      return attributes.id ? [{ ...node, children: [] }] : []
    }
    if (name === 'svg') return fromDrawing(node).flatMap(adapt)
    if (name === 'img' || name === 'image') {
      const src = attributes.src ?? attributes.href ?? ''
      if (attributes.recindex !== undefined || hasImage(src)) return [node]
      missingImages++
      return attributes.alt ? [attributes.alt] : []
    }
    node.children = node.children.flatMap(adapt)
    return [node]
  }
  root.children = root.children.flatMap(adapt)
  return { missingImages }
}

/** Covers are often a picture inside a drawing; the words of a drawing stand in no order. */
const fromDrawing = (svg: HtmlElement): HtmlElement[] => {
  const title = [...walkElements(svg)].find(({ name }) => name === 'title' || name === 'desc')
  const alt = title ? shownText(title) : ''
  return [...walkElements(svg)]
    .filter(({ name, attributes }) => name === 'image' && attributes.href)
    .map(({ attributes }) => ({
      name: 'img',
      attributes: { src: attributes.href ?? '', ...(alt === '' ? {} : { alt }) },
      children: [],
    }))
}
