import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../core/catalog.ts'
import { loadSharp } from '../../engines/sharp.ts'
import { preview } from './preview.ts'

const scratch = mkdtempSync(join(tmpdir(), 'image-preview-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(['image.preview']),
  scratch,
  progress() {},
  warn() {},
}
const sharp = await loadSharp()

/** Red on the left, clear on the right. */
const picture = sharp({ create: { width: 40, height: 20, channels: 4, background: '#00000000' } }).composite([
  { input: { create: { width: 20, height: 20, channels: 4, background: '#ff0000' } }, left: 0, top: 0 },
])

const makePreview = async (name: string, bytes: Buffer, options: object) => {
  const path = join(scratch, name)
  await writeFile(path, bytes)
  const source = { path, name, extension: name.split('.')[1] ?? '', bytes: bytes.length }
  const given = { size: 512, format: 'webp', ...options } as never
  const [artifact] = await Array.fromAsync(preview.extract(source, given, context))
  if (!artifact || !('data' in artifact)) throw new Error('no preview')
  const { data, info } = await sharp(artifact.data as Buffer)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ]
  return { path: artifact.path, mediaType: artifact.mediaType, width: info.width, height: info.height, at }
}
const closeTo = (color: number[]) => color.map((channel) => expect.closeTo(channel, -1.1))

describe('image.preview', () => {
  it('keeps what is clear, and never enlarges', async () => {
    const made = await makePreview('half.png', await picture.clone().png().toBuffer(), {})
    expect(made).toMatchObject({ path: 'previews/half.webp', mediaType: 'image/webp', width: 40, height: 20 })
    expect(made.at(30, 10)[3]).toBe(0)
    expect(made.at(10, 10)).toEqual(closeTo([255, 0, 0, 255]))
  })

  it('lays what is clear on white where the format has no alpha', async () => {
    const made = await makePreview('half.png', await picture.clone().png().toBuffer(), { format: 'jpeg', size: 20 })
    expect(made).toMatchObject({ path: 'previews/half.jpg', width: 20, height: 10 })
    expect(made.at(16, 5)).toEqual(closeTo([255, 255, 255]))
  })

  it('shows a picture as its orientation says', async () => {
    const turned = await picture.clone().flatten().jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const made = await makePreview('turned.jpg', turned, { format: 'png' })
    expect(made).toMatchObject({ width: 20, height: 40 })
    expect(made.at(10, 5)).toEqual(closeTo([255, 0, 0]))
    expect(made.at(10, 35)).toEqual(closeTo([0, 0, 0]))
  })
})
