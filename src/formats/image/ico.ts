import { readFile } from 'node:fs/promises'
import type { Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { PictureInput } from '../../engines/sharp.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'

const DIRECTORY_BYTES = 6
const ENTRY_BYTES = 16
const MAX_BYTES = 64 * 1_048_576
const PNG_MARK = '89504e47'
const PNG_HEADER_BYTES = 26
const BITMAP_HEADER_BYTES = 40

/** One size of an icon. `data` is a PNG, or a bitmap without the header of its file. */
export type IconEntry = {
  width: number
  height: number
  bitsPerPixel: number
  encoding: 'png' | 'bitmap'
  data: Buffer
}

/** The sizes of an icon that lie in the file, in its order. */
export const readIcon = perSource(async (source: Source): Promise<IconEntry[]> => {
  if (source.bytes > MAX_BYTES) throw overLimit('iconBytes', MAX_BYTES)
  const entries = listEntries(await readFile(source.path))
  if (entries.length === 0) throw new JobFailure('extract.source_unreadable')
  return entries
})

/** Sizes are those of the pictures themselves: the directory is often wrong about them. */
export const listEntries = (file: Buffer): IconEntry[] => {
  if (file.length < DIRECTORY_BYTES) return []
  const count = Math.min(file.readUInt16LE(4), Math.floor((file.length - DIRECTORY_BYTES) / ENTRY_BYTES))
  const entries: IconEntry[] = []
  for (let index = 0; index < count; index++) {
    const at = DIRECTORY_BYTES + index * ENTRY_BYTES
    const bytes = file.readUInt32LE(at + 8)
    const offset = file.readUInt32LE(at + 12)
    const entry = readEntry(file.subarray(offset, offset + bytes))
    if (entry) entries.push(entry)
  }
  return entries
}

const readEntry = (data: Buffer): IconEntry | undefined => {
  if (data.length >= PNG_HEADER_BYTES && data.toString('hex', 0, 4) === PNG_MARK) {
    const bitsPerPixel = data.readUInt8(24) * (CHANNELS_OF_PNG[data.readUInt8(25)] ?? 1)
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20), bitsPerPixel, encoding: 'png', data }
  }
  if (data.length < BITMAP_HEADER_BYTES || data.readUInt32LE(0) < BITMAP_HEADER_BYTES) return undefined
  const width = data.readInt32LE(4)
  // Twice as high as it shows: the mask lies under the colours.
  const height = Math.abs(data.readInt32LE(8)) >> 1
  return width > 0 && height > 0
    ? { width, height, bitsPerPixel: data.readUInt16LE(14), encoding: 'bitmap', data }
    : undefined
}
const CHANNELS_OF_PNG: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The sizes of an icon, the largest first, of these the one with most colours. */
export const sortLargestFirst = (entries: readonly IconEntry[]): IconEntry[] =>
  entries.toSorted((a, b) => b.width * b.height - a.width * a.height || b.bitsPerPixel - a.bitsPerPixel)

/** An entry as sharp takes it; undefined where it is broken. */
export const iconPicture = (entry: IconEntry): PictureInput | undefined => {
  if (entry.encoding === 'png') return { input: entry.data }
  const pixels = decodeBitmap(entry)
  const { width, height } = entry
  return pixels && { input: pixels, options: { raw: { width, height, channels: 4 } } }
}

/** Pixels of a bitmap entry, four bytes each; undefined where the file holds less than it says. */
export const decodeBitmap = ({ width, height, bitsPerPixel, data }: IconEntry): Buffer | undefined => {
  const headerBytes = data.readUInt32LE(0)
  if (data.readUInt32LE(16) !== UNCOMPRESSED) return undefined
  const isTopDown = data.readInt32LE(8) < 0
  const colors = bitsPerPixel <= 8 ? data.readUInt32LE(32) || 1 << bitsPerPixel : 0
  const pixelsAt = headerBytes + colors * 4
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4
  const maskAt = pixelsAt + stride * height
  const maskStride = Math.ceil(width / 32) * 4
  if (![1, 4, 8, 16, 24, 32].includes(bitsPerPixel) || maskAt > data.length) return undefined
  const hasMask = maskAt + maskStride * height <= data.length
  const palette = data.subarray(headerBytes, pixelsAt)
  const pixels = Buffer.alloc(width * height * 4)
  let isAlphaUsed = false
  for (let y = 0; y < height; y++) {
    const line = isTopDown ? y : height - 1 - y
    const row = data.subarray(pixelsAt + line * stride, pixelsAt + (line + 1) * stride)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      const color = readColor(row, x, bitsPerPixel, palette)
      pixels.writeUInt32BE(color, at)
      isAlphaUsed ||= bitsPerPixel === 32 && (color & 0xff) !== 0
    }
  }
  if (isAlphaUsed) return pixels
  // Without alpha of its own the mask tells what is clear.
  for (let y = 0; y < height; y++) {
    const line = maskAt + (isTopDown ? y : height - 1 - y) * maskStride
    for (let x = 0; x < width; x++) {
      const isClear = hasMask && ((data[line + (x >> 3)] as number) >> (7 - (x & 7))) & 1
      pixels[(y * width + x) * 4 + 3] = isClear ? 0 : 255
    }
  }
  return pixels
}
const UNCOMPRESSED = 0

/** Red, green, blue and alpha as one number; alpha is 0 where the depth has none. */
const readColor = (row: Buffer, x: number, bitsPerPixel: number, palette: Buffer): number => {
  if (bitsPerPixel <= 8) {
    const perByte = 8 / bitsPerPixel
    const shift = 8 - bitsPerPixel * ((x % perByte) + 1)
    const index = ((row[Math.floor(x / perByte)] as number) >> shift) & ((1 << bitsPerPixel) - 1)
    return pack(palette[index * 4 + 2] ?? 0, palette[index * 4 + 1] ?? 0, palette[index * 4] ?? 0, 0)
  }
  if (bitsPerPixel === 16) {
    const value = row.readUInt16LE(x * 2)
    const widen = (five: number) => (five << 3) | (five >> 2)
    return pack(widen((value >> 10) & 31), widen((value >> 5) & 31), widen(value & 31), 0)
  }
  const at = x * (bitsPerPixel / 8)
  const [blue = 0, green = 0, red = 0, alpha = 0] = row.subarray(at, at + bitsPerPixel / 8)
  return pack(red, green, blue, alpha)
}

const pack = (red: number, green: number, blue: number, alpha: number): number =>
  ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0
