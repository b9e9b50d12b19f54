import { isBlank, plainText, trimInlines } from '../../shared/document/inline-content.ts'
import type { Block, Inline } from '../../shared/document/model.ts'
import { toItem, toParagraph } from '../../shared/document/paragraph-blocks.ts'
import { childrenOf, type Element, nameSet } from '../../shared/xml/tree.ts'
import { advance, type Counts, type Label } from './number-lists.ts'
import { isDrawing, readDrawing, toBlocks } from './read-drawing.ts'
import { readInlines } from './read-inlines.ts'
import { readTable } from './read-table.ts'
import type { Reading } from './reading.ts'
import { readAnnotation, readChanges } from './review.ts'
import type { ParagraphStyle } from './styles.ts'

/** Elements that only hold others: what is in them stands as if it were there itself. */
export const CONTAINERS = nameSet(`
  text:section text:table-of-content text:illustration-index text:table-index text:object-index text:user-index
  text:alphabetical-index text:bibliography text:index-body text:index-title draw:text-box text:meta
`)

const MAX_HEADING_CHARACTERS = 500

/** Whether the author hid a section. */
export const isHiddenSection = ({ attributes }: Pick<Element, 'attributes'>): boolean =>
  attributes['text:display'] === 'none' ||
  (attributes['text:display'] === 'condition' && attributes['text:is-hidden'] === 'true')

/** The blocks in an element, in reading order. */
export const readBlocks = (container: Element, reading: Reading): Block[] => {
  const flow = createFlow(reading)
  for (const child of childrenOf(container)) flow.add(child)
  return flow.blocks
}

/** Collects blocks: of the body, a cell, a note, a text box. */
export type Flow = { readonly blocks: Block[]; add(element: Element): void; addBlocks(blocks: readonly Block[]): void }

type ItemPlace = { label: Label | undefined; depth: number } | undefined

export const createFlow = (reading: Reading): Flow => {
  const blocks: Block[] = []
  const inside = (element: Element): Block[] => readBlocks(element, reading)

  const put = (block: Block): void => {
    const last = blocks.at(-1)
    if (block.kind === 'code' && last?.kind === 'code') last.text += `\n${block.text}`
    else if (block.kind === 'quote' && last?.kind === 'quote') last.blocks = [...last.blocks, ...block.blocks]
    else blocks.push(block)
  }

  /** Inside a list what follows the first paragraph of an item belongs to it. */
  const putInItem = (made: readonly Block[], depth: number): void => {
    const last = blocks.at(-1)
    for (const block of made) {
      if (last?.kind === 'item' && last.depth >= depth && block.kind !== 'item')
        last.more = [...(last.more ?? []), block]
      else blocks.push(block)
    }
  }

  const addParagraph = (element: Element, place?: ItemPlace, isContinued = false): void => {
    reading.budget.countBlocks()
    const style = reading.styles.paragraph(element.attributes['text:style-name'])
    const isHeading = element.name === 'text:h'
    const base = isHeading || style.kind === 'title' ? withoutWeight(style) : style.text
    const { content, before, after, bookmarks } = readInlines(element, reading, base, inside)
    if (style.breaksBefore && blocks.length > 0 && place === undefined) put({ kind: 'page-break' })
    const label = isHeading && !place?.label ? headingLabel(element, style, content, reading) : place?.label
    const made = isBlank(content) ? [] : readParagraph(element, content, style, label, place?.depth)
    for (const block of made) {
      if (block.kind === 'heading')
        reading.anchors.add(plainText(block.content), anchorNames(content, label, bookmarks))
    }
    const all = [...before, ...made, ...after]
    if (place === undefined) for (const block of all) put(block)
    else if (isContinued) putInItem(all, place.depth)
    else {
      blocks.push(...before, ...made)
      putInItem(after, place.depth)
    }
  }

  const addList = (list: Element, level: number, counts: Counts, inherited: string | undefined): void => {
    const styleName = list.attributes['text:style-name'] ?? inherited
    for (const item of childrenOf(list)) {
      if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
      addItem(item, level, counts, item.attributes['text:style-override'] ?? styleName)
    }
  }

  const addItem = (item: Element, level: number, counts: Counts, styleName: string | undefined): void => {
    let isFirst = true
    const depth = level - 1
    for (const child of childrenOf(item)) {
      if (child.name === 'text:list') {
        addList(child, level + 1, counts, styleName)
        continue
      }
      if (child.name !== 'text:p' && child.name !== 'text:h') {
        const mark = blocks.length
        add(child)
        putInItem(blocks.splice(mark), depth)
        continue
      }
      const paragraph = reading.styles.paragraph(child.attributes['text:style-name'])
      const style = reading.styles.list(styleName ?? paragraph.listStyle)
      const counted = isFirst && item.name === 'text:list-item' && paragraph.isNumbered
      const label = counted ? advance(counts, style, level, item.attributes['text:start-value']) : undefined
      addParagraph(child, { label, depth }, !isFirst)
      isFirst = false
    }
  }

  const add = (element: Element): void => {
    switch (element.name) {
      case 'text:p':
      case 'text:h':
        addParagraph(element)
        return
      case 'text:list': {
        const styleName = element.attributes['text:style-name']
        addList(element, 1, reading.lists.begin(element.attributes, styleName), styleName)
        return
      }
      case 'text:numbered-paragraph': {
        const level = Math.min(10, Math.max(1, Number(element.attributes['text:level'] ?? 1) || 1))
        const name = element.attributes['text:style-name']
        const list = { ...element.attributes, 'text:continue-list': element.attributes['text:list-id'] }
        const counts = reading.lists.begin({ 'text:continue-numbering': 'true', ...list }, name)
        addItem({ ...element, name: 'text:list-item' }, level, counts, name)
        return
      }
      case 'table:table': {
        for (const block of readTable(element, reading.budget, inside)) put(block)
        return
      }
      case 'text:tracked-changes':
        readChanges(element, reading)
        return
      case 'office:annotation':
        readAnnotation(element, reading)
        return
    }
    if (CONTAINERS.has(element.name)) {
      if (!isHiddenSection(element)) for (const child of childrenOf(element)) add(child)
    } else if (isDrawing(element)) for (const block of toBlocks(readDrawing(element, reading, inside))) put(block)
  }

  return {
    blocks,
    add,
    addBlocks(more) {
      for (const block of more) put(block)
    },
  }
}

/** Bold says nothing in a heading. */
const withoutWeight = ({ text: { bold: _, ...plain } }: ParagraphStyle): ParagraphStyle['text'] => plain

const levelOf = (element: Element): number => {
  const level = Number(element.attributes['text:outline-level'] ?? 1)
  return Number.isInteger(level) && level > 0 ? Math.min(level, 10) : 1
}

const headingLabel = (
  element: Element,
  style: ParagraphStyle,
  content: readonly Inline[],
  { styles, outlineCounts }: Reading,
): Label | undefined => {
  if (!styles.outline || isBlank(content) || element.attributes['text:is-list-header'] === 'true') return undefined
  // A style may take its headings out of the numbering.
  if (style.listStyle === '') return undefined
  const level = levelOf(element)
  if (!styles.outline.levels.get(level)?.format) return undefined
  return advance(outlineCounts, styles.outline, level, element.attributes['text:start-value'])
}

/** Names that links have for a heading: bookmarks, and its number and text as the outline writes them. */
const anchorNames = (
  content: readonly Inline[],
  label: Label | undefined,
  bookmarks: readonly string[],
): readonly string[] => {
  const text = plainText(content).trim()
  const number = label?.ordered ? `${label.text.replace(/\.$/, '')}.` : ''
  return [...bookmarks, `${number}${text}|outline`]
}

const readParagraph = (
  element: Element,
  raw: readonly Inline[],
  style: ParagraphStyle,
  label: Label | undefined,
  depth: number | undefined,
): Block[] => {
  const content = trimInlines(raw)
  const direction = style.isRightToLeft ? { direction: 'rtl' as const } : {}
  const level = element.name === 'text:h' ? levelOf(element) : undefined
  if (level !== undefined && plainText(content).trim() !== '' && plainText(content).length <= MAX_HEADING_CHARACTERS) {
    const lead: Inline[] = label?.ordered ? [{ kind: 'text', text: `${label.text} ` }] : []
    return [{ kind: 'heading', level: Math.min(6, level) as 1, content: [...lead, ...content], ...direction }]
  }
  if (label && depth !== undefined) return [toItem(content, label, depth, direction)]
  if (style.kind === 'code') return [{ kind: 'code', text: toLines(raw) }]
  const alone = standAlone(content, style.kind === 'caption')
  if (alone) return alone
  return [toParagraph(style.kind, content, direction)]
}

/** Pictures and formulas that have a paragraph to themselves, or only their caption beside them. */
const standAlone = (content: readonly Inline[], isCaption: boolean): Block[] | undefined => {
  const shown = content.filter((inline) => inline.kind === 'image' || inline.kind === 'formula')
  if (shown.length === 0) return undefined
  const words = trimInlines(content.filter((inline) => inline.kind !== 'image' && inline.kind !== 'formula'))
  if (words.length === 0) return shown
  const [picture] = shown
  if (!isCaption || shown.length > 1 || picture?.kind !== 'image') return undefined
  return [{ ...picture, caption: words }]
}

const toLines = (content: readonly Inline[]): string =>
  content
    .map((inline) =>
      inline.kind === 'text' || inline.kind === 'formula' ? inline.text : inline.kind === 'break' ? '\n' : '',
    )
    .join('')
    .trimEnd()
