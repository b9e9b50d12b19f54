import { defineCapability } from '../../core/catalog.ts'
import { tableLayoutOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { contentOption, outputsOption, readContent } from './page.ts'

/** The text as it reads. */
export const text = defineCapability({
  id: 'web.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8: a line per paragraph, item and table row.',
  options: { content: contentOption, outputs: outputsOption, tableLayout: tableLayoutOption },
  async *extract(source, { content, outputs, tableLayout }, context) {
    const document = await readContent(source, content, context, outputs)
    if (document) yield* writeTextFiles(source, document, { tableLayout, headersFooters: 'keep', pageBreaks: 'none' })
  },
})
