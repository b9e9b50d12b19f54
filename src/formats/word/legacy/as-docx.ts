import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { convertSource, type Import, printSource } from '../../shared/legacy/convert-source.ts'
import { openCompoundFile } from '../../shared/ole/compound-file.ts'
import { unlockPackage } from '../../shared/ooxml/encryption/unlock-package.ts'
import { perSource } from '../../shared/per-source.ts'
import { detectKind, type WordKind } from './detect-kind.ts'
import { readFileHeader } from './file-header.ts'
import { mendPages } from './mend-pages.ts'
import { mendRtf } from './mend-rtf.ts'

const FILTERS: Readonly<Record<Exclude<WordKind, 'doc'>, string>> = {
  docx: 'MS Word 2007 XML',
  word2: 'MS WinWord 5',
  rtf: 'Rich Text Format',
  'rtf-piece': 'Rich Text Format',
  pages: 'Apple Pages',
  odt: 'writer8',
  html: 'HTML (StarWriter)',
  word2003: 'MS Word 2003 XML',
}

/** The file that the reader of Word documents opens: the source itself, or what LibreOffice made of it, once a job. */
export const asDocx = perSource(async (source: Source, context: Context, password: string): Promise<Source> => {
  const file = await unlockPackage(source, context, password)
  const kind = await detectKind(file)
  if (kind === 'docx') return file
  return await withMending(file, kind, context, (readable) =>
    convertSource(readable, chooseImport(readable, kind, password), password, context),
  )
})

/** The document as it would be printed: a PDF file, made once a job. */
export const printDocument = perSource(async (source: Source, context: Context, password: string): Promise<string> => {
  const file = await unlockPackage(source, context, password)
  const kind = await detectKind(file)
  return await withMending(file, kind, context, (readable) =>
    printSource(readable, chooseImport(readable, kind, password), password, context),
  )
})

/** Tries a file as it is, and where LibreOffice does not read it, what can be made of it. */
const withMending = async <T>(
  source: Source,
  kind: WordKind,
  context: Context,
  convert: (readable: Source) => Promise<T>,
): Promise<T> => {
  if (kind === 'rtf-piece') return await convert(await mendRtf(source, context))
  try {
    return await convert(source)
  } catch (error) {
    const isDamaged = error instanceof JobFailure && error.code === 'extract.source_unreadable'
    const mended = isDamaged ? await mend(source, kind, context) : undefined
    if (!mended) throw error
    const converted = await convert(mended)
    if (kind === 'rtf') context.warn('word.repaired', 'The file is damaged; its text was read, without its pictures.')
    return converted
  }
}

/** A copy without what LibreOffice stumbles over, where such a thing is known. */
const mend = async (source: Source, kind: WordKind, context: Context): Promise<Source | undefined> =>
  kind === 'rtf' ? await mendRtf(source, context) : kind === 'pages' ? await mendPages(source, context) : undefined

const chooseImport = (source: Source, kind: WordKind, password: string): Import => ({
  kind: 'text',
  importFilter: kind === 'doc' ? chooseFilter(source, password) : FILTERS[kind],
})

const chooseFilter = (source: Source, password: string): string => {
  const file = openCompoundFile(source.path)
  try {
    const header = readFileHeader(file)
    if (header?.isEncrypted && password === '') throw new JobFailure('extract.source_encrypted')
    return header?.version === 97 ? 'MS Word 97' : header?.version === 95 ? 'MS Word 95' : 'MS WinWord 6.0'
  } finally {
    file.close()
  }
}
