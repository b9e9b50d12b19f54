import type { DocumentModel, Note, Page } from '../document/model.ts'
import { type Findings, toBlocks, toParagraph } from './blocks.ts'
import { joinContinuations } from './continuations.ts'
import { readDocumentStyle } from './document-style.ts'
import type { Draft } from './drafts.ts'
import { findFurniture } from './furniture.ts'
import { findHeadings } from './headings.ts'
import { createVocabulary, LINE_HYPHEN, settleInlines, type Vocabulary } from './hyphens.ts'
import { layOutPage } from './layout-page.ts'
import { findItems } from './lists.ts'
import { findNotes } from './notes.ts'
import type { OutlineEntry } from './outline.ts'
import type { PageContent } from './page-content.ts'

export type { OutlineEntry } from './outline.ts'

/** Takes pages one at a time and makes a document of them in the end. */
export type Assembler = {
  add(page: PageContent): void
  finish(): DocumentModel
}

/** Makes a document of pages: each is laid out as it comes, what needs the whole document is decided at the end. */
export const createAssembler = (options: { outline?: readonly OutlineEntry[] } = {}): Assembler => {
  const pages: Page[] = []
  const drafted: Draft[][] = []
  const images: string[] = []
  return {
    add: (page) => {
      pages.push(toPage(page))
      for (const { id } of page.images) images.push(id)
      drafted.push(layOutPage(page))
    },
    finish: () => {
      const style = readDocumentStyle(drafted.flat())
      const furniture = findFurniture(drafted, style)
      const isFurniture = (draft: Draft) => furniture.has(draft)
      const vocabulary = readVocabulary(drafted)
      const settle: Findings['settle'] = (content) => settleInlines(content, vocabulary)
      const notes: Note[] = []
      const flow: Draft[] = []
      for (const drafts of drafted) {
        let count = notes.length
        const found = findNotes(drafts, isFurniture, style, () => `note-${++count}`)
        for (const { id, label, page, drafts: own } of found.notes) {
          const blocks = own.map((draft) => toParagraph(draft, { settle, style }))
          notes.push({ id, kind: 'footnote', label, page, blocks })
        }
        flow.push(...found.rest)
      }
      const joined = joinContinuations(flow, isFurniture)
      const headings = findHeadings(joined, isFurniture, style, options.outline ?? [])
      const items = findItems(joined, (draft) => !furniture.has(draft) && !headings.has(draft))
      const blocks = toBlocks(joined, { style, furniture, headings, items, settle })
      return {
        pageUnit: 'page',
        pages,
        blocks,
        notes,
        images: [...new Set(images)].map((id) => ({ id })),
      }
    },
  }
}

const readVocabulary = (drafted: readonly (readonly Draft[])[]): Vocabulary => {
  const vocabulary = createVocabulary()
  const texts = drafted.flatMap((drafts) => drafts.flatMap((draft) => (draft.kind === 'text' ? [draft.text] : [])))
  if (texts.some((text) => text.includes(LINE_HYPHEN))) for (const text of texts) vocabulary.add(text)
  return vocabulary
}

const toPage = ({ number, label, width, height, source }: PageContent): Page => ({
  number,
  ...(label === undefined ? {} : { label }),
  width,
  height,
  ...(source === 'text' ? {} : { source }),
})
