import { defineCapability } from '../../core/catalog.ts'
import { headersFootersOption, imageModeOption, tableFormatOption } from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { embedPictures } from './embed-pictures.ts'
import { readingOptions } from './options.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'opendocument.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail:
    'CommonMark with the tables and footnotes of GitHub: headings, lists with their numbers, tables, links, notes, formulas, images; a section per slide.',
  options: {
    ...readingOptions,
    headersFooters: headersFootersOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
    pageBreaks: {
      type: 'enum',
      allowedValues: ['auto', 'none', 'comment', 'rule'],
      defaultValue: 'auto',
      detail:
        'What stands between slides, or where the author began a new page: nothing, a comment, or `---`. `auto`: `<!-- slide 3 -->` before each slide, nothing in texts.',
    },
  },
  async *extract(source, options, context) {
    const document = await readContent(source, options, context)
    if (!document) return
    const automatic = document.pages.length > 0 ? 'comment' : 'none'
    const pageBreaks = options.pageBreaks === 'auto' ? automatic : options.pageBreaks
    yield* writeMarkdownFiles(source, document, { ...options, pageBreaks }, () =>
      embedPictures(source, options.password, document.images, context),
    )
  },
})
