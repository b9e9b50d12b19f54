import { posix } from 'node:path'
import { mediaTypeOfPart } from '../shared/ooxml/media.ts'
import type { Archive } from '../shared/zip/open-archive.ts'
import { readEntry } from './entry-content.ts'
import type { Picture } from './workbook.ts'

/** A picture that is an entry of the archive; undefined where there is none of that name. */
export const readPicture = (archive: Archive, path: string, part: string): Picture | undefined => {
  const entry = archive.find(part)
  if (!entry || entry.isFolder) return undefined
  const extension = posix.extname(part).slice(1).toLowerCase() || 'bin'
  return {
    part: entry.name,
    extension,
    mediaType: mediaTypeOfPart(part),
    read: () => streamEntry(path, entry.name),
  }
}

/** By then the workbook is closed. */
async function* streamEntry(path: string, name: string): AsyncGenerator<Uint8Array> {
  const { openArchive } = await import('../shared/zip/open-archive.ts')
  const archive = await openArchive(path)
  try {
    const entry = archive.find(name)
    if (entry) yield* readEntry(archive, entry)
  } finally {
    archive.close()
  }
}

/** Pictures in a folder of the archive. */
export const listPictures = (archive: Archive, path: string, folder: string): Picture[] =>
  archive.entries
    .filter(({ name }) => name.startsWith(folder) && mediaTypeOfPart(name).startsWith('image/'))
    .flatMap(({ name }) => readPicture(archive, path, name) ?? [])
