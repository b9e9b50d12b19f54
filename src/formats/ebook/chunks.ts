import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'

const { headersFooters: _headersFooters, ...ownChunkOptions } = chunkOptions

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'ebook.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with the chapters they stand in, offsets and an estimate of their tokens.',
  options: ownChunkOptions,
  async *extract(source, options, context) {
    const document = await readContent(source, context)
    if (document) yield writeChunksOutput(source, document, { ...options, headersFooters: 'keep' })
  },
})
