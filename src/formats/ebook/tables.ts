import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { readDocument } from './document.ts'

/** Every table as files of its own. */
export const tables = defineCapability({
  id: 'ebook.tables',
  output: 'tables',
  defaultSelected: false,
  detail: 'Each table as CSV by RFC 4180 and as JSON with its merged cells.',
  options: { mergedCells: mergedCellsOption },
  async *extract(source, { mergedCells }, context) {
    yield* writeTableFiles(await readDocument(source, context), mergedCells, context)
  },
})
