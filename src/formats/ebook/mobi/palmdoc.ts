import { overLimit } from '../../shared/decode.ts'

/** A record of text holds 4 KiB; what unfolds to far more was not written by any program. */
export const MAX_TEXT_RECORD_BYTES = 1024 ** 2

/** Unpacks a record that was packed by the method of Palm: runs of what came before, and blanks that save a byte. */
export const unpackPalmdoc = (packed: Uint8Array): Buffer => {
  let out = Buffer.allocUnsafe(Math.max(64, packed.length * 3))
  let length = 0
  const reserve = (more: number): void => {
    if (length + more > MAX_TEXT_RECORD_BYTES) throw overLimit('recordBytes', MAX_TEXT_RECORD_BYTES)
    if (length + more <= out.length) return
    const larger = Buffer.allocUnsafe(Math.max(out.length * 2, length + more))
    out.copy(larger, 0, 0, length)
    out = larger
  }
  for (let at = 0; at < packed.length; ) {
    const code = packed[at++] as number
    if (code >= 1 && code <= 8) {
      reserve(code)
      for (let i = 0; i < code && at < packed.length; i++) out[length++] = packed[at++] as number
    } else if (code < 0x80) {
      reserve(1)
      out[length++] = code
    } else if (code >= 0xc0) {
      reserve(2)
      out[length++] = 0x20
      out[length++] = code ^ 0x80
    } else if (at < packed.length) {
      const pair = ((code << 8) | (packed[at++] as number)) & 0x3fff
      const distance = pair >> 3
      const count = (pair & 7) + 3
      if (distance === 0 || distance > length) continue
      reserve(count)
      // Source and target may overlap, so byte by byte.
      for (let i = 0; i < count; i++, length++) out[length] = out[length - distance] as number
    }
  }
  return out.subarray(0, length)
}
