import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context, Source } from '../../core/catalog.ts'
import { convert } from './convert.ts'
import { cover } from './cover.ts'
import { listen } from './listen.ts'
import { metadata } from './metadata.ts'
import { probe } from './probe.ts'
import { segments } from './segments.ts'
import { type Bench, ffprobe, only, openBench, TONES } from './sound-fixture.ts'

let bench: Bench
let frames: Buffer
beforeAll(() => {
  bench = openBench()
  const whole = readFileSync(bench.make('plain.mp3', ...TONES, '-id3v2_version', '0').path)
  frames = whole.subarray(whole.indexOf(Buffer.from([0xff, 0xfb])))
})
afterAll(() => bench.close())

const contextOf = (name: string, more: Partial<Context> = {}): Context => {
  const scratch = join(bench.folder, `probe-${name}`)
  mkdirSync(scratch, { recursive: true })
  const signal = new AbortController().signal
  return { signal, selected: new Set(), scratch, progress: () => {}, warn: () => {}, ...more }
}

const probeFailure = async (source: Source): Promise<unknown> => {
  const failure = await probe(source, contextOf(source.name), {}).catch((error: unknown) => error)
  return (failure as { code?: string }).code ?? failure
}

const syncsafe = (n: number): number[] => [(n >> 21) & 127, (n >> 14) & 127, (n >> 7) & 127, n & 127]
const uint32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}
const id3 = (body: Buffer, claimed = body.length): Buffer =>
  Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...syncsafe(claimed)]), body])
const frame = (id: string, body: Buffer, claimed = body.length): Buffer =>
  Buffer.concat([Buffer.from(id), uint32(claimed), Buffer.alloc(2), body])
const picture = (content: Buffer): Buffer => Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), content])

describe('files that mean harm, or met it', () => {
  it.each([
    ['list.mp3', '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:3,\nplain.mp3\n#EXT-X-ENDLIST\n'],
    ['script.wav', "ffconcat version 1.0\nfile 'plain.mp3'\n"],
    ['prose.flac', 'Words and no sound. '.repeat(500)],
    ['noughts.mp3', '\0'.repeat(100_000)],
    ['nothing.m4a', '\0\0\0\x10ftypM4A \0\0\0\0'],
  ])('refuses %s', async (name, content) => {
    expect(await probeFailure(bench.put(name, content))).toBe('extract.source_unreadable')
  })

  it('refuses tags without sound, and pictures without sound', async () => {
    expect(await probeFailure(bench.put('tags.mp3', id3(frame('TIT2', Buffer.from('\0Title')))))).toBe(
      'extract.source_unreadable',
    )
    const film = ['-f', 'lavfi', '-i', 'testsrc2=s=32x32:d=1:r=5', '-c:v', 'mpeg4', '-f', 'mp4']
    expect(await probeFailure(bench.make('film.m4a', ...film))).toBe('extract.source_unreadable')
  })

  it('passes over pictures that are lies, and keeps the sound', async () => {
    const lie = frame('APIC', picture(Buffer.from('\x89PNG', 'latin1')), 0x0f_ff_ff_ff)
    const source = bench.put('lie.mp3', Buffer.concat([id3(lie), frames]))
    const { files } = await bench.run(convert, source)
    expect(ffprobe(only(files)).streams[0]?.codec_name).toBe('mp3')
    expect((await bench.run(cover, source)).files).toEqual({})
  })

  it('hands a picture of monstrous size out without opening it', async () => {
    const header = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      uint32(13),
      Buffer.from('IHDR'),
      uint32(60_000),
    ])
    const png = Buffer.concat([header, uint32(60_000), Buffer.from([8, 2, 0, 0, 0, 0, 0, 0, 0])])
    const source = bench.put('monster.mp3', Buffer.concat([id3(frame('APIC', picture(png))), frames]))
    const { files } = await bench.run(cover, source)
    expect(readFileSync(files['images/cover-front.png'] as string).equals(png)).toBe(true)
    expect(Object.keys((await bench.run(convert, source)).files)).toEqual(['audio/monster.mp3'])
  })

  it('lists thousands of chapters and makes no thousands of files', async () => {
    const chapters = Array.from({ length: 3_000 }, (_, i) =>
      frame('CHAP', Buffer.concat([Buffer.from(`c${i}\0`), uint32(i), uint32(i + 1), Buffer.alloc(8, 0xff)])),
    )
    const source = bench.put('many.mp3', Buffer.concat([id3(Buffer.concat(chapters)), frames]))
    const { files } = await bench.run(metadata, source, { options: { analysis: false } })
    expect(JSON.parse(readFileSync(files['metadata/many.json'] as string, 'utf8')).chapters).toHaveLength(3_000)
    const cut = await bench.run(segments, source)
    expect(Object.keys(cut.files).length).toBeLessThan(100)
    expect(Object.keys((await bench.run(convert, source)).files)).toEqual(['audio/many.mp3'])
  })

  it('gives what is left of a cut-off file', async () => {
    const whole = readFileSync(bench.make('whole.flac', ...TONES).path)
    const source = bench.put('half.flac', whole.subarray(0, whole.length / 2))
    const { files } = await bench.run(convert, source)
    const seconds = Number(ffprobe(only(files)).format.duration)
    expect(seconds).toBeGreaterThan(0.3)
    expect(seconds).toBeLessThan(1.3)
  })

  it('stops at once when the job is canceled', async () => {
    const source = bench.make('hours.flac', '-f', 'lavfi', '-i', 'sine=d=3600:r=8000', '-compression_level', '0')
    const canceled = new AbortController()
    const context = contextOf('cancel', {
      signal: canceled.signal,
      progress: (fraction) => {
        if (fraction > 0) canceled.abort(new Error('canceled'))
      },
    })
    await expect(listen(source, { loudness: true, peaks: true }, context)).rejects.toThrow('canceled')
  })
})
