import { appendFile, copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, defineCapability } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { QPDF } from '../../engines/qpdf.ts'
import { overlayPages } from '../../engines/qpdf-overlay.ts'
import { TESSERACT_TOOLS } from '../../engines/tesseract-languages.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { keepAlive } from '../shared/keep-alive.ts'
import type { PageContent } from '../shared/layout/page-content.ts'
import { mapInOrder, PAGES_AT_ONCE } from '../shared/ocr/map-in-order.ts'
import { ocrOptions } from '../shared/ocr/options.ts'
import type { Recognized } from '../shared/ocr/recognize.ts'
import { HOCR_FOOT, hocrHead, writeHocrPage } from '../shared/ocr/write-hocr.ts'
import { pagesOption, selectPages } from '../shared/pages/selection.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readObjects } from './objects.ts'
import { type PageOcrSettings, type PageReading, readPage } from './ocr-pages.ts'
import { createTextLayer, type LayerPage } from './ocr-text-layer.ts'
import { boxOf, readPageSpace, toRectangle } from './page-space.ts'
import { listPages } from './page-tree.ts'
import { readPages } from './read-pages.ts'
import { openPdf } from './repair.ts'

/** The pages as they are, with their text to be searched and copied, and that text with its places. */
export const ocr = defineCapability({
  id: 'pdf.ocr',
  output: 'ocr',
  defaultSelected: false,
  detail: 'A PDF whose scanned pages can be searched, and the words of all pages with their boxes as hOCR.',
  options: {
    pages: pagesOption,
    password: passwordOption,
    ...ocrOptions,
    mode: {
      type: 'enum',
      allowedValues: ['auto', 'always'],
      defaultValue: 'auto',
      detail: '`auto` reads only pages without text of their own, `always` reads all.',
    },
    dpi: { type: 'integer', min: 100, max: 600, defaultValue: 300, detail: 'At which pages are drawn to be read.' },
  },
  addOns: [{ metric: 'pages', per: 5, once: 'ocr' }],
  tools: [QPDF, ...TESSERACT_TOOLS],
  async *extract(source, options, context) {
    const { file, pageCount } = await openPdf(source, options.password, context)
    const numbers = selectPages(options.pages, pageCount, context, 'pdf')
    const folder = await mkdtemp(join(context.scratch, 'ocr-'))
    const layer = join(folder, 'layer.pdf')
    const hocr = join(folder, 'pages.hocr')
    const settings = { engine: options.ocrEngine, languages: options.languages, dpi: options.dpi }
    const read = await readAll(
      file,
      numbers,
      { ...settings, mode: options.mode },
      { layer, hocr },
      source.name,
      context,
    )
    const searchable = join(folder, 'searchable.pdf')
    try {
      await keepAlive(context, () => overlayPages(file, layer, read, searchable, context))
    } catch (error) {
      // Where nothing is to be laid over it, a file that cannot be written anew will do as it is.
      if (read.length > 0 || context.signal.aborted) throw error
      await copyFile(file.path, searchable)
    }
    yield { path: artifactPath(source, 'ocr', 'pdf'), mediaType: 'application/pdf', file: searchable }
    yield { path: artifactPath(source, 'ocr', 'hocr'), mediaType: 'text/vnd.hocr+html', file: hocr }
  },
})

/** Reads the pages and writes what was found on them; gives the numbers of those that have a layer. */
const readAll = async (
  file: PdfFile,
  numbers: readonly number[],
  { mode, ...settings }: PageOcrSettings & { mode: 'auto' | 'always' },
  paths: { layer: string; hocr: string },
  title: string,
  context: Context,
): Promise<number[]> => {
  const layered: number[] = []
  let done = 0
  let hasText = false
  let failed = 0
  let failure: JobFailure | undefined
  const layer = await createTextLayer(paths.layer)
  try {
    await appendFile(paths.hocr, hocrHead(title))
    const readings = mapInOrder(
      readPages(file, numbers),
      PAGES_AT_ONCE,
      async (page): Promise<PageReading & { page: PageContent }> => {
        context.signal.throwIfAborted()
        try {
          return { page, ...(await readPage(file, page, mode, settings, context)) }
        } catch (error) {
          if (!(error instanceof JobFailure)) throw error
          failed++
          failure ??= error
          return { page, content: page }
        }
      },
    )
    for await (const { page, content, recognized } of readings) {
      hasText ||= content.runs.some(({ text }) => text.trim() !== '')
      if (recognized) {
        await layer.add(await placeLayer(file, page, recognized, context))
        layered.push(page.number)
      }
      await appendFile(paths.hocr, writeHocrPage(content))
      context.progress((READING_SHARE * ++done) / numbers.length)
    }
    await appendFile(paths.hocr, HOCR_FOOT)
    await layer.finish()
  } finally {
    await layer.close()
  }
  // One page that an engine fails on is no reason to lose the others.
  if (failure && layered.length === 0) throw failure
  if (failed > 0) context.warn('pdf.ocr_failed', `${failed} of the pages could not be read from their pictures.`)
  if (!hasText) throw new JobFailure('extract.pdf.no_ocr_text_found')
  if (layered.length === 0) context.warn('pdf.ocr_not_needed', 'All pages have text of their own, so none was read.')
  return layered
}

const READING_SHARE = 0.9
/** qpdf lays a page over the trim box of another, turned as it is shown. */
const placeLayer = async (
  file: PdfFile,
  { number, width, height }: { number: number; width: number; height: number },
  recognized: Recognized,
  context: Context,
): Promise<LayerPage> => {
  const objects = await readObjects(file, context)
  const page = listPages(objects)[number - 1]?.page
  const trim = page && toRectangle(objects, page['/TrimBox'])
  const area = trim ? boxOf(trim, readPageSpace(objects, page).toShown) : { x: 0, y: 0, width, height }
  return { recognized, width, height, area }
}
