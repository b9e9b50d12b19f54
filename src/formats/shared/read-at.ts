import { readSync } from 'node:fs'

/** Reads so many bytes at a place of an open file; fewer where the file ends before. */
export const readAt = (descriptor: number, position: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
