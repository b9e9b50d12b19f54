import type { Block, DocumentModel, Heading, Inline, Page } from '../shared/document/model.ts'
import type { Presentation, Slide } from './reader/read-presentation.ts'

/** What of a presentation goes into the document. */
export type SlideChoice = { notes: boolean; hiddenSlides: boolean }

/** A presentation as a document: a section per slide, its title as the heading. */
export const toDocument = (presentation: Presentation, choice: SlideChoice): DocumentModel => {
  const slides = presentation.slides.filter(({ isHidden }) => choice.hiddenSlides || !isHidden)
  // Titles of parts stand above those of slides, where there are both.
  const hasParts = slides.some((slide) => isPart(slide) && slide.title.length > 0)
  const title = presentation.core.title ?? titleText(slides[0])
  const language = presentation.core.language
  return {
    ...(title ? { title } : {}),
    ...(language ? { language } : {}),
    pageUnit: 'slide',
    pages: slides.map((slide) => toPage(slide, presentation)),
    blocks: slides.flatMap((slide) => toBlocks(slide, hasParts && !isPart(slide) ? 2 : 1, choice)),
    notes: [],
    images: presentation.images,
  }
}

const isPart = ({ layout }: Slide): boolean => layout.type === 'title' || layout.type === 'secHead'

const toPage = (slide: Slide, { width, height }: Presentation): Page => {
  const title = titleText(slide)
  return {
    number: slide.number,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(title ? { title } : {}),
  }
}

const toBlocks = (slide: Slide, level: Heading['level'], { notes }: SlideChoice): Block[] => {
  const heading = toHeading(slide, level)
  const blocks: Block[] = [
    ...(heading ? [heading] : []),
    ...(slide.isHidden ? [HIDDEN_MARK] : []),
    ...slide.blocks,
    ...(notes && slide.notes.length > 0 ? [toNotes(slide.notes)] : []),
    ...slide.furniture,
  ]
  return blocks.map((block) => ({ ...block, page: slide.number }))
}

const HIDDEN_MARK: Block = { kind: 'paragraph', content: [{ kind: 'text', text: '(hidden slide)', italic: true }] }

const toNotes = (blocks: readonly Block[]): Block => ({
  kind: 'quote',
  blocks: [{ kind: 'paragraph', content: [{ kind: 'text', text: 'Notes:', bold: true }] }, ...blocks],
})

/** The paragraphs of a title as one line; its weight says nothing in a heading. */
const toHeading = ({ title }: Slide, level: Heading['level']): Heading | undefined => {
  const lines = title.flatMap((block): (readonly Inline[])[] => ('content' in block ? [block.content] : []))
  if (lines.length === 0) return undefined
  const content = lines.flatMap((line, index): Inline[] => [
    ...(index === 0 ? [] : [{ kind: 'text' as const, text: ' ' }]),
    ...line.map(toHeadingInline),
  ])
  const box = title[0]?.box
  return { kind: 'heading', level, content, ...(box ? { box } : {}) }
}

const toHeadingInline = (inline: Inline): Inline => {
  if (inline.kind === 'break') return { kind: 'text', text: ' ' }
  if (inline.kind !== 'text') return inline
  const { bold: _, ...plain } = inline
  return plain
}

/** The title of a slide as plain text. */
export const titleText = (slide: Slide | undefined): string | undefined => {
  const heading = slide && toHeading(slide, 1)
  const text = heading?.content.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
  return text?.replace(/\s+/g, ' ').trim() || undefined
}
