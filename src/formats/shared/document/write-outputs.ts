import type { Artifact, Context, Source } from '../../../core/catalog.ts'
import { artifactPath } from '../artifact-path.ts'
import { writeJsonFile } from '../json-file.ts'
import { separateFurniture } from './furniture.ts'
import type { DocumentImage, DocumentModel } from './model.ts'
import { referToImage } from './options.ts'
import { streamPieces } from './stream-pieces.ts'
import { type ChunkOptions, writeChunks } from './write-chunks.ts'
import { writeJson } from './write-json.ts'
import { type MarkdownOptions, writeMarkdown } from './write-markdown.ts'
import { findTables, type MergedCells, toTableJson, writeTableCsv } from './write-table.ts'
import { type TextOptions, writeText } from './write-text.ts'

/** Where an image can be found; undefined where it is to be left out. */
export type ImageHref = (image: DocumentImage) => string | undefined

type HeadersFooters = 'drop' | 'keep' | 'separate'

const TEXT_TYPE = 'text/plain; charset=utf-8'
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** A document as a text file, and its headers and footers as another where they are to be apart. */
export function* writeTextFiles(
  source: Source,
  document: DocumentModel,
  options: Omit<TextOptions, 'headersFooters'> & { headersFooters: HeadersFooters },
): Generator<Artifact> {
  const headersFooters = options.headersFooters === 'keep' ? 'keep' : 'drop'
  const pieces = writeText(document, { ...options, headersFooters })
  yield { path: artifactPath(source, 'text', 'txt'), mediaType: TEXT_TYPE, data: streamPieces(pieces) }
  const furniture = options.headersFooters === 'separate' ? separateFurniture(document) : undefined
  if (!furniture) return
  const path = artifactPath(source, 'text', 'headers-footers.txt')
  yield { path, mediaType: TEXT_TYPE, data: streamPieces(writeText(furniture, { pageBreaks: 'line' })) }
}

/**
 * A document as a markdown file, and its headers and footers as another where they are to be apart. `embed` gives the
 * `data:` addresses of images that are to stand in the markdown itself.
 */
export async function* writeMarkdownFiles(
  source: Source,
  document: DocumentModel,
  options: Omit<MarkdownOptions, 'headersFooters' | 'imageHref'> & {
    headersFooters: HeadersFooters
    imageMode: 'reference' | 'embed' | 'omit'
  },
  embed: () => Promise<ImageHref>,
): AsyncGenerator<Artifact> {
  const { imageMode, ...rest } = options
  const headersFooters = options.headersFooters === 'keep' ? 'keep' : 'drop'
  const imageHref = imageMode === 'embed' ? await embed() : imageMode === 'reference' ? referToImage : () => undefined
  const pieces = writeMarkdown(document, { ...rest, headersFooters, imageHref })
  yield { path: artifactPath(source, 'markdown', 'md'), mediaType: MARKDOWN_TYPE, data: streamPieces(pieces) }
  const furniture = options.headersFooters === 'separate' ? separateFurniture(document) : undefined
  if (!furniture) return
  const path = artifactPath(source, 'markdown', 'headers-footers.md')
  yield { path, mediaType: MARKDOWN_TYPE, data: streamPieces(writeMarkdown(furniture, { pageBreaks: 'comment' })) }
}

/** A document as JSON, for programs. */
export const writeJsonOutput = (source: Source, document: DocumentModel): Artifact => ({
  path: artifactPath(source, 'json', 'json'),
  mediaType: 'application/json',
  data: streamPieces(writeJson(document)),
})

/** A document as JSON lines of chunks. */
export const writeChunksOutput = (source: Source, document: DocumentModel, options: ChunkOptions): Artifact => ({
  path: artifactPath(source, 'chunks', 'jsonl'),
  mediaType: 'application/jsonl',
  data: streamPieces(writeChunks(document, { ...options, imageHref: referToImage })),
})

/** Each table of a document as CSV and as JSON, named by its page where it has one. */
export function* writeTableFiles(
  document: DocumentModel,
  mergedCells: MergedCells,
  context: Context,
): Generator<Artifact> {
  const counts = new Map<number | undefined, number>()
  for (const table of findTables(document.blocks)) {
    context.signal.throwIfAborted()
    const { page } = table
    const number = (counts.get(page) ?? 0) + 1
    counts.set(page, number)
    const stem = page === undefined ? `tables/table-${number}` : `tables/table-${document.pageUnit[0]}${page}-${number}`
    const provenance = page === undefined ? {} : { [document.pageUnit]: page }
    const csv = writeTableCsv(table, mergedCells)
    yield { path: `${stem}.csv`, mediaType: 'text/csv; charset=utf-8', provenance, data: csv }
    const json = writeJsonFile(toTableJson(table, mergedCells))
    yield { path: `${stem}.json`, mediaType: 'application/json', provenance, data: json }
  }
}
