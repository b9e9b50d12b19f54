import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context, Source } from '../../core/catalog.ts'
import { frames } from './frames.ts'
import { probe } from './probe.ts'

const scratch = mkdtempSync(join(tmpdir(), 'image-probe-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(['image.frames']),
  scratch,
  progress() {},
  warn() {},
}
const openSource = (file: string): Source => {
  const path = join(import.meta.dirname, 'golden', file)
  return { path, name: file, extension: extname(file).slice(1), bytes: statSync(path).size }
}
const yieldFrames = async (source: Source): Promise<number> => {
  const options = { maxFrames: 1_000 } as never
  let count = 0
  for await (const { mediaType } of frames.extract(source, options, context)) if (mediaType === 'image/png') count++
  return count
}

describe('probe', () => {
  it.each([
    ['png/flags.png', 1],
    ['apng/blink.png', 4],
    ['gif/turn.gif', 3],
    ['webp/turn.webp', 3],
    ['misnamed/turn.png', 3],
    ['tiff/pages.tiff', 3],
    ['tiff-loop/pages.tiff', 3],
    ['ico/sizes.ico', 3],
    ['avif/fields.avif', 1],
    ['avifs/turn.avifs', 3],
    ['jpg-exif/photo.jpg', 1],
    ['svg/bars.svg', 1],
  ])('counts the frames of %s, as many as come out', async (file, count) => {
    expect(await probe(openSource(file), context)).toEqual({ frames: count })
    expect(await yieldFrames(openSource(file))).toBe(count)
  })

  it('refuses a picture that is too large before it is paid for', async () => {
    await expect(probe(openSource('png-pixel-bomb/bomb.png'), context)).rejects.toMatchObject({
      code: 'extract.limit_exceeded',
      params: { limit: 'pixels' },
    })
  })
})
