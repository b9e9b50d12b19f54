import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { plainText } from '../../shared/document/inline-content.ts'
import type { MarginComment } from '../../shared/document/margin-comment.ts'
import type { Block, DocumentModel } from '../../shared/document/model.ts'
import { visitBlocks } from '../../shared/document/visit-blocks.ts'
import { createBudget } from '../../shared/ooxml/budget.ts'
import { listMedia, withPaths } from '../../shared/ooxml/image-files.ts'
import { openPackage } from '../../shared/ooxml/open-package.ts'
import { findByType, type OfficePackage, type Relationships } from '../../shared/ooxml/package.ts'
import { readCoreProperties } from '../../shared/ooxml/properties.ts'
import { readPart } from '../../shared/ooxml/read-part.ts'
import { perSource } from '../../shared/per-source.ts'
import { makePause } from '../../shared/read-chunks.ts'
import { resolveLinks } from './anchors.ts'
import { readComments } from './comments.ts'
import { readHeadersFooters } from './headers-footers.ts'
import { readNotes } from './notes.ts'
import { readNumbering } from './numbering.ts'
import { createBlockReader } from './read-blocks.ts'
import { type Change, type Reading, startPart } from './reading.ts'
import { readStyles } from './styles.ts'

/** All that is read from a Word file. */
export type WordDocument = {
  model: DocumentModel
  comments: MarginComment[]
  changes: Change[]
  /** By name of the part that holds the image. */
  altTexts: ReadonlyMap<string, string>
  /** Contents in a foreign format (RTF, a saved web archive) that stand in the document and are not read. */
  foreignParts: number
}

const PIECE_BYTES = 65_536
/** Some hundred times the largest documents there are. */
const BODY_LIMITS = { depth: 400, elements: 4_000_000 }

/** Reads a Word file, once for all capabilities of a job. */
export const readWord = perSource(async (source: Source, context: Context): Promise<WordDocument> => {
  const file = await openPackage(source)
  try {
    return await readFile(file, context)
  } finally {
    file.close()
  }
})

const readFile = async (file: OfficePackage, context: Context): Promise<WordDocument> => {
  const relationships = await file.relationshipsOf(file.mainPart)
  const reading = await startReading(file, relationships)
  const blocks = await readBody(reading, relationships, context)
  const { headers, footers } = await readHeadersFooters(reading, relationships)
  const notes = await readNotes(reading, relationships)
  const comments = await readComments(reading, relationships)
  const all = [...headers, ...blocks, ...footers]
  await fillDeferred(reading, all)
  for (const note of notes) await fillDeferred(reading, note.blocks as Block[])
  resolveLinks(reading, all)
  for (const note of notes) resolveLinks(reading, note.blocks as Block[])
  const core = await readCoreProperties(file)
  const title = core.title ?? titleOf(blocks)
  const language = core.language ?? reading.styles.language
  return {
    model: {
      ...(title ? { title } : {}),
      ...(language ? { language } : {}),
      pageUnit: 'page',
      pages: [],
      blocks: all,
      notes,
      images: withPaths([...reading.images.values()], listMedia(file, 'images')),
    },
    comments,
    changes: reading.changes,
    altTexts: reading.altTexts,
    foreignParts: reading.foreignParts,
  }
}

const startReading = async (file: OfficePackage, relationships: Relationships): Promise<Reading> => {
  const styles = await readStyles(file, findByType(relationships, 'styles')?.target)
  const numberingPart = findByType(relationships, 'numbering')?.target
  return {
    file,
    styles,
    numbering: await readNumbering(file, numberingPart, styles.listOf),
    budget: createBudget(),
    images: new Map(),
    altTexts: new Map(),
    noteIds: new Set(),
    anchors: new Map(),
    takenAnchors: new Map(),
    deferred: new Map(),
    changes: [],
    commentedText: new Map(),
    headerFooterIds: { header: new Set(), footer: new Set() },
    foreignParts: 0,
    hasInternalLinks: false,
  }
}

const readBody = async (reading: Reading, relationships: Relationships, context: Context): Promise<Block[]> => {
  const { file } = reading
  const reader = createBlockReader(startPart(reading, relationships))
  const bytes = file.archive.find(file.mainPart)?.bytes ?? 1
  const rest = makePause(context)
  let pieces = 0
  let root: string | undefined
  const pause = (): Promise<void> | undefined => {
    context.progress(Math.min(0.9, (++pieces * PIECE_BYTES) / bytes))
    return rest()
  }
  const { events } = reader
  const open: typeof events.open = (name, attributes) => {
    root ??= name
    if (root !== 'w:document') throw notWord()
    events.open(name, attributes)
  }
  await readPart(file, file.mainPart, { ...events, open }, pause, { limits: BODY_LIMITS })
  return reader.finish()
}

const notWord = (): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason: 'no-document' }, { detail: 'The file is not a Word document.' })

/** Puts what other parts hold (charts, diagrams) where it belongs. */
const fillDeferred = async (reading: Reading, blocks: Block[]): Promise<void> => {
  if (reading.deferred.size === 0) return
  const found = new Map<Block, Block[]>()
  for (const [stand, read] of reading.deferred) found.set(stand, await read())
  reading.deferred.clear()
  const isStand = (block: Block) => found.has(block)
  visitBlocks(blocks, {
    blocks(list) {
      if (list.some(isStand)) list.splice(0, list.length, ...list.flatMap((block) => found.get(block) ?? [block]))
    },
  })
}

const titleOf = (blocks: readonly Block[]): string | undefined => {
  const first =
    blocks.find((block) => block.kind === 'paragraph' && block.role === 'title') ??
    blocks.find((block) => block.kind === 'heading')
  return first && 'content' in first ? plainText(first.content).trim() : undefined
}
