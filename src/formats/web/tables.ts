import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { contentOption, outputsOption, readDocument } from './page.ts'

/** Every table as files of its own. */
export const tables = defineCapability({
  id: 'web.tables',
  output: 'tables',
  defaultSelected: true,
  detail: 'Each table as CSV by RFC 4180 and as JSON with its merged cells.',
  options: { content: contentOption, outputs: outputsOption, mergedCells: mergedCellsOption },
  async *extract(source, { content, outputs, mergedCells }, context) {
    const { document } = await readDocument(source, content, context, outputs)
    yield* writeTableFiles(document, mergedCells, context)
  },
})
