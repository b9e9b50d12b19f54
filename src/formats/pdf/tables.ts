import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'
import { readingAddOns, readingOptions, readingTools } from './options.ts'

/** Every table as files of its own. */
export const tables = defineCapability({
  id: 'pdf.tables',
  output: 'tables',
  defaultSelected: true,
  detail: 'Each table as CSV by RFC 4180 and as JSON with its page, its box and its merged cells.',
  options: { ...readingOptions, mergedCells: mergedCellsOption },
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const { document } = await readDocument(source, options, context)
    yield* writeTableFiles(document, options.mergedCells, context)
  },
})
