import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption } from '../shared/document/options.ts'
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
    pageBreaks: {
      type: 'enum',
      allowedValues: ['form-feed', 'line', 'none'],
      defaultValue: 'form-feed',
      detail: 'What stands between pages: the control character U+000C, a line such as `--- page 3 ---`, or nothing.',
    },
    tableLayout: tableLayoutOption,
  },
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const { document } = await readContent(source, options, context)
    yield* writeTextFiles(source, document, options)
  },
})
