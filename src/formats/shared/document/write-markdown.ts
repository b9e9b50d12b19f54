import { dropFurniture } from './furniture.ts'
import { groupItems } from './group-items.ts'
import { writeBlocks, writeGroup } from './markdown-blocks.ts'
import { createMarkdownContext, type MarkdownContext, type MarkdownOptions } from './markdown-context.ts'
import { indentLines } from './markdown-lists.ts'
import type { Block, DocumentModel, Inline, Note } from './model.ts'
import { type Section, splitByPage } from './sections.ts'

export type { MarkdownOptions } from './markdown-context.ts'
export type { TableFormat } from './table-format.ts'

/**
 * A document as CommonMark with the tables and footnotes of GitHub, a piece at a time.
 *
 * Footnotes are defined at the end, or at the end of their page where pages are marked.
 */
export function* writeMarkdown(document: DocumentModel, options: MarkdownOptions = {}): Generator<string> {
  let isFirst = true
  for (const part of writeParts(document, options)) {
    yield isFirst ? `${part}\n` : `\n${part}\n`
    isFirst = false
  }
}

function* writeParts(document: DocumentModel, options: MarkdownOptions): Generator<string> {
  const context = createMarkdownContext(document, options)
  const marks = options.pageBreaks ?? 'none'
  const sections: readonly Section[] = marks === 'none' ? [document] : splitByPage(document)
  for (const [index, { page, blocks, notes }] of sections.entries()) {
    if (page && marks === 'comment') yield `<!-- ${document.pageUnit} ${page.number} -->`
    if (page && marks === 'rule' && index > 0) yield '---'
    for (const group of groupItems(dropFurniture(blocks, context.keepsFurniture))) {
      const text = isBreak(group[0], document) ? writeBreak(marks) : writeGroup(group, context)
      if (text !== '') yield text
    }
    yield* writeNotes(notes, context)
  }
}

/** Breaks that the author set matter where nothing else tells one page from the next. */
const isBreak = (block: Block | undefined, { pages }: DocumentModel): boolean =>
  block?.kind === 'page-break' && pages.length === 0

const writeBreak = (marks: 'none' | 'comment' | 'rule'): string =>
  marks === 'none' ? '' : marks === 'rule' ? '---' : '<!-- page break -->'

/** Notes that the text refers to are defined; the others, which no renderer would show, are paragraphs. */
function* writeNotes(notes: readonly Note[], context: MarkdownContext): Generator<string> {
  for (const note of notes) {
    const text = writeNote(note, context)
    if (text !== '') yield text
  }
}

/** The definition of a note, or a paragraph where nothing refers to it. */
export const writeNote = (note: Note, context: MarkdownContext): string => {
  const label = context.noteLabels.get(note.id)
  const lead = [label === undefined ? note.label : undefined, note.author && `${note.author}:`]
    .filter(Boolean)
    .join(' ')
  const body = writeBlocks(lead === '' ? note.blocks : prefixBlocks(note.blocks, `${lead} `), context)
  return label === undefined ? body : `[^${label}]: ${indentLines(body, 4)}`
}

const prefixBlocks = (blocks: readonly Block[], lead: string): Block[] => {
  const inline: Inline = { kind: 'text', text: lead }
  const [first, ...rest] = blocks
  return first?.kind === 'paragraph'
    ? [{ ...first, content: [inline, ...first.content] }, ...rest]
    : [{ kind: 'paragraph', content: [inline] }, ...blocks]
}
