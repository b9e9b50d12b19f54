import { type Bytes, readLatin1 } from './bytes.ts'

const ANIMATED = 0x02

/** Frames of a WebP. */
export const countWebpFrames = async (bytes: Bytes): Promise<number | undefined> => {
  const head = await bytes.read(0, 21)
  if (readLatin1(head, 12, 4) !== 'VP8X' || !(head.getUint8(20) & ANIMATED)) return 1
  const end = 8 + head.getUint32(4, true)
  let frames = 0
  for (let at = 12; at + 8 <= end; ) {
    const chunk = await bytes.read(at, 8)
    const length = chunk.getUint32(4, true)
    if (readLatin1(chunk, 0, 4) === 'ANMF') frames++
    at += 8 + length + (length % 2)
    if (at > bytes.size) return undefined
  }
  return frames > 0 ? frames : undefined
}
