import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { readingOptions } from './options.ts'

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'opendocument.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with their headings, slides, offsets and an estimate of their tokens.',
  options: { ...readingOptions, ...chunkOptions },
  async *extract(source, options, context) {
    const document = await readContent(source, options, context)
    if (document) yield writeChunksOutput(source, document, options)
  },
})
