import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { decodePictures } from './magick.ts'
import { openPicture } from './sharp.ts'

const folder = mkdtempSync(join(tmpdir(), 'magick-'))
afterAll(() => rmSync(folder, { recursive: true }))
const signal = new AbortController().signal

/** A Photoshop document without layers; mode 4 is CMYK. */
const writePsd = (name: string, { width = 1, height = 1, mode = 3, planes }: PsdOptions): string => {
  const header = Buffer.alloc(26)
  header.write('8BPS', 'latin1')
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(planes.length, 12)
  header.writeUInt32BE(height, 14)
  header.writeUInt32BE(width, 18)
  header.writeUInt16BE(8, 22)
  header.writeUInt16BE(mode, 24)
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([header, Buffer.alloc(14), ...planes.map((plane) => Buffer.from(plane))]))
  return path
}
type PsdOptions = { width?: number; height?: number; mode?: number; planes: readonly (readonly number[])[] }

const decode = (path: string) =>
  decodePictures({ path, format: 'PSD' }, { first: 0, count: 1, target: `${path}-` }, { signal })

describe('decodePictures', () => {
  it('writes a file that sharp reads', async () => {
    const path = writePsd('rgb.psd', {
      width: 2,
      planes: [
        [255, 1],
        [128, 2],
        [0, 3],
      ],
    })
    const [picture] = await decode(path)
    expect(picture).toMatchObject({ width: 2, height: 1, hasAlpha: false })
    const pixels = await (await openPicture({ input: picture?.file ?? '' })).raw().toBuffer()
    expect([...pixels]).toEqual([255, 128, 0, 1, 2, 3])
  })

  it('keeps inks as inks, for the profile to turn into light', async () => {
    // Photoshop writes how much paper is left.
    const path = writePsd('cmyk.psd', { mode: 4, planes: [[255], [0], [0], [255]] })
    const [picture] = await decode(path)
    const image = await openPicture({ input: picture?.file ?? '' })
    expect((await image.metadata()).space).toBe('cmyk')
    const [red = 0, green = 0, blue = 0] = await image.toColourspace('srgb').raw().toBuffer()
    expect(red).toBeGreaterThan(180)
    expect(Math.max(green, blue)).toBeLessThan(100)
  })

  it('takes no more memory than it may', async () => {
    const path = writePsd('bomb.psd', { width: 30_000, height: 30_000, planes: [[0], [0], [0]] })
    await expect(decode(path)).rejects.toMatchObject({ code: 'extract.limit_exceeded', params: { limit: 'memory' } })
  })

  it('says so when a file is not what it should be', async () => {
    const path = join(folder, 'text.psd')
    writeFileSync(path, 'not a document')
    await expect(decode(path)).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })

  it('stops with the job', async () => {
    const controller = new AbortController()
    const path = writePsd('late.psd', { planes: [[1], [2], [3]] })
    const decoding = decodePictures({ path, format: 'PSD' }, { first: 0, count: 1, target: path }, controller)
    controller.abort(new Error('canceled'))
    await expect(decoding).rejects.toThrow('canceled')
  })
})
