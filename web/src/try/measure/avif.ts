import { type Bytes, readLatin1 } from './bytes.ts'

type Box = { type: string; at: number; end: number }

const MAX_META_BYTES = 262_144
const SEQUENCE_BRAND = 'avis'
const STILL_BRAND = 'avif'
/** Items of these types are about pictures, not pictures. */
const OTHER_ITEMS = ['Exif', 'mime', 'uri ', 'tmap']

/** 1 for an AVIF that holds one picture; sequences and collections are for a decoder to count. */
export const countAvifPictures = async (bytes: Bytes): Promise<number | undefined> => {
  const typeBytes = (await bytes.read(0, 4)).getUint32(0)
  const brands: readonly string[] = readLatin1(await bytes.read(8, Math.min(typeBytes, 256) - 8)).match(/.{4}/gs) ?? []
  if (!brands.includes(STILL_BRAND) || brands.includes(SEQUENCE_BRAND)) return undefined
  const head = await bytes.read(0, Math.min(bytes.size, MAX_META_BYTES))
  const meta = listBoxes(head, 0, head.byteLength).find(({ type }) => type === 'meta')
  if (!meta) return undefined
  const boxes = listBoxes(head, meta.at + 4, meta.end)
  const about = new Set<number>()
  const references = boxes.find(({ type }) => type === 'iref')
  if (references) {
    const readId = idReader(head, head.getUint8(references.at) === 0)
    for (const { type, at } of listBoxes(head, references.at + 4, references.end)) {
      if (type === 'thmb' || type === 'auxl') about.add(readId(at))
      // A picture of several pieces.
      if (type === 'dimg') return undefined
    }
  }
  const items = boxes.find(({ type }) => type === 'iinf')
  if (!items) return undefined
  const first = items.at + (head.getUint8(items.at) === 0 ? 6 : 8)
  const pictures = listBoxes(head, first, items.end).filter(({ at }) => {
    const isShort = head.getUint8(at) < 3
    const isHidden = (head.getUint8(at + 3) & 1) === 1
    const type = readLatin1(head, at + (isShort ? 8 : 10), 4)
    return !isHidden && !OTHER_ITEMS.includes(type) && !about.has(idReader(head, isShort)(at + 4))
  })
  return pictures.length === 1 ? 1 : undefined
}

const idReader =
  (view: DataView, isShort: boolean) =>
  (at: number): number =>
    isShort ? view.getUint16(at) : view.getUint32(at)

const listBoxes = (view: DataView, from: number, to: number): Box[] => {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const length = view.getUint32(at)
    // Longer than the head, or up to the end of the file: not one that is looked into.
    if (length < 8) break
    boxes.push({ type: readLatin1(view, at + 4, 4), at: at + 8, end: Math.min(to, at + length) })
    at += length
  }
  return boxes
}
