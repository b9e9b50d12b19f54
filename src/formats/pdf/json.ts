import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'
import { readingAddOns, readingOptions, readingTools } from './options.ts'

/** All that is known of the document, for programs. */
export const json = defineCapability({
  id: 'pdf.json',
  output: 'json',
  defaultSelected: false,
  detail:
    'The document as JSON: pages with their sizes, blocks with kind, text, page, box and confidence, notes, images.',
  options: readingOptions,
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const { document } = await readDocument(source, options, context)
    yield writeJsonOutput(source, document)
  },
})
