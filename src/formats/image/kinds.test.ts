import { describe, expect, it } from 'vitest'
import { detectKind } from './kinds.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const ftyp = (...brands: string[]): Buffer => {
  const body = Buffer.from(`ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 4)
  return Buffer.concat([size, body])
}

describe('detectKind', () => {
  it.each([
    ['jpeg', bytes('ffd8ffe0')],
    ['tiff', bytes('4d4d002a 00000008')],
    ['tiff', bytes('49492b00 08000000')],
    ['ico', bytes('00000100 0100 10100000 0100 2000 00000000 16000000')],
    ['ico', bytes('00000200 0100 10100000 0100 2000 00000000 16000000')],
    ['bmp', bytes('424d 36000000 00000000 36000000 28000000 01000000 01000000')],
    ['jxl', bytes('ff0a')],
    ['avif', ftyp('avif', 'mif1', 'miaf')],
    ['avif', ftyp('mif1', 'avif')],
    ['avifs', ftyp('avis', 'avif', 'msf1')],
    ['heif', ftyp('mif1', 'heic')],
    ['heif', ftyp('msf1', 'hevc')],
    ['svg', Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- <html> --><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['svg', Buffer.from('<!DOCTYPE svg [ <!ENTITY a "]>"> ]>\n<s:svg xmlns:s="http://www.w3.org/2000/svg">')],
    ['svg', Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><svg width="1"/>', 'utf16le')],
  ])('knows %s', (kind, head) => {
    expect(detectKind(head)).toBe(kind)
  })

  it.each([
    ['a video', ftyp('isom', 'mp42')],
    ['a page with a drawing in it', Buffer.from('<html><svg></svg></html>')],
    ['a text that begins like a bitmap', Buffer.from('BMW and other makes of cars, in alphabetical order')],
    ['zeros', Buffer.alloc(64)],
    ['nothing', Buffer.alloc(0)],
    ['markup without an end', Buffer.from(`<!--${' '.repeat(10_000)}`)],
  ])('does not take %s for an image', (_title, head) => {
    expect(detectKind(head)).toBeUndefined()
  })
})
