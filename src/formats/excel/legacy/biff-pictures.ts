import { inflateSync } from 'node:zlib'
import type { Picture } from '../workbook.ts'

const [DRAWING_GROUP, CONTINUE] = [0xeb, 0x3c]
const CONTAINERS = new Set([0xf000, 0xf001])
const STORE_ENTRY = 0xf007
const STORE_ENTRY_BYTES = 36
const MAX_PICTURES = 10_000
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2

type Kind = {
  extension: string
  mediaType: string
  /** Bytes before the picture itself, without the second id that some have. */
  headBytes: number
  isPacked?: true
}

/** Ids come first, then a mark of one byte, or the measures of a drawing. */
const [BITMAP_HEAD, DRAWING_HEAD, ID_BYTES] = [17, 50, 16]
const KINDS: Readonly<Record<number, Kind>> = {
  61466: { extension: 'emf', mediaType: 'image/emf', headBytes: DRAWING_HEAD, isPacked: true },
  61467: { extension: 'wmf', mediaType: 'image/wmf', headBytes: DRAWING_HEAD, isPacked: true },
  61469: { extension: 'jpg', mediaType: 'image/jpeg', headBytes: BITMAP_HEAD },
  61470: { extension: 'png', mediaType: 'image/png', headBytes: BITMAP_HEAD },
  61481: { extension: 'tiff', mediaType: 'image/tiff', headBytes: BITMAP_HEAD },
  61482: { extension: 'jpg', mediaType: 'image/jpeg', headBytes: BITMAP_HEAD },
}

/** Pictures of an Excel 97 to 2003 workbook, from the store that all of its sheets share. */
export const findBiffPictures = (stream: Uint8Array): Picture[] => {
  const store = joinDrawingGroup(Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength))
  const found: Picture[] = []
  walk(store, 0, store.length, found)
  return found
}

/** The store is cut into records of at most 8 kB. */
const joinDrawingGroup = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = []
  let isInside = false
  for (let at = 0; at + 4 <= bytes.length; ) {
    const type = bytes.readUInt16LE(at)
    const length = bytes.readUInt16LE(at + 2)
    isInside = type === DRAWING_GROUP || (isInside && type === CONTINUE)
    if (isInside) pieces.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return Buffer.concat(pieces)
}

const walk = (store: Buffer, start: number, end: number, found: Picture[]): void => {
  for (let at = start; at + 8 <= end && found.length < MAX_PICTURES; ) {
    const type = store.readUInt16LE(at + 2)
    const [from, to] = [at + 8, Math.min(end, at + 8 + store.readUInt32LE(at + 4))]
    if (CONTAINERS.has(type)) walk(store, from, to, found)
    // The entry names the picture before it.
    else if (type === STORE_ENTRY) walk(store, from + STORE_ENTRY_BYTES + (store[from + 33] ?? 0), to, found)
    else addPicture(type, store.readUInt16LE(at) >> 4, store.subarray(from, to), found)
    at = to
  }
}

const addPicture = (type: number, instance: number, record: Buffer, found: Picture[]): void => {
  const kind = KINDS[type]
  if (!kind) return
  // An odd number tells of a second id.
  const data = record.subarray(kind.headBytes + (instance % 2 === 1 ? ID_BYTES : 0))
  const content = kind.isPacked ? unpack(data) : data
  if (!content || content.length === 0) return
  const { extension, mediaType } = kind
  const part = `image${found.length + 1}.${extension}`
  found.push({ part, extension, mediaType, read: () => once(content) })
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const unpack = (data: Buffer): Buffer | undefined => {
  try {
    return inflateSync(data, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    // Some are not packed, and a damaged one is no reason to lose the others.
    return undefined
  }
}
