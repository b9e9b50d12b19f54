import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { textPageBreaksOption } from '../shared/document/options.ts'
import { writeTextFiles } from '../shared/document/write-outputs.ts'
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
    pageBreaks: textPageBreaksOption,
  },
  addOns: OCR_PRICE,
  tools: [...TESSERACT_TOOLS, FFMPEG],
  async *extract(source, { ocrEngine, languages, pageBreaks }, context) {
    const document = await recognizeText(source, { engine: ocrEngine, languages }, context)
    if (document) yield* writeTextFiles(source, document, { headersFooters: 'keep', pageBreaks })
  },
})
