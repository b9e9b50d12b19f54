import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'

/** All that is known of the text, for programs. */
export const json = defineCapability({
  id: 'ebook.json',
  output: 'json',
  defaultSelected: false,
  detail: 'The book as JSON: blocks with kind, text, styles and links, notes, images.',
  options: {},
  async *extract(source, _options, context) {
    yield writeJsonOutput(source, await readDocument(source, context))
  },
})
