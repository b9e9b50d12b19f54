import { dropFurniture } from './furniture.ts'
import { groupItems } from './group-items.ts'
import { toPlainText } from './inline-runs.ts'
import { writeGroup, writeItemGroup } from './markdown-blocks.ts'
import type { MarkdownContext } from './markdown-context.ts'
import type { Block, DocumentModel, Inline, Item } from './model.ts'
import { estimateTokens } from './token-estimate.ts'
import { writeNote } from './write-markdown.ts'

/** The smallest piece that chunks are made of: a block, an item or a note as markdown. */
export type ChunkUnit = {
  kind: Block['kind'] | 'note'
  text: string
  tokens: number
  /** Offsets into the markdown of the document. */
  start: number
  end: number
  /** Line breaks between it and what stands before it there. */
  gap: string
  pageStart?: number
  pageEnd?: number
  heading?: { level: number; text: string }
  /** What it was made of; a part of a unit that was split has none. */
  block?: Block
}

type Part = Pick<ChunkUnit, 'kind' | 'text' | 'block'> & { gap: string; notes: readonly string[] }

/** The document as units, in the order of the text; each note follows the unit that first refers to it. */
export const listUnits = (document: DocumentModel, context: MarkdownContext): ChunkUnit[] => {
  const flow = [...listParts(document.blocks, context)]
  const notes = new Map<string, ChunkUnit>()
  let offset = 0
  const place = ({ kind, text, block, gap }: Part, page?: number): ChunkUnit => {
    const start = offset + (offset === 0 ? 0 : gap.length)
    offset = start + text.length
    return {
      kind,
      text,
      tokens: estimateTokens(text),
      start,
      end: offset,
      gap,
      ...pagesOf(block, page),
      ...headOf(block),
    }
  }
  const units = flow.map((part) => ({ unit: place(part), notes: part.notes }))
  for (const note of document.notes) {
    const text = writeNote(note, context)
    if (text !== '') notes.set(note.id, place({ kind: 'note', text, gap: '\n\n', notes: [] }, note.page))
  }
  return [...weaveNotes(units, notes)]
}

function* weaveNotes(
  units: readonly { unit: ChunkUnit; notes: readonly string[] }[],
  notes: ReadonlyMap<string, ChunkUnit>,
): Generator<ChunkUnit> {
  const rest = new Map(notes)
  for (const { unit, notes: referred } of units) {
    yield unit
    for (const id of referred) {
      const note = rest.get(id)
      if (note && rest.delete(id)) yield note
    }
  }
  yield* rest.values()
}

function* listParts(blocks: readonly Block[], context: MarkdownContext): Generator<Part> {
  for (const group of groupItems(dropFurniture(blocks, context.keepsFurniture))) {
    let gap = '\n\n'
    const isList = group[0]?.kind === 'item'
    const texts = isList ? writeItemGroup(group as readonly Item[], context) : [writeGroup(group, context)]
    for (const [index, text] of texts.entries()) {
      const block = group[index]
      const trimmed = text.trimEnd()
      if (trimmed === '' || !block) continue
      yield { kind: block.kind, text: trimmed, block, gap, notes: [...notesOf(block)] }
      gap = text.slice(trimmed.length)
    }
  }
}

const pagesOf = (block: Block | undefined, page = block?.page): Pick<ChunkUnit, 'pageStart' | 'pageEnd' | 'block'> => {
  const last = block?.kind === 'table' ? (block.continued ?? []).reduce((most, { page }) => Math.max(most, page), 0) : 0
  return {
    ...(page === undefined ? {} : { pageStart: page, pageEnd: Math.max(page, last) }),
    ...(block ? { block } : {}),
  }
}

const headOf = (block: Block | undefined): Pick<ChunkUnit, 'heading'> => {
  if (block?.kind === 'heading') return { heading: { level: block.level, text: toPlainText(block.content) } }
  if (block?.kind === 'paragraph' && block.role === 'title')
    return { heading: { level: 1, text: toPlainText(block.content) } }
  return {}
}

function* notesOf(block: Block): Generator<string> {
  if ('content' in block) yield* notesIn(block.content)
  if ('caption' in block) yield* notesIn(block.caption ?? [])
  const inner = block.kind === 'item' ? (block.more ?? []) : block.kind === 'quote' ? block.blocks : []
  for (const each of inner) yield* notesOf(each)
  if (block.kind === 'table') {
    for (const row of block.rows) for (const { blocks } of row) for (const each of blocks) yield* notesOf(each)
  }
}

function* notesIn(content: readonly Inline[]): Generator<string> {
  for (const inline of content) if (inline.kind === 'note') yield inline.id
}
