import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'
import { readingOptions } from './options.ts'

/** Every table as files of its own, the data of charts too. */
export const tables = defineCapability({
  id: 'opendocument.tables',
  output: 'tables',
  defaultSelected: false,
  detail: 'Each table, and the data of each chart, as CSV by RFC 4180 and as JSON with its merged cells.',
  options: { ...readingOptions, mergedCells: mergedCellsOption },
  async *extract(source, { mergedCells, ...options }, context) {
    yield* writeTableFiles(await readDocument(source, options, context), mergedCells, context)
  },
})
