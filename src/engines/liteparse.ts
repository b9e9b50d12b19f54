import type { LiteParse, LiteParseConfig, ParsedPage, ParseResult } from '@llamaindex/liteparse'
import { JobFailure } from '../core/errors.ts'

export type { ParsedPage, StructureTreeElement } from '@llamaindex/liteparse'

/** Pages parsed at once: larger batches cost memory, smaller ones open the file more often. */
const BATCH_PAGES = 32
const NO_PAGE_LIMIT = 1_000_000

/** A file whose name ends in `.pdf`; the engine takes other names for other formats. */
export type PdfFile = { path: string; password: string }

/** How many pages a PDF has. */
export const countPages = async (file: PdfFile): Promise<number> => {
  const { totalPages } = await parse(file, { maxPages: 0 })
  return totalPages
}

/** Programs that the file says it was made with. More of the document's own facts cost this engine far too much. */
export const readMakers = async (file: PdfFile): Promise<{ creator?: string; producer?: string }> => {
  const { creator, producer } = await parse(file, { maxPages: 0 })
  return { ...(creator ? { creator } : {}), ...(producer ? { producer } : {}) }
}

/** Text, drawings, links and structure of pages, in the order asked for, a batch at a time. */
export async function* parsePages(
  file: PdfFile,
  pageNumbers: readonly number[],
  config: Partial<LiteParseConfig> = {},
): AsyncGenerator<ParsedPage> {
  for (let from = 0; from < pageNumbers.length; from += BATCH_PAGES) {
    const batch = pageNumbers.slice(from, from + BATCH_PAGES)
    const { pages } = await parse(file, {
      targetPages: batch.join(','),
      continueOnPageError: true,
      extractVectorGraphics: true,
      emitWordBoxes: true,
      extractTextMetadata: true,
      extractStructureTree: true,
      extractAnnotations: true,
      ...config,
    })
    yield* pages
  }
}

/** Width and height in points, as the page is shown; undefined for a page that cannot be read. */
export const measurePage = async (
  file: PdfFile,
  pageNumber: number,
): Promise<{ width: number; height: number } | undefined> => {
  const { pages } = await parse(file, {
    targetPages: String(pageNumber),
    continueOnPageError: true,
    outputFormat: 'text',
  })
  return pages[0]
}

/** `isSolid` where every pixel has the same colour. */
export type Rendering = { png: Buffer; width: number; height: number; isSolid: boolean }

/**
 * Draws a page with its annotations and form fields; undefined where that cannot be done, as for a page without extent.
 * The caller bounds the size: all pixels are held in memory.
 */
export const drawPage = async (file: PdfFile, pageNumber: number, dpi: number): Promise<Rendering | undefined> => {
  const parser = await open(file, { dpi, renderFormFields: true })
  const [drawn] = await parser.screenshot(file.path, [pageNumber]).catch(() => [])
  return drawn && { png: drawn.imageBuffer, width: drawn.width, height: drawn.height, isSolid: drawn.isSolidFill }
}

const parse = async (file: PdfFile, config: Partial<LiteParseConfig>): Promise<ParseResult> => {
  const parser = await open(file, config)
  try {
    return await parser.parse(file.path)
  } catch (error) {
    throw toFailure(error)
  }
}

/** Finding a module again costs a tenth of what a page costs. */
let library: Promise<typeof import('@llamaindex/liteparse')> | undefined

const open = async ({ password }: PdfFile, config: Partial<LiteParseConfig>): Promise<LiteParse> => {
  library ??= import('@llamaindex/liteparse')
  const { LiteParse } = await library
  return new LiteParse({
    ocrEnabled: false,
    quiet: true,
    outputFormat: 'json',
    maxPages: NO_PAGE_LIMIT,
    ...config,
    ...(password ? { password } : {}),
  })
}

const toFailure = (error: unknown): JobFailure =>
  /password/i.test(error instanceof Error ? error.message : String(error))
    ? new JobFailure('extract.source_encrypted', {}, { cause: error })
    : new JobFailure('extract.source_unreadable', {}, { cause: error })
