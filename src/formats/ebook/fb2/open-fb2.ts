import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import { readChunks } from '../../shared/read-chunks.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'
import { startsAsZip } from '../../shared/zip/starts-as-zip.ts'

const MAX_BYTES = 512 * 1024 ** 2

/** The bytes of a FictionBook, which may lie in an archive of its own. */
export async function* openFb2(source: Source, context: Context): AsyncGenerator<Buffer> {
  if (!startsAsZip(source.path)) {
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
