import { defineCapability } from '../../core/catalog.ts'
import {
  headersFootersOption,
  imageModeOption,
  markdownPageBreaksOption,
  tableFormatOption,
} from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { embedMedia } from '../shared/ooxml/image-files.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readContent } from './document.ts'
import { asDocx } from './legacy/as-docx.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'word.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail:
    'CommonMark with the tables and footnotes of GitHub: headings, lists with their numbers, tables, links, notes, formulas, images.',
  options: {
    password: passwordOption,
    headersFooters: headersFootersOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
    pageBreaks: {
      ...markdownPageBreaksOption,
      detail: 'What stands where the author began a new page: nothing, a comment, or `---`.',
    },
  },
  async *extract(source, options, context) {
    const document = await readContent(source, context, options.password)
    if (!document) return
    const file = await asDocx(source, context, options.password)
    yield* writeMarkdownFiles(source, document, options, () => embedMedia(file, document.images, context))
  },
})
