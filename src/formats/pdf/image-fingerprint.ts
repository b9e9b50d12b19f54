import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { isDict, type PdfDict, type PdfObjects, type PdfValue } from './objects.ts'
import { listFilters } from './stream-filters.ts'

/** Leads away from the picture itself, and in some files to all of the document. */
export const UNRELATED = new Set([
  '/Metadata',
  '/OC',
  '/Parent',
  '/StructParent',
  '/OPI',
  '/Alternates',
  '/Group',
  '/PieceInfo',
])

/** The same for all images that look the same, whichever object holds them. */
export const fingerprint = async (
  objects: PdfObjects,
  dict: PdfDict,
  data: number | Buffer,
  folder: string,
): Promise<string> => {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([dict['/Width'], dict['/Height'], dict['/BitsPerComponent'], dict['/ImageMask']]))
  hash.update(JSON.stringify(listFilters(objects, dict)))
  for (const key of ['/ColorSpace', '/Decode', '/Mask', '/SMask']) await hashValue(objects, dict[key], folder, hash, 0)
  await hashData(data, folder, hash)
  return hash.digest('hex')
}

const hashValue = async (
  objects: PdfObjects,
  value: PdfValue | undefined,
  folder: string,
  hash: Hash,
  depth: number,
): Promise<void> => {
  if (depth > 6) return
  const resolved = objects.resolve(value)
  if (Array.isArray(resolved)) {
    hash.update('[')
    for (const member of resolved) await hashValue(objects, member, folder, hash, depth + 1)
  } else if (isDict(resolved)) {
    hash.update('<')
    for (const [key, member] of Object.entries(resolved)) {
      if (UNRELATED.has(key) || key === '/Length') continue
      hash.update(key)
      await hashValue(objects, member, folder, hash, depth + 1)
    }
  } else hash.update(JSON.stringify(resolved))
  if (typeof value === 'string' && objects.isStream(value)) await hashData(Number.parseInt(value, 10), folder, hash)
}

const hashData = async (data: number | Buffer, folder: string, hash: Hash): Promise<void> => {
  if (typeof data !== 'number') {
    hash.update(data)
    return
  }
  try {
    for await (const chunk of createReadStream(join(folder, `data-${data}`))) hash.update(chunk)
  } catch {
    // Not there: what could not be read is like nothing else.
    hash.update(String(data))
  }
}
