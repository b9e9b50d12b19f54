import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { writeText } from '../shared/document/write-text.ts'
import { ocrOptions } from '../shared/ocr/options.ts'
import { OCR_PRICE } from './prices.ts'
import { recognizeText } from './recognize-text.ts'

/** The text that can be read in the picture. */
export const text = defineCapability({
  id: 'image.text',
  output: 'text',
  defaultSelected: false,
  detail: 'OCR: plain text in reading order, of every page of a TIFF, of the first frame of an animation.',
  options: {
    ...ocrOptions,
    pageBreaks: {
      type: 'enum',
      allowedValues: ['form-feed', 'line', 'none'],
      defaultValue: 'form-feed',
      detail: 'What stands between pages: the control character U+000C, a line such as `--- page 3 ---`, or nothing.',
    },
  },
  addOns: OCR_PRICE,
  tools: [...TESSERACT_TOOLS, FFMPEG],
  async *extract(source, { ocrEngine, languages, pageBreaks }, context) {
    const document = await recognizeText(source, { engine: ocrEngine, languages }, context)
    if (!document) return
    yield {
      path: artifactPath(source, 'text', 'txt'),
      mediaType: 'text/plain; charset=utf-8',
      data: streamPieces(writeText(document, { headersFooters: 'keep', pageBreaks })),
    }
  },
})
