import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { contentOption, readDocument } from './page.ts'

/** Every table as files of its own. */
export const tables = defineCapability({
  id: 'web.tables',
  output: 'tables',
  defaultSelected: true,
  detail: 'Each table as CSV by RFC 4180 and as JSON with its merged cells.',
  options: { content: contentOption, mergedCells: mergedCellsOption },
  async *extract(source, { content, mergedCells }, context) {
    const { document } = await readDocument(source, content, context)
    yield* writeTableFiles(document, mergedCells, context)
  },
})
