import { defineCapability } from '../../core/catalog.ts'
import {
  headersFootersOption,
  imageModeOption,
  markdownPageBreaksOption,
  tableFormatOption,
} from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { embedMedia } from '../shared/ooxml/image-files.ts'
import { asPptx } from './legacy/as-pptx.ts'
import { slideOptions } from './options.ts'
import { readContent } from './read-content.ts'

/** The slides with their structure. */
export const markdown = defineCapability({
  id: 'powerpoint.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail:
    'Markdown: a section per slide with its title, nested bullets, tables, charts as tables, diagrams as lists, images.',
  options: {
    ...slideOptions,
    headersFooters: headersFootersOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
    pageBreaks: {
      ...markdownPageBreaksOption,
      defaultValue: 'comment',
      detail: '`comment`: `<!-- slide 3 -->` before each slide. `rule`: `---` between slides.',
    },
  },
  async *extract(source, options, context) {
    const document = await readContent(source, options, context)
    if (!document) return
    const file = await asPptx(source, context, options.password)
    yield* writeMarkdownFiles(source, document, options, () => embedMedia(file, document.images, context))
  },
})
