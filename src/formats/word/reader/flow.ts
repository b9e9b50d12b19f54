import { isBlank, plainText, trimInlines } from '../../shared/document/inline-content.ts'
import type { Block, Inline } from '../../shared/document/model.ts'
import { toItem, toParagraph } from '../../shared/document/paragraph-blocks.ts'
import { childOf, type Element } from '../../shared/xml/tree.ts'
import { makeAnchor } from './anchors.ts'
import type { Label } from './numbering.ts'
import { readInlines, type Segment } from './read-inlines.ts'
import type { PartReading } from './reading.ts'
import { type ParagraphStyle, readListReference } from './styles.ts'
import { numberOf, settingOf, toggleOf } from './values.ts'

/** Blocks that follow each other: the body, a cell, a note, a text box. */
export type Flow = {
  addParagraph(paragraph: Element): void
  addBlocks(blocks: readonly Block[]): void
  finish(): Block[]
}

type Facts = {
  style: ParagraphStyle
  headingLevel: number | undefined
  label: Label | undefined
  depth: number
  isRightToLeft: boolean
}

const MAX_HEADING_CHARACTERS = 500
const BODY_LEVEL = 9

export const createFlow = (part: PartReading, readBlocks: (container: Element) => Block[]): Flow => {
  const blocks: Block[] = []
  // What belongs to the beginning of the next paragraph: a large initial, or text whose paragraph mark was deleted.
  let carried: Inline[] = []

  const put = (block: Block): void => {
    const last = blocks.at(-1)
    if (block.kind === 'code' && last?.kind === 'code') last.text += `\n${block.text}`
    else if (block.kind === 'quote' && last?.kind === 'quote') last.blocks = [...last.blocks, ...block.blocks]
    else blocks.push(block)
  }

  return {
    addParagraph(paragraph) {
      const properties = childOf(paragraph, 'w:pPr')
      const { reading } = part
      reading.budget.countBlocks()
      const styleId = settingOf(properties, 'w:pStyle')
      const style = reading.styles.paragraph(styleId)
      const headingLevel = headingLevelOf(properties, style)
      const { segments, floating, anchored, bookmarks } = readInlines(paragraph, part, {
        isHidden: style.runs.hidden ?? false,
        dropsBold: headingLevel !== undefined || style.kind === 'title',
        readBlocks,
      })
      const [first] = segments
      if (carried.length > 0 && first && 'content' in first) first.content.unshift(...carried)
      carried = []
      const isEmpty = segments.every((segment) => !('content' in segment) || isBlank(segment.content))
      if (toggleOf(properties, 'w:pageBreakBefore') && blocks.length > 0) put({ kind: 'page-break' })
      blocks.push(...floating)
      if (!isEmpty && goesOn(properties) && segments.length === 1 && first && 'content' in first) {
        carried = first.content
        blocks.push(...anchored)
        return
      }
      const isGone = isEmpty && isMarkDeleted(properties)
      const list = isGone ? undefined : listOf(properties, styleId, style, part)
      const label = list && reading.numbering.advance(list.list, list.level)
      const facts: Facts = {
        style,
        headingLevel,
        label: label?.text === '' && !label.ordered ? undefined : label,
        depth: Math.max(list?.level ?? 0, list?.level === 0 ? (style.listDepth ?? 0) : 0),
        isRightToLeft: toggleOf(properties, 'w:bidi') ?? style.isRightToLeft,
      }
      for (const block of toBlocks(segments, facts)) {
        const last = blocks.at(-1)
        if (block.kind === 'heading') makeAnchor(reading, plainText(block.content), bookmarks)
        if (block.kind === 'paragraph' && style.kind === 'continued-item' && last?.kind === 'item') {
          last.more = [...(last.more ?? []), block]
        } else put(block)
      }
      blocks.push(...anchored)
      readSection(childOf(properties, 'w:sectPr'), part, put)
    },
    addBlocks(more) {
      for (const block of more) put(block)
    },
    finish() {
      const rest = trimInlines(carried)
      if (rest.length > 0) blocks.push({ kind: 'paragraph', content: rest })
      return blocks
    },
  }
}

const headingLevelOf = (properties: Element | undefined, style: ParagraphStyle): number | undefined => {
  const own = numberOf(properties, 'w:outlineLvl')
  if (own === undefined || style.kind === 'toc') return style.headingLevel
  return own >= 0 && own < BODY_LEVEL ? own + 1 : undefined
}

const isMarkDeleted = (properties: Element | undefined): boolean => {
  const mark = childOf(properties, 'w:rPr')
  return childOf(mark, 'w:del') !== undefined || childOf(mark, 'w:moveFrom') !== undefined
}

const goesOn = (properties: Element | undefined): boolean => {
  const frame = childOf(properties, 'w:framePr')?.attributes['w:dropCap']
  return isMarkDeleted(properties) || frame === 'drop' || frame === 'margin'
}

/** The list and the level of a paragraph: its own, else those of its style. */
const listOf = (
  properties: Element | undefined,
  styleId: string | undefined,
  style: ParagraphStyle,
  { reading }: PartReading,
): { list: number; level: number } | undefined => {
  const own = readListReference(properties)
  const list = own && own.list >= 0 ? own.list : style.listReference?.list
  if (list === undefined || list === 0) return undefined
  const styleLevel = styleId === undefined ? undefined : reading.numbering.levelOfStyle(list, styleId)
  return { list, level: own?.level ?? style.listReference?.level ?? styleLevel ?? 0 }
}

const toBlocks = (segments: readonly Segment[], facts: Facts): Block[] => {
  const blocks: Block[] = []
  let isFirst = true
  for (const segment of segments) {
    if ('block' in segment) {
      blocks.push(segment.block)
      continue
    }
    const content = trimInlines(segment.content)
    if (content.length === 0) continue
    if (facts.style.kind === 'code' && !facts.label) {
      // Blanks at the beginning of a line of code are part of it.
      blocks.push({ kind: 'code', text: toLines(segment.content).trimEnd() })
      continue
    }
    blocks.push(...toBlock(content, isFirst ? facts : { ...facts, label: undefined, headingLevel: undefined }))
    isFirst = false
  }
  return blocks
}

const toBlock = (content: Inline[], { style, headingLevel, label, depth, isRightToLeft }: Facts): Block[] => {
  const direction = isRightToLeft ? { direction: 'rtl' as const } : {}
  const lead: Inline[] = label && label.text !== '' ? [{ kind: 'text', text: `${label.text} ` }] : []
  if (headingLevel !== undefined && plainText(content).length <= MAX_HEADING_CHARACTERS && hasText(content)) {
    const level = Math.min(6, headingLevel) as 1 | 2 | 3 | 4 | 5 | 6
    const counted = label?.ordered ? lead : []
    return [{ kind: 'heading', level, content: [...counted, ...content], ...direction }]
  }
  if (label) return [toItem(content, label, depth, direction)]
  const alone = standAlone(content)
  if (alone) return alone
  return [toParagraph(style.kind, content, direction)]
}

const hasText = (content: readonly Inline[]): boolean => plainText(content).trim() !== ''

/** Pictures and formulas that have a paragraph to themselves. */
const standAlone = (content: readonly Inline[]): Block[] | undefined => {
  const blocks: Block[] = []
  for (const inline of content) {
    if (inline.kind === 'image' || inline.kind === 'formula') blocks.push(inline)
    else if (inline.kind !== 'break' && (inline.kind !== 'text' || inline.text.trim() !== '')) return undefined
  }
  return blocks.length > 0 ? blocks : undefined
}

const toLines = (content: readonly Inline[]): string =>
  content
    .map((inline) =>
      inline.kind === 'text' || inline.kind === 'formula' ? inline.text : inline.kind === 'break' ? '\n' : '',
    )
    .join('')

/** The end of a section: its headers and footers, and the page that it begins. */
export const readSection = (
  section: Element | undefined,
  { reading }: PartReading,
  put?: (block: Block) => void,
): void => {
  if (!section) return
  for (const child of section.children) {
    if (typeof child === 'string') continue
    const id = child.attributes['r:id']
    if (child.name === 'w:headerReference' && id) reading.headerFooterIds.header.add(id)
    if (child.name === 'w:footerReference' && id) reading.headerFooterIds.footer.add(id)
  }
  if (settingOf(section, 'w:type') !== 'continuous') put?.({ kind: 'page-break' })
}
