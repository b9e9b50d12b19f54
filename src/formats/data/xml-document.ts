import { escapeInline, inlineCode, writeCode, writeTable } from '../shared/markdown.ts'
import {
  BOLD,
  CELLS,
  CODE,
  FIGURES,
  HEADS,
  ITALIC,
  ITEMS,
  LEFT_OUT,
  LINKS,
  LISTS,
  MONOSPACE,
  NAMES,
  PARAGRAPHS,
  REFERENCES,
  ROWS,
  SECTIONS,
  TABLES,
  TITLES,
  words,
} from './xml-names.ts'
import type { XmlElement } from './xml-tree.ts'

const local = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1)
const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter((child) => typeof child !== 'string')
const find = (element: XmlElement, names: ReadonlySet<string>): XmlElement | undefined =>
  elementsOf(element).find((child) => names.has(local(child)))

/** A document as Markdown, block by block. */
export function* writeDocument(root: XmlElement): Generator<string> {
  yield* writeBlocks(root, 1)
}

function* writeBlocks(element: XmlElement, level: number): Generator<string> {
  let text: (string | XmlElement)[] = []
  const takeText = (): string => {
    const shown = inline(text).trim()
    text = []
    return shown
  }
  for (const child of element.children) {
    if (typeof child === 'string' || isInline(child)) {
      text.push(child)
      continue
    }
    yield takeText()
    yield* writeBlock(child, level)
  }
  yield takeText()
}

const BLOCKS = [PARAGRAPHS, TITLES, SECTIONS, LISTS, ITEMS, TABLES, CODE, FIGURES, REFERENCES, HEADS, NAMES, LEFT_OUT]
const isBlockName = (name: string): boolean => name === 'disp-formula' || BLOCKS.some((names) => names.has(name))

/** Anything that holds no block of its own runs along in the text, if it stands in text at all. */
const isInline = (element: XmlElement): boolean => {
  const name = local(element)
  if (isBlockName(name)) return false
  return BOLD.has(name) || ITALIC.has(name) || MONOSPACE.has(name) || LINKS.has(name) || INLINE.has(name)
}
const INLINE = words(
  'xref sup sub superscript subscript inline-formula math tex-math named-content styled-content underline sc br break u figref claim-ref patcit nplcit footnote fn ref-text abbrev email milestone-start',
)

function* writeBlock(element: XmlElement, level: number): Generator<string> {
  const name = local(element)
  if (LEFT_OUT.has(name)) return
  if (HEADS.has(name)) yield* writeHead(element)
  else if (NAMES.has(name)) yield personNames(element)
  else if (TITLES.has(name)) yield heading(titleLevel(element, level), inline(element.children))
  else if (SECTIONS.has(name)) yield* writeSection(element, level)
  else if (name === 'disp-formula') yield formula(element)
  else if (CODE.has(name)) yield writeCode(plainText(element).replace(/^\n/, ''), languageOf(element))
  else if (TABLES.has(name)) yield tableOf(element)
  else if (LISTS.has(name)) yield listOf(element, level)
  else if (REFERENCES.has(name)) yield `- ${citation(element)}`
  else if (ITEMS.has(name)) yield `- ${itemText(element, level)}`
  else if (FIGURES.has(name)) yield* writeFigure(element, level)
  else yield* writeBlocks(element, level)
}

/** Section, with its number and title in one heading. */
function* writeSection(element: XmlElement, level: number): Generator<string> {
  const inner = Math.min(6, level + 1)
  const title = find(element, TITLES)
  const label = elementsOf(element).find((child) => local(child) === 'label')
  const name = local(element)
  const shown = title
    ? inline(title.children)
    : name === 'abstract'
      ? 'Abstract'
      : name === 'ref-list'
        ? 'References'
        : ''
  if (shown.trim() !== '' || label) yield heading(inner, `${label ? inline(label.children) : ''} ${shown}`)
  const rest = element.children.filter((child) => child !== title && child !== label)
  if (!rest.some((child) => typeof child !== 'string' && REFERENCES.has(local(child)))) {
    yield* writeBlocks({ ...element, children: rest }, inner)
    return
  }
  yield rest
    .filter((child) => typeof child !== 'string')
    .map((child) => `- ${citation(child)}`)
    .join('\n')
}

/** Title, names and abstract out of a document's head, wherever they stand in it. */
function* writeHead(element: XmlElement): Generator<string> {
  for (const child of elementsOf(element)) {
    const name = local(child)
    if (name === 'abstract') yield* writeSection(child, 1)
    else if (NAMES.has(name)) yield personNames(child)
    else if (name === 'article-title' || name === 'title' || name === 'invention-title')
      yield heading(1, inline(child.children))
    else if (!LEFT_OUT.has(name)) yield* writeHead(child)
  }
}

function* writeFigure(element: XmlElement, level: number): Generator<string> {
  if (/quote$/.test(local(element))) {
    yield [...writeBlocks(element, level)].filter(Boolean).join('\n\n').replace(/^/gm, '> ')
    return
  }
  const label = elementsOf(element).find((child) => local(child) === 'label')
  const caption = elementsOf(element).find((child) => local(child) === 'caption')
  const title = caption ? inline([caption]).trim() : ''
  yield [label ? inline(label.children) : '', title].filter(Boolean).join(' ')
  yield* writeBlocks(
    { ...element, children: element.children.filter((child) => child !== label && child !== caption) },
    level,
  )
}

/** A heading that says its own level, as in patents, or one below the title of the document. */
const titleLevel = (element: XmlElement, level: number): number => {
  const own = Number(attribute(element, 'level') ?? local(element).slice(1))
  return Number.isInteger(own) && own > 0 ? own + 1 : Math.max(2, level)
}

/** A reference on one line; where only elements tell its parts apart, commas do. */
const citation = (element: XmlElement): string => {
  const body =
    elementsOf(element).find((child) => /-citation$/.test(local(child)) || local(child) === 'citation') ?? element
  const hasText = body.children.some((child) => typeof child === 'string' && child.trim() !== '')
  const parts = body.children.filter((child) => typeof child === 'string' || local(child) !== 'label')
  if (hasText) return inline(parts).trim()
  const shown = parts.map((part) =>
    typeof part !== 'string' && find(part, PERSONS) ? personNames(part) : inline([part]).trim(),
  )
  return shown.filter(Boolean).join(', ')
}
const PERSONS = words('name string-name surname')

const heading = (level: number, text: string): string => {
  const flat = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\*\*([^*]+)\*\*$/, '$1')
  return flat === '' ? '' : `${'#'.repeat(Math.min(6, level))} ${flat}`
}

const personNames = (element: XmlElement): string => {
  const names: string[] = []
  const visit = (part: XmlElement): void => {
    const given = elementsOf(part).find((child) => /^(?:given-names|firstname|first-name)$/.test(local(child)))
    const family = elementsOf(part).find((child) => /^(?:surname|last-name)$/.test(local(child)))
    if (family)
      names.push(
        [given, family]
          .map((child) => (child ? plainText(child).trim() : ''))
          .join(' ')
          .trim(),
      )
    else for (const child of elementsOf(part)) visit(child)
  }
  visit(element)
  return escapeInline(names.slice(0, 1_000).join(', '))
}

const listOf = (element: XmlElement, level: number): string => {
  const numbered = /^(?:orderedlist|ol|claims)$/.test(local(element)) || attribute(element, 'list-type') === 'order'
  const items = elementsOf(element).filter((child) => ITEMS.has(local(child)))
  return items
    .map((item, index) => {
      const sign = numbered ? `${index + 1}. ` : '- '
      return sign + itemText(item, level).replace(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`)
    })
    .join('\n')
}

const itemText = (element: XmlElement, level: number): string => {
  const children = element.children.filter((child) => typeof child === 'string' || local(child) !== 'label')
  return [...writeBlocks({ ...element, children }, level)].filter((block) => block.trim() !== '').join('\n\n')
}

const tableOf = (element: XmlElement): string => {
  const rows: { cells: string[]; isHead: boolean }[] = []
  const visit = (part: XmlElement, isHead: boolean): void => {
    for (const child of elementsOf(part)) {
      const name = local(child)
      if (ROWS.has(name))
        rows.push({
          cells: elementsOf(child)
            .filter((cell) => CELLS.has(local(cell)))
            .flatMap(cellsOf),
          isHead,
        })
      else visit(child, isHead || name === 'thead')
    }
  }
  visit(element, false)
  const headRows = rows.findIndex(({ isHead }) => !isHead)
  const heads = rows.slice(0, headRows < 0 ? rows.length : headRows)
  const head = heads[0]?.cells ?? []
  return rows.length === 0
    ? ''
    : writeTable(
        head,
        rows.filter((row) => row !== heads[0]).map(({ cells }) => cells),
      )
}

/** A cell over several columns leaves the others empty. */
const cellsOf = (cell: XmlElement): string[] => {
  const span = Math.min(100, Number(attribute(cell, 'colspan') ?? 1) || 1)
  return [plainText(cell).replace(/\s+/g, ' ').trim(), ...Array<string>(span - 1).fill('')]
}

const formula = (element: XmlElement): string => {
  const math = mathOf(element)
  return math === '' ? '' : `$$${math}$$`
}

/** LaTeX inside the XML, without the frame that makes it a document; else the characters of the formula. */
const mathOf = (element: XmlElement): string => {
  const tex = descend(element, 'tex-math')
  if (!tex) return plainText(element).replace(/\s+/g, ' ').trim()
  const text = plainText(tex)
  const begin = text.indexOf('\\begin{document}')
  const end = text.indexOf('\\end{document}')
  const body = begin < 0 ? text : text.slice(begin + 16, end < begin ? undefined : end)
  return body
    .trim()
    .replace(/^\$+|\$+$/g, '')
    .trim()
}

const descend = (element: XmlElement, name: string): XmlElement | undefined => {
  if (local(element) === name) return element
  for (const child of elementsOf(element)) {
    const found = descend(child, name)
    if (found) return found
  }
  return undefined
}

const plainText = (element: XmlElement): string =>
  element.children
    .map((child) => (typeof child === 'string' ? child : LEFT_OUT.has(local(child)) ? '' : plainText(child)))
    .join('')

const attribute = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find(([key]) => key === name || key.endsWith(`:${name}`))?.[1]

const languageOf = (element: XmlElement): string =>
  (attribute(element, 'language') ?? '').toLowerCase().replace(/[^\w+#-]/g, '')

const inline = (parts: readonly (string | XmlElement)[]): string => parts.map(inlinePart).join('').replace(/\s+/g, ' ')

const inlinePart = (part: string | XmlElement): string => {
  if (typeof part === 'string') return escapeInline(part)
  const name = local(part)
  if (name === 'inline-formula') return `$${mathOf(part)}$`
  if (LEFT_OUT.has(name)) return ''
  const inner = inline(part.children)
  if (inner.trim() === '') return name === 'br' || name === 'break' ? ' ' : inner
  if (BOLD.has(name)) return wrap(inner, '**')
  if (ITALIC.has(name)) return wrap(inner, '*')
  if (MONOSPACE.has(name)) return inlineCode(plainText(part))
  if (name === 'sup' || name === 'superscript') return `<sup>${inner}</sup>`
  if (name === 'sub' || name === 'subscript') return `<sub>${inner}</sub>`
  const target = LINKS.has(name) ? (attribute(part, 'href') ?? attribute(part, 'url')) : undefined
  if (target && /^[a-z]+:\S+$/i.test(target)) return `[${inner.trim()}](${target})`
  return isBlockName(name) ? ` ${inner} ` : inner
}

const wrap = (text: string, mark: string): string => {
  const body = text.trim()
  return `${text.startsWith(' ') ? ' ' : ''}${mark}${body}${mark}${text.endsWith(' ') ? ' ' : ''}`
}
