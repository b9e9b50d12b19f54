import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, Box, Heading, Inline } from '../../shared/document/model.ts'
import { sortByReading } from '../../shared/document/reading-order.ts'
import { childrenOf, type Element, textOf } from '../../shared/xml/tree.ts'
import { boxOf } from './geometry.ts'
import { plainLines } from './plain-lines.ts'
import { readBlocks } from './read-blocks.ts'
import { isDrawing, readDrawing, toBlocks } from './read-drawing.ts'
import type { Reading } from './reading.ts'
import { readAnnotation } from './review.ts'

/** A slide of a presentation, or a page of a drawing. */
export type Slide = {
  number: number
  name?: string
  title: readonly Inline[]
  blocks: Block[]
  notes: Block[]
  footers: string[]
  isHidden: boolean
}

/** Footers and the like, which slides refer to by name. */
export type Declarations = ReadonlyMap<string, string>

type Placed = { box: Box | undefined; blocks: Block[] }

/** Reads one `draw:page`. */
export const readSlide = (page: Element, number: number, declarations: Declarations, reading: Reading): Slide => {
  reading.slide = number
  const notes: Block[] = []
  const placed: Placed[] = []
  const titles: Placed[] = []
  const collect = (element: Element): void => {
    for (const child of childrenOf(element)) {
      if (child.name === 'presentation:notes') notes.push(...readNotes(child, reading))
      else if (child.name === 'office:annotation') readAnnotation(child, reading)
      else if (child.name === 'draw:layer-set' || isPlaceholder(child)) continue
      else if (child.name === 'draw:g' && isGroupOfTexts(child)) collect(child)
      else if (isDrawing(child)) {
        const blocks = toBlocks(readDrawing(child, reading, (inside) => readBlocks(inside, reading)))
        const target = child.attributes['presentation:class'] === 'title' ? titles : placed
        if (blocks.length > 0)
          target.push({ box: boxOf(child.attributes), blocks: withBox(blocks, boxOf(child.attributes)) })
      }
    }
  }
  collect(page)
  const name = page.attributes['draw:name']
  const uses = ['header', 'date-time', 'footer'].flatMap(
    (kind) => declarations.get(`${kind} ${page.attributes[`presentation:use-${kind}-name`] ?? ''}`) ?? [],
  )
  return {
    number,
    ...(name && !/^page\d+$/.test(name) ? { name } : {}),
    title: joinLines(titles.flatMap(({ blocks }) => blocks)),
    blocks: [
      ...titles.flatMap(({ blocks }) => blocks.filter((block) => !('content' in block))),
      ...sortByReading(placed).flatMap(({ blocks }) => blocks),
    ],
    notes,
    footers: uses,
    isHidden: reading.styles.hidesSlide(page.attributes['draw:style-name']),
  }
}

const withBox = (blocks: readonly Block[], box: Box | undefined): Block[] =>
  blocks.map((block) => (box && box.width > 0 ? { ...block, box } : block))

/** What a program shows where nothing was filled in. */
const isPlaceholder = ({ attributes }: Element): boolean => attributes['presentation:placeholder'] === 'true'

/** Texts that were only grouped are read where each of them stands. */
const isGroupOfTexts = (group: Element): boolean => childrenOf(group).some(({ attributes }) => boxOf(attributes))

const readNotes = (notes: Element, reading: Reading): Block[] =>
  childrenOf(notes)
    .filter((child) => child.attributes['presentation:class'] !== 'page' && !isPlaceholder(child))
    .filter(
      ({ attributes }) => !/^(?:header|footer|date-time|page-number)$/.test(attributes['presentation:class'] ?? ''),
    )
    .filter(isDrawing)
    .flatMap((child) => toBlocks(readDrawing(child, reading, (inside) => readBlocks(inside, reading))))

/** The paragraphs of a title as one line; its weight says nothing in a heading. */
const joinLines = (blocks: readonly Block[]): Inline[] => {
  const lines = blocks.flatMap((block) => ('content' in block ? [block.content] : []))
  return lines.flatMap((line, index): Inline[] => [
    ...(index === 0 ? [] : [{ kind: 'text' as const, text: ' ' }]),
    ...line.map(toHeadingInline),
  ])
}

const toHeadingInline = (inline: Inline): Inline => {
  if (inline.kind === 'break') return { kind: 'text', text: ' ' }
  if (inline.kind !== 'text') return inline
  const { bold: _, underline: __, ...plain } = inline
  return plain
}

/** The title of a slide as plain text. */
export const titleText = ({ title }: Slide): string | undefined =>
  plainText(title).replace(/\s+/g, ' ').trim() || undefined

/** Reads what slides refer to by name: `presentation:footer-decl` and the like. */
export const readDeclaration = (element: Element): [name: string, text: string] | undefined => {
  const kind = /^presentation:(header|footer|date-time)-decl$/.exec(element.name)?.[1]
  const text = (plainLines(element) || textOf(element)).trim()
  return kind && text !== '' ? [`${kind} ${element.attributes['presentation:name'] ?? ''}`, text] : undefined
}

export type SlideChoice = { notes: boolean; hiddenSlides: boolean }

const HIDDEN_MARK: Block = { kind: 'paragraph', content: [{ kind: 'text', text: '(hidden slide)', italic: true }] }

/** A slide as blocks of a document: its title as the heading, what follows, what the speaker says. */
export const toSlideBlocks = (slide: Slide, level: Heading['level'], choice: SlideChoice): Block[] => {
  const blocks: Block[] = [
    ...(slide.title.length > 0 ? [{ kind: 'heading' as const, level, content: slide.title }] : []),
    ...(slide.isHidden ? [HIDDEN_MARK] : []),
    ...slide.blocks,
    ...(choice.notes && slide.notes.length > 0 ? [toNotes(slide.notes)] : []),
    ...slide.footers.map((text): Block => ({ kind: 'furniture', role: 'footer', content: [{ kind: 'text', text }] })),
  ]
  return blocks.map((block) => ({ ...block, page: slide.number }))
}

const toNotes = (blocks: readonly Block[]): Block => ({
  kind: 'quote',
  blocks: [{ kind: 'paragraph', content: [{ kind: 'text', text: 'Notes:', bold: true }] }, ...blocks],
})
