import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, tableLayoutOption, textSlideBreaksOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { readingOptions } from './options.ts'

/** The text as it reads. */
export const text = defineCapability({
  id: 'opendocument.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8: a line per paragraph, item and table row, notes at the end; tracked changes accepted.',
  options: {
    ...readingOptions,
    headersFooters: headersFootersOption,
    pageBreaks: textSlideBreaksOption,
    tableLayout: tableLayoutOption,
  },
  async *extract(source, options, context) {
    const document = await readContent(source, options, context)
    if (!document) return
    // Where the author of a text began a new page says nothing to whoever reads it as one text.
    const pageBreaks = document.pages.length > 0 ? options.pageBreaks : 'none'
    yield* writeTextFiles(source, document, { ...options, pageBreaks })
  },
})
