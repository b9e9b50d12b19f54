import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'

/** The text as it reads. */
export const text = defineCapability({
  id: 'word.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8: a line per paragraph, item and table row, notes at the end; tracked changes accepted.',
  options: { headersFooters: headersFootersOption, tableLayout: tableLayoutOption },
  async *extract(source, options, context) {
    const document = await readContent(source, context)
    if (document) yield* writeTextFiles(source, document, { ...options, pageBreaks: 'none' })
  },
})
