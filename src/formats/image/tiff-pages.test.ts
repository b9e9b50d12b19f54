import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context, Source } from '../../core/catalog.ts'
import { openPicture } from '../../engines/sharp.ts'
import { readTiffPages } from './tiff-pages.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tiff-pages-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(),
  scratch,
  progress() {},
  warn() {},
}

/** Pages of one grey pixel, each of another grey. */
const writePages = (name: string, count: number, isBig: boolean, isLittle: boolean): Source => {
  const pieces: Buffer[] = []
  const number = (value: number, bytes: number): Buffer => {
    const found = Buffer.alloc(bytes)
    if (isLittle) found.writeUIntLE(value, 0, Math.min(bytes, 6))
    else found.writeUIntBE(value, bytes - Math.min(bytes, 6), Math.min(bytes, 6))
    return found
  }
  const address = isBig ? 8 : 4
  const tags = [256, 257, 258, 259, 262, 273, 277, 278, 279]
  const values = [1, 1, 8, 1, 1, 0, 1, 1, 1]
  const directoryBytes = (isBig ? 8 : 2) + tags.length * (isBig ? 20 : 12) + address
  const start = isBig ? 16 : 8
  pieces.push(Buffer.from(isLittle ? 'II' : 'MM'), number(isBig ? 43 : 42, 2))
  if (isBig) pieces.push(number(8, 2), number(0, 2))
  pieces.push(number(start, address))
  for (let page = 0; page < count; page++) {
    const at = start + page * (directoryBytes + 2)
    pieces.push(number(tags.length, isBig ? 8 : 2))
    for (const [index, tag] of tags.entries()) {
      const value = tag === 273 ? at + directoryBytes : (values[index] as number)
      pieces.push(number(tag, 2), number(4, 2), number(1, address), number(value, 4), Buffer.alloc(address - 4))
    }
    pieces.push(number(page === count - 1 ? 0 : at + directoryBytes + 2, address), Buffer.from([page, 0]))
  }
  const path = join(scratch, name)
  const file = Buffer.concat(pieces)
  writeFileSync(path, file)
  return { path, name, extension: 'tif', bytes: file.length }
}

describe('readTiffPages', () => {
  it.each([
    ['few pages', 3, false, true],
    ['many pages', 60, false, true],
    ['many pages, most significant byte first', 60, false, false],
    ['many pages of BigTIFF', 60, true, true],
    ['many pages of BigTIFF, most significant byte first', 60, true, false],
  ])('gives %s in their order', async (title, count, isBig, isLittle) => {
    const source = writePages(`${title}.tif`, count, isBig, isLittle)
    const greys: (number | undefined)[] = []
    for await (const picture of readTiffPages(source, context, count)) {
      greys.push((await (await openPicture(picture)).raw().toBuffer())[0])
    }
    expect(greys).toEqual(Array.from({ length: count }, (_, page) => page))
  })
})
