import { mkdtemp, open, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { countPages, measurePage, type PdfFile } from '../../engines/liteparse.ts'
import { rewritePdf } from '../../engines/qpdf.ts'
import { perSource } from '../shared/per-source.ts'

/** A PDF that the engines can read: the source itself, or what could be made of it. */
export type OpenPdf = { file: PdfFile; pageCount: number; repaired: boolean }

const HEADER_BYTES = 1_024

/** Opens a source for reading; warns once per capability where the file had to be repaired. */
export const openPdf = async (source: Source, password: string, context: Context): Promise<OpenPdf> => {
  const opened = await openOnce(source, context, password)
  if (opened.repaired && !warned.has(context)) {
    warned.add(context)
    context.warn('pdf.repaired', 'The file is damaged; it was repaired as far as possible, and content may be missing.')
  }
  return opened
}
const warned = new WeakSet<Context>()

const openOnce = perSource(async (source, context, password): Promise<OpenPdf> => {
  if (!(await hasHeader(source.path))) throw new JobFailure('extract.source_unreadable')
  const file = { path: await namePdf(source, context), password }
  let problem: unknown
  try {
    const stated = await countPages(file)
    const pageCount = await countReadable(file, stated, source.bytes)
    if (pageCount > 0) return { file, pageCount, repaired: pageCount < stated }
  } catch (error) {
    problem = error
  }
  // Also for a refused password: qpdf knows encryptions and spellings of passwords that the first engine does not.
  const isRefused = problem instanceof JobFailure && problem.code === 'extract.source_encrypted'
  const target = join(await mkdtemp(join(context.scratch, 'pdf-')), 'source.pdf')
  const outcome = await rewritePdf(file, target, context)
  if (outcome === 'encrypted') throw new JobFailure('extract.source_encrypted', {}, { cause: problem })
  const rewritten = { path: target, password: '' }
  const pageCount = outcome === 'done' ? await countPages(rewritten).catch(() => 0) : 0
  if (pageCount > 0) return { file: rewritten, pageCount, repaired: !isRefused }
  if (isRefused) throw problem
  throw new JobFailure('extract.source_unreadable', {}, { cause: problem })
})

/** A page takes more than this; a file with less for each of its pages may only pretend to have them. */
const PLAUSIBLE_PAGE_BYTES = 3_000

/** A file says how many pages it has; where that is hard to believe, finds how many of them are there. */
const countReadable = async (file: PdfFile, stated: number, bytes: number): Promise<number> => {
  if (stated <= 1 || bytes / stated > PLAUSIBLE_PAGE_BYTES || (await measurePage(file, stated))) return stated
  let there = 0
  let missing = stated
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2)
    if (await measurePage(file, middle)) there = middle
    else missing = middle
  }
  return there
}

const hasHeader = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead).includes('%PDF')
  } finally {
    await handle.close()
  }
}

/** The engine goes by the name: `.ai` would be another kind of file to it. */
const namePdf = async (source: Source, context: Context): Promise<string> => {
  if (source.path.endsWith('.pdf')) return source.path
  const path = join(await mkdtemp(join(context.scratch, 'pdf-')), 'source.pdf')
  await symlink(source.path, path)
  return path
}
