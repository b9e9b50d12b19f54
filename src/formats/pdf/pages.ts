import { defineCapability } from '../../core/catalog.ts'
import { drawingOptions, drawPages } from '../shared/pages/draw-pages.ts'
import { pagesOption, selectPages } from '../shared/pages/selection.ts'
import { passwordOption } from '../shared/password-option.ts'
import { openPdf } from './repair.ts'

/** Pictures of the pages, as they are shown. */
export const pages = defineCapability({
  id: 'pdf.pages',
  output: 'pages',
  defaultSelected: false,
  detail: 'A picture of each page, with its annotations and form fields.',
  options: { pages: pagesOption, password: passwordOption, ...drawingOptions },
  async *extract(source, options, context) {
    const { file, pageCount } = await openPdf(source, options.password, context)
    const numbers = selectPages(options.pages, pageCount, context, 'pdf')
    const drawing = { file, pageCount, numbers, family: 'pdf', folder: 'pages', unit: 'page' } as const
    yield* drawPages(drawing, options, context)
  },
})
