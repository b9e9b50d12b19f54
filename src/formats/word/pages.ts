import { defineCapability } from '../../core/catalog.ts'
import { OFFICE_TOOLS } from '../../engines/libreoffice.ts'
import { countPages } from '../../engines/liteparse.ts'
import { whilePrinting } from '../shared/legacy/convert-source.ts'
import { drawingOptions, drawPages } from '../shared/pages/draw-pages.ts'
import { pagesOption, selectPages } from '../shared/pages/selection.ts'
import { passwordOption } from '../shared/password-option.ts'
import { printDocument } from './legacy/as-docx.ts'

/** Pictures of the pages, as they would be printed. */
export const pages = defineCapability({
  id: 'word.pages',
  output: 'pages',
  defaultSelected: false,
  detail: 'A picture of each page. Where a font of the document is not installed, lines and pages can break elsewhere.',
  options: { password: passwordOption, pages: pagesOption, ...drawingOptions },
  tools: OFFICE_TOOLS.text,
  async *extract(source, options, context) {
    const file = { path: await whilePrinting(() => printDocument(source, context, options.password)), password: '' }
    const pageCount = await countPages(file)
    const numbers = selectPages(options.pages, pageCount, context, 'word')
    const drawing = { file, pageCount, numbers, family: 'word', folder: 'pages', unit: 'page' } as const
    yield* drawPages(drawing, options, context)
  },
})
