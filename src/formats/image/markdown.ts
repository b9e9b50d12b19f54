import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { markdownPageBreaksOption } from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { ocrOptions } from '../shared/ocr/options.ts'
import { OCR_PRICE } from './prices.ts'
import { recognizeText } from './recognize-text.ts'

/** The text that can be read in the picture, with its structure. */
export const markdown = defineCapability({
  id: 'image.markdown',
  output: 'markdown',
  defaultSelected: false,
  detail:
    'OCR with layout: headings, lists, tables and columns, of every page of a TIFF, of the first frame of an animation.',
  options: {
    ...ocrOptions,
    pageBreaks: markdownPageBreaksOption,
  },
  addOns: OCR_PRICE,
  tools: [...TESSERACT_TOOLS, FFMPEG],
  async *extract(source, { ocrEngine, languages, pageBreaks }, context) {
    const document = await recognizeText(source, { engine: ocrEngine, languages }, context)
    if (!document) return
    const options = { headersFooters: 'keep', imageMode: 'omit', pageBreaks } as const
    yield* writeMarkdownFiles(source, document, options, async () => () => undefined)
  },
})
