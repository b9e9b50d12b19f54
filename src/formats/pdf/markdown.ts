import { defineCapability } from '../../core/catalog.ts'
import {
  headersFootersOption,
  imageModeOption,
  markdownPageBreaksOption,
  tableFormatOption,
} from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { embedImages } from './embed-images.ts'
import { readingAddOns, readingOptions, readingTools } from './options.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'pdf.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'CommonMark with the tables and footnotes of GitHub: headings, lists, tables, links, notes, code, images.',
  options: {
    ...readingOptions,
    headersFooters: headersFootersOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
    pageBreaks: markdownPageBreaksOption,
  },
  addOns: readingAddOns,
  tools: readingTools,
  async *extract(source, options, context) {
    const images = options.imageMode === 'embed' ? 'needed' : 'as selected'
    const reading = await readContent(source, options, context, images)
    yield* writeMarkdownFiles(source, reading.document, options, () => embedImages(reading, context))
  },
})
