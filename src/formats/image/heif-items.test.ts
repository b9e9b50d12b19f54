import { describe, expect, it } from 'vitest'
import { findShownPictures } from './heif-items.ts'

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 8)
  return Buffer.concat([size, Buffer.from(type, 'latin1'), body])
}
const full = (version: number, flags = 0): Buffer => Buffer.from([version, 0, 0, flags])
const item = (id: number, type: string, isHidden = false): Buffer =>
  box('infe', full(2, isHidden ? 1 : 0), u16(id), u16(0), Buffer.from(`${type}\0`, 'latin1'))
const refer = (type: string, from: number, ...to: number[]): Buffer =>
  box(type, u16(from), u16(to.length), ...to.map(u16))
const file = (items: Buffer[], references: Buffer[]): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avif', 'latin1')),
    box('meta', full(0), box('iinf', full(0), u16(items.length), ...items), box('iref', full(0), ...references)),
  ])

describe('findShownPictures', () => {
  it('leaves out tiles that are not hidden', () => {
    const head = file([item(1, 'av01'), item(2, 'av01'), item(3, 'grid'), item(4, 'Exif')], [refer('dimg', 3, 1, 2)])
    expect(findShownPictures(head)).toEqual([2])
  })

  it('counts as the decoder does: without what is hidden, thumbnails and alpha', () => {
    const items = [item(1, 'av01', true), item(2, 'av01'), item(3, 'av01'), item(4, 'av01'), item(5, 'av01')]
    expect(findShownPictures(file(items, [refer('thmb', 3, 2), refer('auxl', 4, 2)]))).toEqual([0, 1])
  })

  it('says nothing of a head without the list', () => {
    expect(findShownPictures(box('ftyp', Buffer.from('avif\0\0\0\0')))).toBeUndefined()
    expect(findShownPictures(file([item(1, 'av01')], []).subarray(0, 40))).toEqual([])
  })
})
