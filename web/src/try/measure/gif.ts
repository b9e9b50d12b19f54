import type { Bytes } from './bytes.ts'

const HEADER_BYTES = 13
const EXTENSION = 0x21
const PICTURE = 0x2c
const TRAILER = 0x3b

const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Frames of a GIF; undefined for one that is cut off or damaged. */
export const countGifFrames = async (bytes: Bytes): Promise<number | undefined> => {
  const flags = (await bytes.read(10, 1)).getUint8(0)
  let at = HEADER_BYTES + paletteBytes(flags)
  const skipBlocks = async (): Promise<void> => {
    for (;;) {
      const length = (await bytes.read(at, 1)).getUint8(0)
      at += 1 + length
      if (length === 0) return
    }
  }
  for (let frames = 0; ; ) {
    const kind = (await bytes.read(at, 1)).getUint8(0)
    if (kind === TRAILER) return frames > 0 ? frames : undefined
    if (kind === EXTENSION) {
      at += 2
      await skipBlocks()
    } else if (kind === PICTURE) {
      const local = (await bytes.read(at + 9, 1)).getUint8(0)
      // The byte after the colours says how the pixels are packed.
      at += 10 + paletteBytes(local) + 1
      await skipBlocks()
      frames++
    } else return undefined
  }
}
