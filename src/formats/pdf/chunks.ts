import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { readingAddOns, readingOptions, readingTools } from './options.ts'

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'pdf.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with their headings, pages, offsets and an estimate of their tokens.',
  options: { ...readingOptions, ...chunkOptions },
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const { document } = await readContent(source, options, context)
    yield writeChunksOutput(source, document, options)
  },
})
