import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLoudness } from './loudness.ts'
import { metadata } from './metadata.ts'
import { type Bench, openBench, TONES } from './sound-fixture.ts'

let bench: Bench
beforeAll(() => {
  bench = openBench()
})
afterAll(() => bench.close())

const TAGS = {
  title: 'Größe 東京',
  artist: 'Ann Önym',
  album: 'Álbum',
  genre: 'Jazz',
  date: '2019',
  track: '3',
  copyright: '© Nobody',
  comment: 'A wörd',
}
const TAG_ARGS = Object.entries(TAGS).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])

const describeFile = async (source: Parameters<Bench['run']>[1], options: Record<string, unknown> = {}) => {
  const { files, warnings } = await bench.run(metadata, source, { options })
  const [record] = Object.keys(files).filter((path) => path !== 'metadata/probe.json')
  return { found: JSON.parse(readFileSync(files[record as string] as string, 'utf8')), warnings }
}

/** Tags as another program reads them. */
const exiftool = (file: string): Record<string, unknown> =>
  JSON.parse(execFileSync('exiftool', ['-json', '-charset', 'utf8', '-charset', 'riff=utf8', file]).toString())[0]

describe('audio.metadata', () => {
  it.each([
    ['t.mp3', ['-id3v2_version', '4'], 'ID3v2.4'],
    ['v3.mp3', ['-id3v2_version', '3', '-write_id3v1', '1'], 'ID3v2.3'],
    ['t.opus', ['-c:a', 'libopus'], 'Vorbis comments'],
    ['t.m4a', [], 'MP4'],
    ['t.wma', ['-c:a', 'wmav2'], 'ASF'],
    ['t.wav', [], 'RIFF INFO'],
  ])('reads what exiftool reads in %s', async (name, args, kind) => {
    const source = bench.make(name, ...TONES, ...TAG_ARGS, ...args)
    const { found, warnings } = await describeFile(source, { analysis: false })
    expect(warnings).toEqual([])
    expect(Object.keys(found.nativeTags)).toContain(kind)
    const { Title, Artist, Author, Album, AlbumTitle, Product, Genre } = exiftool(source.path)
    expect({ title: Title, artist: Artist ?? Author, album: Album ?? AlbumTitle ?? Product, genre: [Genre] }).toEqual({
      title: found.tags.title,
      artist: found.tags.artist,
      album: found.tags.album,
      genre: found.tags.genre,
    })
    expect(found.tags).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album, trackNumber: 3 })
    expect(found.container.durationSeconds).toBeGreaterThan(1.4)
    expect(found.loudness).toBeUndefined()
  })

  it('reads APE tags', async () => {
    const { found } = await describeFile(bench.make('t.wv', ...TONES, ...TAG_ARGS), { analysis: false })
    expect(found.nativeTags.APEv2).toContainEqual({ id: 'title', value: TAGS.title })
    expect(found.tags).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album })
  })

  it('falls back on the probe for containers that the tag reader does not know', async () => {
    const { found } = await describeFile(bench.make('t.caf', ...TONES, ...TAG_ARGS), { analysis: false })
    expect(found.tags).toMatchObject({ title: TAGS.title, artist: TAGS.artist, genre: ['Jazz'], trackNumber: 3 })
  })

  it('measures loudness, peaks and silence as ffmpeg does', async () => {
    const tone = 'sine=f=997:d=2:r=48000,volume=0.5'
    const graph = `${tone}[a];anullsrc=r=48000:cl=mono:d=1.2[b];sine=f=500:d=2:r=48000[c];[a][b][c]concat=n=3:v=0:a=1`
    const source = bench.make('loud.flac', '-f', 'lavfi', '-i', graph)
    const { found } = await describeFile(source)
    const log = execFileSync('bash', [
      ...[
        '-c',
        'ffmpeg -hide_banner -nostats -i "$1" -af ebur128=peak=true+sample -f null - 2>&1',
        'bash',
        source.path,
      ],
    ]).toString()
    expect(found.loudness).toEqual(readLoudness(log))
    expect(found.loudness.integratedLufs).toBeLessThan(-15)
    expect(found.silence).toMatchObject({ silenceLevelDb: -50, minSilenceSeconds: 0.5, totalSeconds: 1.2 })
    expect(found.silence.ranges).toEqual([{ startSeconds: 2, endSeconds: 3.2 }])
  })

  it('knows that silence has no loudness', async () => {
    const { found } = await describeFile(bench.make('mute.wav', '-f', 'lavfi', '-i', 'anullsrc=d=1'))
    expect(found.loudness).toMatchObject({ integratedLufs: null, truePeakDbtp: null })
    expect(found.silence).toMatchObject({ share: 1, ranges: [{ startSeconds: 0, endSeconds: 1 }] })
  })

  it('tells the true length of a file whose header lies', async () => {
    const wave = readFileSync(bench.make('whole.wav', ...TONES, '-bitexact').path)
    const at = wave.indexOf('data')
    wave.fill(0xff, at + 4, at + 8)
    const { found } = await describeFile(bench.put('endless.wav', wave), { analysis: false })
    expect(found.container.durationSeconds).toBeCloseTo(1.5, 3)
    const chained = readFileSync(bench.make('one.ogg', ...TONES, '-c:a', 'libvorbis').path)
    const twice = await describeFile(bench.put('chained.ogg', Buffer.concat([chained, chained])), { analysis: false })
    expect(Math.abs(twice.found.container.durationSeconds - 3)).toBeLessThan(0.05)
  })
})
