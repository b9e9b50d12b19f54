import type { Picture } from '../book.ts'
import { isGiven, type MobiHeader } from './header.ts'
import type { PalmDatabase } from './palm-database.ts'

const MAX_PICTURES = 20_000
const KINDS: readonly (readonly [hex: string, mediaType: string, extension: string])[] = [
  ['ffd8ff', 'image/jpeg', 'jpg'],
  ['89504e47', 'image/png', 'png'],
  ['47494638', 'image/gif', 'gif'],
  ['424d', 'image/bmp', 'bmp'],
]

/** The pictures of a book by the number that its text calls them by, from 1. */
export const listPictures = (file: PalmDatabase, { base, firstImage }: MobiHeader): Map<number, Picture> => {
  const pictures = new Map<number, Picture>()
  if (!isGiven(firstImage)) return pictures
  for (let record = base + firstImage; record < file.recordCount; record++) {
    const bytes = file.bytesOf(record)
    if (bytes < 8) continue
    const head = file.readHead(record, 8).toString('hex')
    // Another book begins here.
    if (head === Buffer.from('BOUNDARY').toString('hex')) break
    const kind = KINDS.find(([hex]) => head.startsWith(hex))
    if (!kind) continue
    const number = record - base - firstImage + 1
    const path = `images/image-${String(number).padStart(4, '0')}.${kind[2]}`
    pictures.set(number, { id: String(record), path, mediaType: kind[1], bytes })
    if (pictures.size >= MAX_PICTURES) break
  }
  return pictures
}
