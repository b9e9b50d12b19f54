/** Finds which pictures of an AVIF or HEIF file are to be shown, among those that the decoder counts. */

type Item = { id: number; type: string; isHidden: boolean }
type Reference = { type: string; from: number; to: readonly number[] }
type BoxOf = { type: string; body: Buffer }

/** Items of these types are about pictures, not pictures. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['Exif', 'mime', 'uri ', 'tmap'])

/**
 * Indexes of the pictures to be shown, in the decoder's order: it counts all that are not hidden, thumbnails or alpha,
 * and so also the tiles of a picture where the file does not hide them. Undefined where the head does not tell.
 */
export const findShownPictures = (head: Buffer): number[] | undefined => {
  const meta = listBoxes(head).find(({ type }) => type === 'meta')
  if (!meta) return undefined
  const boxes = listBoxes(meta.body.subarray(4))
  const items = readItems(boxes.find(({ type }) => type === 'iinf')?.body)
  const references = readReferences(boxes.find(({ type }) => type === 'iref')?.body)
  const about = new Set(references.flatMap(({ type, from }) => (type === 'thmb' || type === 'auxl' ? [from] : [])))
  const parts = new Set(references.flatMap(({ type, to }) => (type === 'dimg' ? to : [])))
  const counted = items.filter(({ id, type, isHidden }) => !isHidden && !OTHER_TYPES.has(type) && !about.has(id))
  return counted.flatMap(({ id }, index) => (parts.has(id) ? [] : [index]))
}

const listBoxes = (data: Buffer): BoxOf[] => {
  const boxes: BoxOf[] = []
  for (let at = 0; at + 8 <= data.length; ) {
    const small = data.readUInt32BE(at)
    const isLarge = small === 1 && at + 16 <= data.length
    const bytes = isLarge ? Number(data.readBigUInt64BE(at + 8)) : small === 0 ? data.length - at : small
    const headerBytes = isLarge ? 16 : 8
    if (bytes < headerBytes) break
    const body = data.subarray(at + headerBytes, Math.min(data.length, at + bytes))
    boxes.push({ type: data.toString('latin1', at + 4, at + 8), body })
    at += bytes
  }
  return boxes
}

const readItems = (body: Buffer | undefined): Item[] => {
  if (!body || body.length < 8) return []
  const entries = listBoxes(body.subarray(body.readUInt8(0) === 0 ? 6 : 8))
  return entries.flatMap(({ type, body: entry }) => {
    if (type !== 'infe' || entry.length < 12) return []
    const isLong = entry.readUInt8(0) >= 3
    const id = isLong ? entry.readUInt32BE(4) : entry.readUInt16BE(4)
    const typeAt = isLong ? 10 : 8
    return [{ id, type: entry.toString('latin1', typeAt, typeAt + 4), isHidden: (entry.readUInt8(3) & 1) === 1 }]
  })
}

const readReferences = (body: Buffer | undefined): Reference[] => {
  if (!body || body.length < 4) return []
  const idBytes = body.readUInt8(0) === 0 ? 2 : 4
  return listBoxes(body.subarray(4)).flatMap(({ type, body: entry }) => {
    if (entry.length < idBytes + 2) return []
    const count = Math.min(entry.readUInt16BE(idBytes), Math.floor((entry.length - idBytes - 2) / idBytes))
    const to = Array.from({ length: count }, (_, index) => entry.readUIntBE(idBytes + 2 + index * idBytes, idBytes))
    return [{ type, from: entry.readUIntBE(0, idBytes), to }]
  })
}
