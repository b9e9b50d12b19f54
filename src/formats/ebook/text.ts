import { defineCapability } from '../../core/catalog.ts'
import { tableLayoutOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'

/** The text as it reads. */
export const text = defineCapability({
  id: 'ebook.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8, in reading order: a line per paragraph, verse and table row, notes at the end.',
  options: { tableLayout: tableLayoutOption },
  async *extract(source, { tableLayout }, context) {
    const document = await readContent(source, context)
    if (document) yield* writeTextFiles(source, document, { tableLayout, headersFooters: 'keep', pageBreaks: 'none' })
  },
})
