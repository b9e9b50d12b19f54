import { DEFAULT_LANGUAGE, installedLanguages } from '../../../engines/tesseract-languages.ts'

/** Options of every capability that may read text in images; given for one, they hold for all. */
export const ocrOptions = {
  languages: {
    type: 'list',
    // Without Tesseract nothing is read; the option must still have a value that is allowed.
    allowedValues: [...new Set([DEFAULT_LANGUAGE, ...installedLanguages()])],
    defaultValue: [DEFAULT_LANGUAGE],
    installed: true,
    shared: true,
    detail: 'Languages of text in images, by their three-letter codes. Each more takes time.',
  },
  ocrEngine: {
    type: 'enum',
    allowedValues: ['auto', 'fast', 'quality'],
    defaultValue: 'auto',
    shared: true,
    detail:
      '`fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly.',
  },
} as const
