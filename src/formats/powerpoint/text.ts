import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption, textSlideBreaksOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { slideOptions } from './options.ts'
import { readContent } from './read-content.ts'

/** The text of the slides in the order in which a person reads it. */
export const text = defineCapability({
  id: 'powerpoint.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8, slide by slide in reading order: titles, bullets, tables, data of charts, diagrams.',
  options: {
    ...slideOptions,
    headersFooters: headersFootersOption,
    pageBreaks: textSlideBreaksOption,
    tableLayout: tableLayoutOption,
  },
  async *extract(source, options, context) {
    const document = await readContent(source, options, context)
    if (document) yield* writeTextFiles(source, document, options)
  },
})
