import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Source } from '../../core/catalog.ts'
import { segments } from './segments.ts'
import { type Bench, ffprobe, openBench } from './sound-fixture.ts'

let bench: Bench
beforeAll(() => {
  bench = openBench()
})
afterAll(() => bench.close())

const CHAPTERS =
  ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=800\ntitle=Öne: a/b\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=800\nEND=2000\n'
const TONE = ['-f', 'lavfi', '-i', 'sine=d=2:r=44100']

type Listed = { number: number; path: string; startSeconds: number; durationSeconds: number; title?: string }

const cut = async (source: Source, options: Record<string, unknown>) => {
  const { files, warnings } = await bench.run(segments, source, { options })
  const { 'segments/segments.json': list, ...parts } = files
  const listed = list ? (JSON.parse(readFileSync(list, 'utf8')).segments as Listed[]) : []
  return { files: parts, warnings, listed }
}

const expectLengths = ({ files, listed }: Awaited<ReturnType<typeof cut>>) => {
  expect(Object.keys(files)).toEqual(listed.map(({ path }) => path))
  for (const { path, durationSeconds } of listed) {
    const seconds = Number(ffprobe(files[path] as string).format.duration)
    expect(Math.abs(seconds - durationSeconds), path).toBeLessThan(0.1)
  }
}

describe('audio.segments', () => {
  it.each([
    ['book.m4a', 'original', 'aac'],
    ['book.mka', 'mp3', 'mp3'],
  ])('cuts %s at chapters as %s', async (name, audioFormat, codec) => {
    bench.put('chapters.txt', CHAPTERS)
    const inputs = ['-i', `${bench.folder}/chapters.txt`, '-map', '0:a', '-map_metadata', '1', '-c:a', 'aac']
    const found = await cut(bench.make(name, ...TONE, ...inputs), { audioFormat })
    expectLengths(found)
    expect(found.listed.map(({ startSeconds, title }) => [startSeconds, title])).toEqual([
      [0, 'Öne: a/b'],
      [0.8, undefined],
    ])
    expect(found.listed[0]?.path).toMatch(/^segments\/001-Öne-a-b\./)
    const first = ffprobe(Object.values(found.files)[0] as string)
    expect(first.streams[0]?.codec_name).toBe(codec)
    expect(first.format.tags).toMatchObject({ title: 'Öne: a/b' })
  })

  it('cuts in the middle of silence', async () => {
    const graph = 'sine=d=1[a];anullsrc=r=44100:cl=mono:d=1[b];sine=f=880:d=1.5[c];[a][b][c]concat=n=3:v=0:a=1'
    const source = bench.make('talk.flac', '-f', 'lavfi', '-i', graph)
    const found = await cut(source, { segmentMode: 'silence', minSegmentSeconds: 0.5, audioFormat: 'best' })
    expectLengths(found)
    expect(found.listed.map(({ startSeconds }) => startSeconds)).toEqual([0, 1.5])
  })

  it('cuts into more parts than one process writes', async () => {
    const source = bench.make('long.wav', ...TONE)
    const found = await cut(source, { segmentMode: 'fixed', segmentSeconds: 1, audioFormat: 'wav' })
    expectLengths(found)
    const many = await cut(bench.make('longer.wav', '-f', 'lavfi', '-i', 'sine=d=20:r=8000'), {
      ...{ segmentMode: 'fixed', segmentSeconds: 1.1, audioFormat: 'wav' },
    })
    expect(many.listed).toHaveLength(19)
    const total = Object.values(many.files).reduce((sum, file) => sum + Number(ffprobe(file).format.duration), 0)
    expect(total).toBeCloseTo(20, 2)
  })

  it('says so where there are no chapters', async () => {
    const found = await cut(bench.make('plain.mp3', ...TONE), { segmentMode: 'chapters' })
    expect(found).toEqual({ files: {}, warnings: ['audio.no_chapters'], listed: [] })
  })
})
