import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption, textPageBreaksOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readContent } from './document.ts'

/** The text as it reads. */
export const text = defineCapability({
  id: 'word.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8: a line per paragraph, item and table row, notes at the end; tracked changes accepted.',
  options: {
    password: passwordOption,
    headersFooters: headersFootersOption,
    pageBreaks: {
      ...textPageBreaksOption,
      detail: 'What stands where the author began a new page: the control character U+000C, a line, or nothing.',
    },
    tableLayout: tableLayoutOption,
  },
  async *extract(source, options, context) {
    const document = await readContent(source, context, options.password)
    if (document) yield* writeTextFiles(source, document, options)
  },
})
