import { closeSync, openSync, readSync } from 'node:fs'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import { readChunks } from '../../shared/read-chunks.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'

const MAX_BYTES = 512 * 1024 ** 2

/** The bytes of a FictionBook, which may lie in an archive of its own. */
export async function* openFb2(source: Source, context: Context): AsyncGenerator<Buffer> {
  if (!isZip(source.path)) {
    if (source.bytes > MAX_BYTES) throw overLimit('documentBytes', MAX_BYTES)
    yield* readChunks(source, context, [0, 0.9])
    return
  }
  const archive = await openArchive(source.path)
  try {
    const files = archive.entries.filter(({ isFolder, isSpecial }) => !isFolder && !isSpecial)
    const entry = files.find(({ name }) => /\.fb2$/i.test(name)) ?? (files.length === 1 ? files[0] : undefined)
    if (!entry) {
      const detail = 'The archive holds no FictionBook.'
      throw new JobFailure('extract.source_unreadable', { reason: 'no-document' }, { detail })
    }
    if (entry.bytes > MAX_BYTES) throw overLimit('documentBytes', MAX_BYTES)
    yield* archive.stream(entry)
  } finally {
    archive.close()
  }
}

const isZip = (path: string): boolean => {
  const descriptor = openSync(path, 'r')
  try {
    const head = Buffer.alloc(2)
    readSync(descriptor, head, 0, 2, 0)
    return head.toString('latin1') === 'PK'
  } finally {
    closeSync(descriptor)
  }
}
