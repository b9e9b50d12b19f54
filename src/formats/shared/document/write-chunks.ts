import { type ChunkUnit, listUnits } from './chunk-units.ts'
import { createMarkdownContext, type MarkdownOptions } from './markdown-context.ts'
import type { DocumentModel } from './model.ts'
import { splitSentences } from './split-text.ts'
import { fitUnit } from './split-units.ts'
import { estimateTokens } from './token-estimate.ts'

export type ChunkOptions = Omit<MarkdownOptions, 'pageBreaks'> & {
  /** Most tokens of a chunk, as estimated. */
  maxTokens?: number
  /** Tokens at the end of a chunk that the next one repeats, in whole sentences; none across headings. */
  overlapTokens?: number
}

/** A piece of a document that fits a retrieval index. */
export type Chunk = {
  /** From 0. */
  index: number
  /** Markdown. */
  text: string
  /** The headings that it stands under, outermost first. */
  headings: string[]
  pageStart?: number
  pageEnd?: number
  tokens: number
  /** Offsets into the markdown that the same options give, without the notes that the text refers to. */
  start: number
  end: number
  kinds: ChunkUnit['kind'][]
}

const DEFAULT_MAX_TOKENS = 512
/** A chunk smaller than this share of the most goes on under the next heading, unless that begins something larger. */
const SMALL_SHARE = 1 / 8

/** A document as JSON lines, a chunk on each. */
export function* writeChunks(document: DocumentModel, options: ChunkOptions = {}): Generator<string> {
  for (const chunk of makeChunks(document, options)) yield `${JSON.stringify(chunk)}\n`
}

/** Cuts a document at its headings, then at blocks, then inside them, so that no chunk is over the limit. */
export function* makeChunks(document: DocumentModel, options: ChunkOptions = {}): Generator<Chunk> {
  const maxTokens = options.maxTokens ?? DEFAULT_MAX_TOKENS
  const overlap = Math.min(options.overlapTokens ?? 0, Math.floor(maxTokens / 2))
  const context = createMarkdownContext(document, options)
  const path: Heading[] = []
  let draft = startDraft([])
  let index = 0
  const finish = (): Chunk => toChunk(draft, index++)
  for (const unit of listUnits(document, context)) {
    if (unit.heading) {
      if (draft.hasBody && endsAt(draft, unit.heading, maxTokens)) {
        yield finish()
        draft = startDraft([])
      }
      enter(path, unit.heading)
    }
    // The headings right above go wherever the unit goes.
    const room = Math.max(maxTokens - trailingTokens(draft), Math.ceil(maxTokens / 2))
    // Parts leave room for what they repeat of the part before them.
    const partTokens = Math.max(room - overlap, Math.ceil(maxTokens / 4))
    for (const part of unit.tokens <= room ? [unit] : fitUnit(unit, partTokens, context)) {
      if (draft.units.length > 0 && draft.tokens + part.tokens > maxTokens) {
        const carried = part.heading ? [] : takeHeadings(draft)
        const repeated = carried.length > 0 ? undefined : takeOverlap(draft, overlap, maxTokens - part.tokens)
        if (draft.units.length > 0) yield finish()
        draft = startDraft([...carried, ...(repeated ? [repeated] : [])])
        if (carried.length > 0 && draft.tokens + part.tokens > maxTokens) {
          yield finish()
          draft = startDraft([])
        }
      }
      add(draft, part, path)
    }
  }
  if (draft.units.length > 0) yield finish()
}

type Heading = { level: number; text: string }
type Draft = { units: ChunkUnit[]; tokens: number; hasBody: boolean; headings: string[]; level: number }

const startDraft = (units: ChunkUnit[]): Draft => ({
  units,
  tokens: sumTokens(units),
  hasBody: false,
  headings: [],
  level: 0,
})

const add = (draft: Draft, unit: ChunkUnit, path: readonly Heading[]): void => {
  draft.units.push(unit)
  draft.tokens += unit.tokens
  if (!draft.hasBody) {
    draft.headings = path.map(({ text }) => text)
    draft.level = path.at(-1)?.level ?? 0
  }
  draft.hasBody ||= !unit.heading
}

const enter = (path: Heading[], heading: Heading): void => {
  while (path.length > 0 && (path.at(-1)?.level ?? 0) >= heading.level) path.pop()
  path.push(heading)
}

const endsAt = ({ tokens, level }: Draft, heading: Heading, maxTokens: number): boolean =>
  tokens >= maxTokens * SMALL_SHARE || heading.level < level

/** Headings at the end of a chunk belong to what follows them. */
const takeHeadings = (draft: Draft): ChunkUnit[] => {
  if (!draft.hasBody) return []
  const taken = draft.units.splice(firstTrailing(draft))
  draft.tokens -= sumTokens(taken)
  return taken
}

const firstTrailing = ({ units }: Draft): number => units.findLastIndex(({ heading }) => !heading) + 1
const trailingTokens = (draft: Draft): number => sumTokens(draft.units.slice(firstTrailing(draft)))
const sumTokens = (units: readonly ChunkUnit[]): number => units.reduce((sum, { tokens }) => sum + tokens, 0)

/** The last sentences of a chunk, as a unit of the next one. */
const takeOverlap = ({ units }: Draft, overlapTokens: number, room: number): ChunkUnit | undefined => {
  const last = units.at(-1)
  if (last?.kind !== 'paragraph' && last?.kind !== 'item') return undefined
  let text = ''
  for (const sentence of splitSentences(last.text).toReversed()) {
    const more = sentence + text
    if (estimateTokens(more) > Math.min(overlapTokens, room)) break
    text = more
  }
  if (text.trim() === '') return undefined
  const { block: _block, ...rest } = last
  return { ...rest, text, tokens: estimateTokens(text), start: last.end - text.length, gap: '' }
}

const toChunk = ({ units, headings }: Draft, index: number): Chunk => {
  let text = ''
  for (const [at, unit] of units.entries()) {
    // A note was put after what refers to it: what follows it there is a block of its own.
    text += at === 0 ? unit.text : `${units[at - 1]?.kind === 'note' ? '\n\n' : unit.gap}${unit.text}`
  }
  const flow = units.filter(({ kind }) => kind !== 'note')
  const placed = flow.length > 0 ? flow : units
  const pages = units.flatMap(({ pageStart, pageEnd }) =>
    pageStart === undefined ? [] : [pageStart, pageEnd ?? pageStart],
  )
  return {
    index,
    text,
    headings,
    ...(pages.length > 0 ? { pageStart: Math.min(...pages), pageEnd: Math.max(...pages) } : {}),
    tokens: estimateTokens(text),
    start: Math.min(...placed.map(({ start }) => start)),
    end: Math.max(...placed.map(({ end }) => end)),
    kinds: [...new Set(units.map(({ kind }) => kind))],
  }
}
