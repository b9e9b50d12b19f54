import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { contentOption, outputsOption, readContent } from './page.ts'

const { headersFooters: _headersFooters, ...ownChunkOptions } = chunkOptions

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'web.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with their headings, offsets and an estimate of their tokens.',
  options: { content: contentOption, outputs: outputsOption, ...ownChunkOptions },
  async *extract(source, { content, outputs, ...options }, context) {
    const document = await readContent(source, content, context, outputs)
    if (document) yield writeChunksOutput(source, document, { ...options, headersFooters: 'keep' })
  },
})
