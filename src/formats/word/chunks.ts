import { defineCapability } from '../../core/catalog.ts'
import { chunkOptions } from '../shared/document/options.ts'
import { writeChunksOutput } from '../shared/document/write-outputs.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readContent } from './document.ts'

/** The text in pieces for a retrieval index. */
export const chunks = defineCapability({
  id: 'word.chunks',
  output: 'chunks',
  defaultSelected: false,
  detail: 'JSON lines: pieces of markdown with their headings, offsets and an estimate of their tokens.',
  options: { password: passwordOption, ...chunkOptions },
  async *extract(source, options, context) {
    const document = await readContent(source, context, options.password)
    if (document) yield writeChunksOutput(source, document, options)
  },
})
