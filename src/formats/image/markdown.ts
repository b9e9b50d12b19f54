import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { writeMarkdown } from '../shared/document/write-markdown.ts'
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
    pageBreaks: {
      type: 'enum',
      allowedValues: ['none', 'comment', 'rule'],
      defaultValue: 'none',
      detail: '`comment`: `<!-- page 3 -->` before each page. `rule`: `---` between pages.',
    },
  },
  addOns: OCR_PRICE,
  tools: [...TESSERACT_TOOLS, FFMPEG],
  async *extract(source, { ocrEngine, languages, pageBreaks }, context) {
    const document = await recognizeText(source, { engine: ocrEngine, languages }, context)
    if (!document) return
    yield {
      path: artifactPath(source, 'markdown', 'md'),
      mediaType: 'text/markdown; charset=utf-8',
      data: streamPieces(writeMarkdown(document, { headersFooters: 'keep', pageBreaks })),
    }
  },
})
