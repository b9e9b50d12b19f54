import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { contentOption, readContent } from './page.ts'

const { headersFooters: _headersFooters, ...ownChunkOptions } = chunkOptions

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'web.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with their headings, offsets and an estimate of their tokens.',
  options: { content: contentOption, ...ownChunkOptions },
  async *extract(source, { content, ...options }, context) {
    const document = await readContent(source, content, context)
    if (document) yield writeChunksOutput(source, document, { ...options, headersFooters: 'keep' })
  },
})
