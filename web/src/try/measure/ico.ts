import type { Bytes } from './bytes.ts'

const DIRECTORY_BYTES = 6
const ENTRY_BYTES = 16
const PNG_MARK = 0x89504e47
const PNG_HEADER_BYTES = 26
const BITMAP_HEADER_BYTES = 40

/** Sizes of an icon that lie in the file. */
export const countIconSizes = async (bytes: Bytes): Promise<number | undefined> => {
  const stated = (await bytes.read(4, 2)).getUint16(0, true)
  const count = Math.min(stated, Math.floor((bytes.size - DIRECTORY_BYTES) / ENTRY_BYTES))
  let sizes = 0
  for (let index = 0; index < count; index++) {
    const entry = await bytes.read(DIRECTORY_BYTES + index * ENTRY_BYTES, ENTRY_BYTES)
    const at = entry.getUint32(12, true)
    if (await isPicture(bytes, at, Math.min(entry.getUint32(8, true), bytes.size - at))) sizes++
  }
  return sizes > 0 ? sizes : undefined
}

const isPicture = async (bytes: Bytes, at: number, length: number): Promise<boolean> => {
  if (length >= PNG_HEADER_BYTES && (await bytes.read(at, 4)).getUint32(0) === PNG_MARK) return true
  if (length < BITMAP_HEADER_BYTES) return false
  const header = await bytes.read(at, 12)
  const isLongHeader = header.getUint32(0, true) >= BITMAP_HEADER_BYTES
  // Twice as high as it shows: the mask lies under the colours.
  return isLongHeader && header.getInt32(4, true) > 0 && Math.abs(header.getInt32(8, true)) >= 2
}
