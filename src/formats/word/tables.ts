import { defineCapability } from '../../core/catalog.ts'
import { mergedCellsOption } from '../shared/document/options.ts'
import { writeTableFiles } from '../shared/document/write-outputs.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readDocument } from './document.ts'

/** Every table as files of its own, the data of charts too. */
export const tables = defineCapability({
  id: 'word.tables',
  output: 'tables',
  defaultSelected: false,
  detail: 'Each table, and the data of each chart, as CSV by RFC 4180 and as JSON with its merged cells.',
  options: { password: passwordOption, mergedCells: mergedCellsOption },
  async *extract(source, { password, mergedCells }, context) {
    yield* writeTableFiles(await readDocument(source, context, password), mergedCells, context)
  },
})
