import { JobFailure } from '../../../core/errors.ts'
import { isGiven, type MobiHeader, numberAt, readHeader } from './header.ts'
import { openPalmDatabase, type PalmDatabase } from './palm-database.ts'

/** A file and the better one of the books in it. */
export type MobiFile = { file: PalmDatabase; header: MobiHeader; first: MobiHeader }

const BOUNDARY = 121

/** Opens a Mobipocket or Kindle file. The caller closes the database. */
export const openMobi = (path: string): MobiFile => {
  const file = openPalmDatabase(path)
  try {
    const first = readHeader(file.read(0), 0)
    return { file, first, header: findNewer(file, first) ?? first }
  } catch (error) {
    file.close()
    throw error
  }
}

/** The book for newer devices that stands behind the one for old ones. */
const findNewer = (file: PalmDatabase, first: MobiHeader): MobiHeader | undefined => {
  const record = numberAt(first.extended, BOUNDARY)
  if (record === undefined || record < 2 || record >= file.recordCount || first.version >= 8) return undefined
  try {
    const header = readHeader(file.read(record), record)
    if (header.version < 8 || !isGiven(header.skeletonIndex)) return undefined
    // Its pictures are those of the first book.
    return { ...header, firstImage: first.firstImage - record }
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'extract.source_unreadable') return undefined
    throw error
  }
}
