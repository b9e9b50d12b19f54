import { isBlank, plainText, trimInlines } from '../../shared/document/inline-content.ts'
import type { Block, Cell, Heading, Inline } from '../../shared/document/model.ts'
import { limitSpans } from '../../shared/ooxml/limit-spans.ts'
import type { Element } from '../../shared/xml/tree.ts'
import type { TocEntry } from '../book.ts'
import { childrenNamed, localName } from '../xml.ts'
import { hrefOf, readInlines } from './read-inlines.ts'
import type { Fb2Reading } from './reading.ts'

const MAX_SPAN = 1_000

/** The blocks in a body, section or the like; `depth` is that of its title, from 1. */
export const readBlocks = (parent: Element, reading: Fb2Reading, depth: number): Block[] =>
  parent.children.flatMap((child) => (typeof child === 'string' ? [] : readBlock(child, parent, reading, depth)))

const readBlock = (element: Element, parent: Element, reading: Fb2Reading, depth: number): Block[] => {
  reading.budget.countBlocks()
  switch (localName(element)) {
    case 'title':
      return toHeading(joinLines(element, reading), depth, parent, reading)
    case 'section':
      return readBlocks(element, reading, depth + 1)
    case 'p':
      return toParagraph(readInlines(element, reading))
    case 'subtitle': {
      const content = trimInlines(readInlines(element, reading))
      // Three stars between two scenes are no heading.
      if (!/\p{L}|\p{N}/u.test(plainText(content))) return toParagraph(content)
      return toHeading(content, depth + 1, element, reading)
    }
    case 'text-author':
      return toParagraph(readInlines(element, reading, { italic: true }))
    case 'date':
      return toParagraph(readInlines(element, reading))
    case 'epigraph':
    case 'cite':
    case 'annotation': {
      const blocks = readBlocks(element, reading, depth)
      return blocks.length > 0 ? [{ kind: 'quote', blocks }] : []
    }
    case 'poem':
      return readBlocks(element, reading, depth + 1)
    case 'stanza':
      return readStanza(element, reading, depth + 1)
    case 'v':
      return toParagraph(readInlines(element, reading))
    case 'image': {
      const image = hrefOf(element).replace(/^#/, '')
      reading.shown.add(image)
      const alt = element.attributes.alt || element.attributes.title
      return image === '' ? [] : [{ kind: 'image', image, ...(alt ? { alt } : {}) }]
    }
    case 'table':
      return readTable(element, reading)
    case 'empty-line':
      return []
    default:
      return readBlocks(element, reading, depth)
  }
}

const toParagraph = (raw: readonly Inline[]): Block[] => {
  const content = trimInlines(raw)
  if (isBlank(content)) return []
  const [only] = content
  if (content.length === 1 && only?.kind === 'image') return [only]
  return [{ kind: 'paragraph', content }]
}

/** The paragraphs of a title as one line. */
const joinLines = (title: Element, reading: Fb2Reading): Inline[] => {
  const lines = title.children
    .filter((child): child is Element => typeof child !== 'string')
    .map((line) => trimInlines(readInlines(line, reading)))
    .filter((line) => !isBlank(line))
  return lines.flatMap((line, index): Inline[] => [
    ...(index === 0 ? [] : [{ kind: 'text' as const, text: ' ' }]),
    ...line,
  ])
}

const toHeading = (content: Inline[], depth: number, named: Element, reading: Fb2Reading): Block[] => {
  if (isBlank(content)) return []
  const plain = content.map((inline): Inline => {
    if (inline.kind !== 'text') return inline
    const { bold: _, ...rest } = inline
    return rest
  })
  const id = named.attributes.id
  reading.anchors.add(plainText(plain), id ? [id] : [])
  return [{ kind: 'heading', level: Math.min(6, Math.max(1, depth)) as Heading['level'], content: plain }]
}

/** The lines of a stanza stay lines of one paragraph. */
const readStanza = (stanza: Element, reading: Fb2Reading, depth: number): Block[] => {
  const others = stanza.children.filter(
    (child): child is Element => typeof child !== 'string' && localName(child) !== 'v',
  )
  const lines = childrenNamed(stanza, 'v').map((line) => trimInlines(readInlines(line, reading)))
  const verse = lines
    .filter((line) => line.length > 0)
    .flatMap((line, index): Inline[] => [...(index === 0 ? [] : [{ kind: 'break' as const }]), ...line])
  return [
    ...others.flatMap((element) => readBlock(element, stanza, reading, depth)),
    ...(isBlank(verse) ? [] : [{ kind: 'paragraph' as const, content: verse }]),
  ]
}

const readTable = (table: Element, reading: Fb2Reading): Block[] => {
  const span = (value: string | undefined) => Math.min(MAX_SPAN, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))
  const rows = childrenNamed(table, 'tr').map((row) =>
    row.children.flatMap((cell): Cell[] => {
      if (typeof cell === 'string' || !/^t[dh]$/.test(localName(cell))) return []
      reading.budget.countBlocks()
      const columnSpan = span(cell.attributes.colspan)
      const rowSpan = span(cell.attributes.rowspan)
      return [
        {
          blocks: toParagraph(readInlines(cell, reading)),
          ...(columnSpan > 1 ? { columnSpan } : {}),
          ...(rowSpan > 1 ? { rowSpan } : {}),
          ...(localName(cell) === 'th' ? { header: true } : {}),
        },
      ]
    }),
  )
  if (rows.every((row) => row.length === 0)) return []
  const body = rows.findIndex((row) => !row.every(({ header }) => header))
  return [{ kind: 'table', rows: limitSpans(rows), headerRows: body < 0 ? 1 : body }]
}

/** The titles of sections as a table of contents. */
export const listSections = (parent: Element, counter: { left: number }): TocEntry[] =>
  childrenNamed(parent, 'section').flatMap((section): TocEntry[] => {
    if (counter.left-- <= 0) return []
    const title = childrenNamed(section, 'title')
      .flatMap((element) => element.children)
      .map((line) => (typeof line === 'string' ? '' : lineText(line)))
      .filter(Boolean)
      .join(' ')
    const children = listSections(section, counter)
    const id = section.attributes.id
    if (title === '') return children
    return [{ title, ...(id ? { target: `#${id}` } : {}), children }]
  })

const lineText = (element: Element): string =>
  element.children
    .map((child) => (typeof child === 'string' ? child : localName(child) === 'a' ? '' : lineText(child)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
