import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convert } from './convert.ts'
import { type Bench, ffprobe, only, openBench, TONES } from './sound-fixture.ts'

let bench: Bench
beforeAll(() => {
  bench = openBench()
})
afterAll(() => bench.close())

const TAGS = ['title=Tïtle', 'artist=Ärtist', 'album=Album'].flatMap((tag) => ['-metadata', tag])

const convertTo = async (name: string, args: readonly string[], audioFormat: string) => {
  const source = bench.make(name, ...TONES, ...TAGS, ...args)
  const outcome = await bench.run(convert, source, { options: { audioFormat } })
  const file = only(outcome.files)
  const { format, streams } = ffprobe(file)
  const sound = streams.find(({ codec_type }) => codec_type === 'audio')
  return {
    path: only(Object.fromEntries(Object.keys(outcome.files).map((path) => [path, path]))),
    format,
    streams,
    sound,
  }
}

describe('audio.convert', () => {
  it.each([
    ['a.wav', [], 'mp3', 'mp3', 'mp3'],
    ['a.mp3', [], 'mp3', 'mp3', 'mp3'],
    ['deep.flac', ['-sample_fmt', 's32'], 'wav', 'wav', 'pcm_s24le'],
    ['a.ogg', ['-c:a', 'libvorbis'], 'm4a', 'm4a', 'aac'],
    ['a.aac', [], 'original', 'm4a', 'aac'],
    ['a.wma', ['-c:a', 'wmav2'], 'original', 'wma', 'wmav2'],
    ['a.mka', ['-c:a', 'truehd', '-strict', '-2', '-ar', '48000'], 'original', 'mka', 'truehd'],
    ['a.aiff', [], 'best', 'flac', 'flac'],
    ['phone.wav', ['-ar', '8000', '-ac', '1'], 'mp3', 'mp3', 'mp3'],
    ['a.spx', ['-c:a', 'libspeex', '-ar', '16000'], 'm4a', 'm4a', 'aac'],
  ])('%s %s as %s', async (name, args, format, extension, codec) => {
    const found = await convertTo(name, args, format)
    expect(found.path).toBe(`audio/${name.replace(/\.[^.]+$/, '')}.${extension}`)
    expect(found.sound?.codec_name).toBe(codec)
    expect(Math.abs(Number(found.format.duration) - 1.5)).toBeLessThan(0.1)
  })

  it('mixes sixteen nameless channels to two', async () => {
    const expressions = Array.from({ length: 16 }, () => '0.1*sin(440*2*PI*t)').join('|')
    const source = bench.make('many.wav', '-f', 'lavfi', '-i', `aevalsrc=exprs=${expressions}:d=0.5`)
    const { files } = await bench.run(convert, source)
    expect(ffprobe(only(files)).streams[0]).toMatchObject({ codec_name: 'mp3', channels: 2 })
  })

  it.each(['mp3', 'm4a'])('carries tags, cover and chapters as %s', async (audioFormat) => {
    bench.make('cover.jpg', '-f', 'lavfi', '-i', 'testsrc2=s=64x48', '-frames:v', '1')
    const chapters =
      ';FFMETADATA1\ntitle=Böok\nartist=Ann\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=700\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=700\nEND=1500\ntitle=Two\n'
    bench.put('chapters.txt', chapters)
    const inputs = ['-i', `${bench.folder}/chapters.txt`, '-i', `${bench.folder}/cover.jpg`]
    const maps = ['-map', '0:a', '-map', '2:v', '-map_metadata', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic']
    const source = bench.make('book.mp3', ...TONES, ...inputs, ...maps, '-b:a', '96k')
    const { files } = await bench.run(convert, source, { options: { audioFormat } })
    const { format, streams, chapters: found } = ffprobe(only(files))
    expect(format.tags).toMatchObject({ title: 'Böok', artist: 'Ann' })
    expect(streams.map(({ codec_name }) => codec_name)).toContain('mjpeg')
    expect(found.map(({ tags }) => tags?.title)).toEqual(['One', 'Two'])
    expect(Math.abs(Number(found[1]?.start_time) - 0.7)).toBeLessThan(0.05)
  })

  it('keeps the tags of Ogg, which belong to the track', async () => {
    const toMp3 = await convertTo('c.ogg', ['-c:a', 'libvorbis'], 'mp3')
    expect(toMp3.format.tags).toMatchObject({ title: 'Tïtle', artist: 'Ärtist' })
    const toOgg = await convertTo('d.opus', ['-c:a', 'libopus'], 'best')
    expect(toOgg.sound?.tags).toMatchObject({ title: 'Tïtle', artist: 'Ärtist' })
  })

  it('gives each track of several a file, and reads sound out of a film', async () => {
    const film = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=1', ...TONES, '-f', 'lavfi', '-i', 'sine=d=1.2']
    const source = bench.make(
      'two.m4a',
      ...film,
      ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'mpeg4', '-f', 'mp4'],
    )
    const { files } = await bench.run(convert, source, { options: { tracks: 'all' } })
    expect(Object.keys(files)).toEqual(['audio/two.track-01.mp3', 'audio/two.track-02.mp3'])
    const seconds = Object.values(files).map((file) => Number(ffprobe(file).format.duration))
    expect(Math.abs((seconds[0] as number) - 1.5)).toBeLessThan(0.1)
    expect(Math.abs((seconds[1] as number) - 1.2)).toBeLessThan(0.1)
  })

  it('writes the same bytes each time', async () => {
    const source = bench.make('again.opus', ...TONES, '-c:a', 'libopus')
    const runs = [1, 2].map(() => bench.run(convert, source, { options: { audioFormat: 'original' } }))
    const [first, second] = await Promise.all(runs.map(async (run) => only((await run).files)))
    expect(readFileSync(first as string).equals(readFileSync(second as string))).toBe(true)
  })
})
