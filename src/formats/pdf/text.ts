import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption, textPageBreaksOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { readingAddOns, readingOptions, readingTools } from './options.ts'

/** The text in the order in which a person reads it. */
export const text = defineCapability({
  id: 'pdf.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text in reading order, UTF-8: a line per paragraph, item and table row, pages told apart.',
  options: {
    ...readingOptions,
    headersFooters: headersFootersOption,
    pageBreaks: textPageBreaksOption,
    tableLayout: tableLayoutOption,
  },
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const { document } = await readContent(source, options, context)
    yield* writeTextFiles(source, document, options)
  },
})
