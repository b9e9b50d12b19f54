import type { AddOn, Tool } from '../../core/catalog.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { ocrOptions } from '../shared/ocr/options.ts'
import { pagesOption } from '../shared/pages/selection.ts'
import { passwordOption } from '../shared/password-option.ts'

/** Options of every capability that reads the text of the pages; given for one, they hold for all. */
export const readingOptions = {
  pages: pagesOption,
  password: passwordOption,
  ocr: {
    type: 'enum',
    allowedValues: ['auto', 'always', 'never'],
    defaultValue: 'auto',
    shared: true,
    detail: 'Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all.',
  },
  ...ocrOptions,
} as const

/** What reading every page from its picture costs; where only some need it, it is part of the price. */
export const readingAddOns: readonly AddOn[] = [
  { metric: 'pages', per: 5, once: 'ocr', when: { option: 'ocr', value: 'always' } },
]

/** Without them pages that are mere pictures stay empty, and all others are read. */
export const readingTools: readonly Tool[] = TESSERACT_TOOLS.map((tool) => ({ ...tool, optional: true }))
