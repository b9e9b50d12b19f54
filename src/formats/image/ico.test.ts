import { describe, expect, it } from 'vitest'
import { decodeBitmap, listEntries, sortLargestFirst } from './ico.ts'

/** A bitmap entry of one row, with the rest of its fields zero. */
const bitmap = (width: number, bits: number, ...more: number[]): Buffer => {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(2, 8)
  header.writeUInt16LE(bits, 14)
  return Buffer.concat([header, Buffer.from(more)])
}
const icon = (data: Buffer, claimed = { count: 1, bytes: data.length, offset: 22 }): Buffer => {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(claimed.count, 4)
  head.writeUInt32LE(claimed.bytes, 14)
  head.writeUInt32LE(claimed.offset, 18)
  return Buffer.concat([head, data])
}
const decode = (data: Buffer) => {
  const [entry] = listEntries(icon(data))
  return entry && decodeBitmap(entry)?.toJSON().data
}

describe('icons', () => {
  it('takes the alpha of thirty-two bits', () => {
    expect(decode(bitmap(2, 32, 1, 2, 3, 128, 4, 5, 6, 0, 0, 0, 0, 0))).toEqual([3, 2, 1, 128, 6, 5, 4, 0])
  })

  it('takes the mask where there is no alpha', () => {
    expect(decode(bitmap(2, 32, 1, 2, 3, 0, 4, 5, 6, 0, 0b01000000, 0, 0, 0))).toEqual([3, 2, 1, 255, 6, 5, 4, 0])
  })

  it('reads palettes of one bit', () => {
    const palette = [10, 20, 30, 0, 40, 50, 60, 0]
    expect(decode(bitmap(2, 1, ...palette, 0b01000000, 0, 0, 0, 0, 0, 0, 0))).toEqual([
      30, 20, 10, 255, 60, 50, 40, 255,
    ])
  })

  it('shows everything where the mask is missing', () => {
    expect(decode(bitmap(1, 24, 7, 8, 9, 0))).toEqual([9, 8, 7, 255])
  })

  it('refuses what holds less than it says', () => {
    expect(decode(bitmap(60_000, 32, 1, 2, 3, 4))).toBeUndefined()
  })

  it('does not believe a directory', () => {
    const small = bitmap(1, 24, 7, 8, 9, 0)
    expect(listEntries(icon(small, { count: 65_535, bytes: small.length, offset: 22 }))).toHaveLength(1)
    expect(listEntries(icon(small, { count: 1, bytes: 4_000_000_000, offset: 4_000_000_000 }))).toEqual([])
    expect(listEntries(Buffer.alloc(3))).toEqual([])
  })

  it('puts the largest size first, then the deepest', () => {
    const entry = (width: number, bitsPerPixel: number) => ({
      ...{ width, height: width, bitsPerPixel, encoding: 'png' as const, data: Buffer.alloc(0) },
    })
    const sorted = sortLargestFirst([entry(16, 32), entry(48, 4), entry(48, 32)])
    expect(sorted.map(({ width, bitsPerPixel }) => [width, bitsPerPixel])).toEqual([
      [48, 32],
      [48, 4],
      [16, 32],
    ])
  })
})
