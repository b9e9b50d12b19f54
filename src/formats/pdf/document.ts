import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentModel } from '../shared/document/model.ts'
import { createAssembler } from '../shared/layout/assemble.ts'
import type { PageContent, PlacedImage } from '../shared/layout/page-content.ts'
import { mapInOrder, PAGES_AT_ONCE } from '../shared/ocr/map-in-order.ts'
import type { OcrEngineChoice } from '../shared/ocr/recognized.ts'
import { selectPages } from '../shared/pages/selection.ts'
import { perSource } from '../shared/per-source.ts'
import { type ImageInventory, placeImages, readImages, toDocumentImage } from './image-inventory.ts'
import { MIN_SIDE_PIXELS } from './images.ts'
import { type OcrMode, readPage } from './ocr-pages.ts'
import { readOutline } from './outline.ts'
import { readPages } from './read-pages.ts'
import { openPdf } from './repair.ts'

/** Values of the options that decide what the document is; the others only decide how it is written. */
export type ReadingValues = {
  pages: string
  password: string
  ocr: OcrMode
  ocrEngine: OcrEngineChoice
  languages: readonly string[]
}

/** A document, and where the pictures in it can be had. */
export type ReadDocument = { document: DocumentModel; inventory?: ImageInventory }

type Reading = ReadDocument & { warnings: ReadonlyMap<string, string> }

/** Fewer pages need no table of contents to be understood, and finding one may mean to start a program. */
const MIN_PAGES_WITH_OUTLINE = 3

/** The text, tables and structure of the chosen pages, read once for all capabilities that ask for the same. */
export const readDocument = async (
  source: Source,
  { pages, password, ocr, ocrEngine, languages }: ReadingValues,
  context: Context,
  images: 'as selected' | 'needed' = 'as selected',
): Promise<ReadDocument> => {
  const withImages = images === 'needed' || context.selected.has('pdf.images')
  const key: ReadingKey = { pages, password, ocr, ocrEngine, languages, withImages }
  const reading = await readOnce(source, context, JSON.stringify(key))
  for (const [detail, code] of reading.warnings) context.warn(code, detail)
  return reading
}
type ReadingKey = ReadingValues & { withImages: boolean }

/** The same, where a document that says nothing is of no use. */
export const readContent = async (...given: Parameters<typeof readDocument>): Promise<ReadDocument> => {
  const reading = await readDocument(...given)
  if (hasContent(reading.document)) return reading
  const [, { ocr }] = given
  throw new JobFailure(ocr === 'never' ? 'extract.pdf.no_markdown_content_found' : 'extract.pdf.no_ocr_text_found')
}

const readOnce = perSource(async (source, context, key): Promise<Reading> => {
  const { withImages, ...values } = JSON.parse(key) as ReadingKey
  const warnings = new Map<string, string>()
  // Every capability that shares this reading gives its warnings, each once, not only the one that came first.
  const quiet: Context = { ...context, warn: (code, detail) => warnings.set(detail, code) }
  const { file, pageCount } = await openPdf(source, values.password, quiet)
  const numbers = selectPages(values.pages, pageCount, quiet, 'pdf')
  const inventory = withImages ? await readImages(file, numbers, quiet) : undefined
  const outline = pageCount < MIN_PAGES_WITH_OUTLINE ? [] : await readOutline(file, quiet)
  const assembler = createAssembler({ outline })
  for await (const page of readPagesWithPictures(file, numbers, values, inventory, quiet)) assembler.add(page)
  const document = assembler.finish()
  const shown = new Set(document.images.map(({ id }) => id))
  const images = (inventory?.images ?? []).filter(({ id }) => shown.has(id)).map(toDocumentImage)
  return { document: { ...document, images }, ...(inventory ? { inventory } : {}), warnings }
})

/** What is left of a capability's work is to write. */
const READING_SHARE = 0.9

async function* readPagesWithPictures(
  file: PdfFile,
  numbers: readonly number[],
  { ocr, ocrEngine, languages }: ReadingValues,
  inventory: ImageInventory | undefined,
  context: Context,
): AsyncGenerator<PageContent> {
  const placed = inventory ? placeImages(inventory, MIN_SIDE_PIXELS) : new Map<number, PlacedImage[]>()
  const settings = { engine: ocrEngine, languages }
  let done = 0
  let unread = 0
  const pages = mapInOrder(readPages(file, numbers), PAGES_AT_ONCE, async (bare) => {
    context.signal.throwIfAborted()
    const page = { ...bare, images: placed.get(bare.number) ?? [] }
    try {
      return dropScans((await readPage(file, page, ocr, settings, context)).content)
    } catch (error) {
      // Who asked for it pays for it; else a page that cannot be read this way is as good as it is.
      if (ocr === 'always' || !(error instanceof JobFailure)) throw error
      unread++
      return page
    }
  })
  for await (const page of pages) {
    yield page
    done++
    context.progress((READING_SHARE * done) / numbers.length)
  }
  if (unread > 0) context.warn('pdf.ocr_failed', `${unread} of the pages could not be read from their pictures.`)
  if (done < numbers.length) {
    context.warn('pdf.page_unreadable', `${numbers.length - done} of the pages could not be read.`)
  }
}

/** Share of a page that a scan of it takes. */
const SCAN_SHARE = 0.8

/** The scan that the text of a page was read from is no picture on it. */
const dropScans = (page: PageContent): PageContent => {
  const isScan = ({ width, height }: PlacedImage) => width * height > SCAN_SHARE * page.width * page.height
  return page.source === 'ocr' ? { ...page, images: page.images.filter((image) => !isScan(image)) } : page
}
