import { type Bytes, readLatin1 } from './bytes.ts'

const MARK_BYTES = 8
const CHUNK_EXTRA_BYTES = 12

/** Frames of a PNG: one, or those of an animation that have pixels and lie on the canvas. */
export const countPngFrames = async (bytes: Bytes): Promise<number> => {
  let width = 0
  let height = 0
  let isAnimated = false
  let frames = 0
  // A frame counts when its first pixels come.
  let isWaiting = false
  for (let at = MARK_BYTES; at + CHUNK_EXTRA_BYTES <= bytes.size; ) {
    const header = await bytes.read(at, 8)
    const length = header.getUint32(0)
    const type = readLatin1(header, 4, 4)
    if (type === 'IEND') break
    if (type === 'IHDR') {
      const size = await bytes.read(at + 8, 8)
      width = size.getUint32(0)
      height = size.getUint32(4)
    } else if (type === 'acTL') isAnimated = true
    else if (type === 'fcTL') {
      const control = await bytes.read(at + 12, 16)
      const [w, h, x, y] = [0, 4, 8, 12].map((place) => control.getUint32(place)) as [number, number, number, number]
      isWaiting = w > 0 && h > 0 && x + w <= width && y + h <= height
    } else if (isWaiting && (type === 'IDAT' || (type === 'fdAT' && length > 4))) {
      frames++
      isWaiting = false
    }
    at += length + CHUNK_EXTRA_BYTES
  }
  return isAnimated && frames > 0 ? frames : 1
}
