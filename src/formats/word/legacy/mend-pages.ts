import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context, Source } from '../../../core/catalog.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'

const DOCUMENT = 'index.xml'
/** Held in memory as a whole. */
const MAX_DOCUMENT_BYTES = 128 * 1024 ** 2
const MAX_BYTES = 1024 ** 3
/** A page number that is no number, as in `iv`, is the end of the reading for LibreOffice. */
const PAGE_NUMBER = /<sf:page-number\b[^<>]*\/>/g

/** A copy of a file of Pages '09 without its page numbers; undefined where there are none. */
export const mendPages = async (source: Source, context: Context): Promise<Source | undefined> => {
  const archive = await openArchive(source.path)
  try {
    const entry = archive.find(DOCUMENT)
    const total = archive.entries.reduce((sum, { bytes }) => sum + bytes, 0)
    if (!entry || entry.bytes > MAX_DOCUMENT_BYTES || total > MAX_BYTES) return undefined
    const text = (await archive.read(entry, MAX_DOCUMENT_BYTES)).toString()
    const mended = text.replace(PAGE_NUMBER, '')
    if (mended.length === text.length) return undefined
    const { ZipFile } = await import('yazl')
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from(mended), DOCUMENT)
    for (const other of archive.entries) {
      if (other === entry || other.isFolder || !other.isSafe) continue
      zip.addReadStreamLazy(other.name, (give) => give(null, Readable.from(archive.stream(other))))
    }
    zip.end()
    const path = join(await mkdtemp(join(context.scratch, 'mended-')), 'source.pages')
    await pipeline(zip.outputStream, createWriteStream(path), { signal: context.signal })
    return { ...source, path }
  } finally {
    archive.close()
  }
}
