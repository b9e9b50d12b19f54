import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { type Conversion, convertOffice } from '../../../engines/libreoffice.ts'
import { keepAlive } from '../keep-alive.ts'

/** How a source is read, by LibreOffice's name of the filter, and what it is. */
export type Import = Pick<Conversion, 'importFilter' | 'kind'>

const EXPORTS = {
  text: { filter: 'MS Word 2007 XML', name: 'source.docx' },
  slides: { filter: 'Impress MS PowerPoint 2007 XML', name: 'source.pptx' },
  sheets: { filter: 'Calc MS Excel 2007 XML', name: 'source.xlsx' },
} as const

const PDF_EXPORTS = { text: 'writer_pdf_Export', slides: 'impress_pdf_Export', sheets: 'calc_pdf_Export' } as const
/** Every slide is a page, so that the numbers are the same. */
const PDF_DATA = { ExportHiddenSlides: true }

/** The same document as an Office file of today, for the readers of those; it keeps the name and size of the source. */
export const convertSource = async (
  source: Source,
  { importFilter, kind }: Import,
  password: string,
  context: Context,
): Promise<Source> => {
  const { filter, name } = EXPORTS[kind]
  return { ...source, path: await convert(source, { importFilter, kind, password }, { filter, name }, context) }
}

/** The document as it would be printed; answers the path of a PDF file. */
export const printSource = async (
  source: Source,
  { importFilter, kind }: Import,
  password: string,
  context: Context,
): Promise<string> =>
  await convert(
    source,
    { importFilter, kind, password },
    { filter: PDF_EXPORTS[kind], name: 'source.pdf', filterData: PDF_DATA },
    context,
  )

/**
 * Prints, and where LibreOffice does not take the file, fails the drawing alone: our own readers may well read it, and
 * what they find must not be lost over a picture.
 */
export const whilePrinting = async <T>(print: () => Promise<T>): Promise<T> => {
  try {
    return await print()
  } catch (error) {
    if (!(error instanceof JobFailure) || error.code !== 'extract.source_unreadable') throw error
    throw new JobFailure('extract.engine_failed', {}, { detail: 'LibreOffice cannot draw this file.', cause: error })
  }
}

const convert = async (
  source: Source,
  given: Import & { password: string },
  { name, ...output }: { name: string } & Omit<Conversion['outputs'][number], 'path'>,
  context: Context,
): Promise<string> => {
  const path = join(await mkdtemp(join(context.scratch, 'office-')), name)
  await keepAlive(context, () =>
    convertOffice({ ...given, input: source.path, outputs: [{ path, ...output }] }, context),
  )
  return path
}
