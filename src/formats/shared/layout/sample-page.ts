import type { Block, DocumentModel, Inline } from '../document/model.ts'
import { createAssembler } from './assemble.ts'
import type { PageContent, TextRun } from './page-content.ts'

const NARROW = /[iljtf.,:;' ]/
const WIDE = /[mwMW–•]/
const PAGE_WIDTH = 612
const PAGE_HEIGHT = 792

/** For tests: a run with its left top corner at a place; 10 points high unless told. */
export const textRun = (text: string, x: number, y: number, more: Partial<TextRun> = {}): TextRun => {
  const fontSize = more.fontSize ?? 10
  return {
    text,
    x,
    y,
    width: [...text].reduce((sum, character) => sum + widthOf(character), 0) * fontSize,
    height: fontSize * 1.1,
    font: 'Serif',
    fontSize,
    bold: false,
    italic: false,
    monospace: false,
    rotation: 0,
    ...more,
  }
}

const widthOf = (character: string): number => (NARROW.test(character) ? 0.3 : WIDE.test(character) ? 0.8 : 0.5)

/** For tests: lines under each other. */
export const textLines = (texts: readonly string[], x: number, y: number, more: Partial<TextRun> = {}): TextRun[] =>
  texts.map((text, index) => textRun(text, x, y + index * (more.fontSize ?? 10) * 1.3, more))

/** For tests: a page with these runs and nothing else, unless told. */
export const pageOf = (runs: readonly TextRun[], more: Partial<PageContent> = {}): PageContent => ({
  number: 1,
  width: PAGE_WIDTH,
  height: PAGE_HEIGHT,
  source: 'text',
  runs,
  lines: [],
  shapes: [],
  images: [],
  links: [],
  structure: [],
  ...more,
})

/** For tests: the document of pages. */
export const assemble = (...pages: readonly PageContent[]): DocumentModel => {
  const assembler = createAssembler()
  for (const page of pages) assembler.add(page)
  return assembler.finish()
}

/** For tests: text of inlines; references to notes as `[id]`. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map((inline) => (inline.kind === 'text' ? inline.text : inline.kind === 'note' ? `[${inline.id}]` : ''))
    .join('')

/** For tests: blocks as short lines, `kind: text`. */
export const describeBlocks = (blocks: readonly Block[]): string[] =>
  blocks.map((block) => {
    if (block.kind === 'heading') return `h${block.level}: ${plainText(block.content)}`
    if (block.kind === 'item') return `item ${block.depth} ${block.marker}: ${plainText(block.content)}`
    if (block.kind === 'furniture') return `${block.role}: ${plainText(block.content)}`
    if (block.kind === 'paragraph') return `${block.role ?? 'p'}: ${plainText(block.content)}`
    return block.kind === 'code' ? `code: ${block.text}` : block.kind
  })
