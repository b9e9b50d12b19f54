import type { Block, DocumentModel, Note, Page } from './model.ts'

/** A page with the blocks that begin on it and its notes; without a page where the document has none. */
export type Section = { page?: Page; blocks: readonly Block[]; notes: readonly Note[] }

/** The document page by page, empty pages too. What names no page belongs to the page before it. */
export const splitByPage = ({ pages, blocks, notes }: DocumentModel): Section[] => {
  if (pages.length === 0) return [{ blocks, notes }]
  const sections = pages.map((page) => ({ page, blocks: [] as Block[], notes: [] as Note[] }))
  let index = 0
  for (const block of blocks) {
    while (index < pages.length - 1 && (pages[index + 1] as Page).number <= (block.page ?? 0)) index++
    sections[index]?.blocks.push(block)
  }
  const byNumber = new Map(sections.map((section) => [section.page.number, section]))
  for (const note of notes) (byNumber.get(note.page ?? -1) ?? sections.at(-1))?.notes.push(note)
  return sections
}
