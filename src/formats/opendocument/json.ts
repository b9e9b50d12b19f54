import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'
import { readingOptions } from './options.ts'

/** All that is known of the document, for programs. */
export const json = defineCapability({
  id: 'opendocument.json',
  output: 'json',
  defaultSelected: false,
  detail: 'The document as JSON: blocks with kind, text, styles and links, slides, notes, images.',
  options: readingOptions,
  async *extract(source, options, context) {
    yield writeJsonOutput(source, await readDocument(source, options, context))
  },
})
