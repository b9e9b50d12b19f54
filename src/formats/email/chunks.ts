import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { chunkOptions, referToImage } from '../shared/document/options.ts'
import { type ChunkOptions, makeChunks } from '../shared/document/write-chunks.ts'
import { isManyMails } from './open-mails.ts'
import { type ReadingOptions, readingOptions } from './options.ts'
import { readDocuments } from './read-documents.ts'

const { headersFooters: _headersFooters, ...ownChunkOptions } = chunkOptions

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'email.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail:
    'JSON lines: pieces of markdown with their headings, offsets and an estimate of their tokens; in a mailbox with the number of their message.',
  options: { ...readingOptions, ...ownChunkOptions },
  async *extract(source, options, context) {
    yield {
      path: artifactPath(source, 'chunks', 'jsonl'),
      mediaType: 'application/jsonl',
      data: writeLines(source, options, context),
    }
  },
})

async function* writeLines(
  source: Source,
  options: ReadingOptions & ChunkOptions,
  context: Context,
): AsyncGenerator<string> {
  let index = 0
  for await (const { document, number } of readDocuments(source, { ...options, headers: 'heading' }, context)) {
    const message = isManyMails(source) ? { message: number } : {}
    for (const chunk of makeChunks(document, { ...options, headersFooters: 'keep', imageHref: referToImage })) {
      yield `${JSON.stringify({ ...chunk, ...message, index: index++ })}\n`
    }
  }
}
