import { closeSync, openSync, writeSync } from 'node:fs'

export type TiffPicture = {
  width: number
  height: number
  /** Channels of a pixel, a byte each. */
  mapping: 'RGB' | 'RGBA' | 'CMYK'
  rowsPerStrip: number
  /** ICC. */
  profile?: Uint8Array
}

const SHORT = 3
const LONG = 4
const UNDEFINED = 7
const PHOTOMETRIC = { RGB: 2, RGBA: 2, CMYK: 5 }
const HEADER_BYTES = 8
const ENTRY_BYTES = 12

/** Writes an uncompressed TIFF whose strips are asked for one after the other. */
export const writeTiff = (
  path: string,
  { width, height, mapping, rowsPerStrip, profile }: TiffPicture,
  readStrip: (y: number, rows: number) => Uint8Array,
): void => {
  const fd = openSync(path, 'w')
  try {
    let at = HEADER_BYTES
    const put = (bytes: Uint8Array): number => {
      const start = at
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done)
      at += bytes.length + (bytes.length % 2)
      return start
    }
    const strips: { offset: number; bytes: number }[] = []
    for (let y = 0; y < height; y += rowsPerStrip) {
      const strip = readStrip(y, Math.min(rowsPerStrip, height - y))
      strips.push({ offset: put(strip), bytes: strip.length })
    }
    const channels = mapping.length
    const offsets = strips.map(({ offset }) => offset)
    const sizes = strips.map(({ bytes }) => bytes)
    /** One value stands in the entry itself, several beside it. */
    const long = (values: readonly number[]): number =>
      values.length === 1 ? (values[0] as number) : put(toLongs(values))
    const entries = [
      [256, LONG, 1, width],
      [257, LONG, 1, height],
      [258, SHORT, channels, put(toShorts(new Array(channels).fill(8)))],
      [259, SHORT, 1, 1],
      [262, SHORT, 1, PHOTOMETRIC[mapping]],
      [273, LONG, strips.length, long(offsets)],
      [277, SHORT, 1, channels],
      [278, LONG, 1, rowsPerStrip],
      [279, LONG, strips.length, long(sizes)],
      ...(mapping === 'RGBA' ? [[338, SHORT, 1, 2]] : []),
      ...(profile ? [[34675, UNDEFINED, profile.length, put(profile)]] : []),
    ]
    const directory = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4)
    directory.writeUInt16LE(entries.length)
    for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
      const entry = 2 + index * ENTRY_BYTES
      directory.writeUInt16LE(tag, entry)
      directory.writeUInt16LE(type, entry + 2)
      directory.writeUInt32LE(count, entry + 4)
      directory.writeUInt32LE(value, entry + 8)
    }
    const header = Buffer.from('49492a0000000000', 'hex')
    header.writeUInt32LE(put(directory), 4)
    writeSync(fd, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(fd)
  }
}

const toShorts = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

const toLongs = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
