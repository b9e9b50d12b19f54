import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSrtElsewhere, readVttElsewhere } from './subtitle-fixture.ts'
import { askFfprobe, extractVideo, type Lab, openLab } from './video-fixture.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
  await writeFile(lab.path('a.srt'), SRT)
  await writeFile(lab.path('b.ass'), ASS)
})
afterAll(() => lab.close())

const SRT = '1\n00:00:00,500 --> 00:00:01,500\nHello <i>there</i>\n\n2\n00:00:02,000 --> 00:00:03,250\nTwo\nlines\n\n'
const ASS = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour
Style: Default,Arial,20,&H00FFFFFF

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,{\\an8\\c&H0000FF&}Sign\\Non the wall
`
const film = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:d=4:r=10']
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

const read = (artifacts: Map<string, Buffer>, path: string) => artifacts.get(path)?.toString() ?? ''

describe('video.subtitles', () => {
  it('gives every text track as SubRip, WebVTT and itself', async () => {
    await lab.make([
      ...[...film, '-i', 'a.srt', '-i', 'b.ass', '-map', '0', '-map', '1', '-map', '2', ...H264],
      ...['-c:s:0', 'srt', '-c:s:1', 'ass', '-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=jpn'],
      ...['-disposition:s:1', 'forced', 'tracks.mkv'],
    ])
    const { artifacts, warnings } = await extractVideo(lab.path('tracks.mkv'), { 'video.subtitles': {} })
    expect(warnings).toEqual([])
    expect([...artifacts.keys()]).toEqual([
      'subtitles/tracks.track-01-eng.srt',
      'subtitles/tracks.track-01-eng.vtt',
      'subtitles/tracks.track-01-eng.original.srt',
      'subtitles/tracks.track-02-jpn-forced.srt',
      'subtitles/tracks.track-02-jpn-forced.vtt',
      'subtitles/tracks.track-02-jpn-forced.ass',
    ])
    const expected = [
      { start: 0.5, end: 1.5, text: 'Hello <i>there</i>' },
      { start: 2, end: 3.25, text: 'Two\nlines' },
    ]
    expect(readSrtElsewhere(read(artifacts, 'subtitles/tracks.track-01-eng.srt'))).toEqual(expected)
    expect(await readVttElsewhere(read(artifacts, 'subtitles/tracks.track-01-eng.vtt'))).toEqual(expected)
    expect(readSrtElsewhere(read(artifacts, 'subtitles/tracks.track-02-jpn-forced.srt'))).toEqual([
      { start: 0.5, end: 1.5, text: 'Sign\non the wall' },
    ])
    expect(read(artifacts, 'subtitles/tracks.track-02-jpn-forced.ass')).toContain('{\\an8\\c&H0000FF&}Sign')
  })

  it('reads those of mp4 and keeps the track as it is', async () => {
    await lab.make([...film, '-i', 'a.srt', '-map', '0', '-map', '1', ...H264, '-c:s', 'mov_text', 'movie.mp4'])
    const { artifacts } = await extractVideo(lab.path('movie.mp4'), { 'video.subtitles': {} })
    expect(readSrtElsewhere(read(artifacts, 'subtitles/movie.track-01.srt'))[1]).toEqual({
      start: 2,
      end: 3.25,
      text: 'Two\nlines',
    })
    await writeFile(lab.path('kept.mp4'), artifacts.get('subtitles/movie.track-01.mp4') as Buffer)
    const { streams } = await askFfprobe(lab.path('kept.mp4'), ['-show_streams'])
    expect(streams.map(({ codec_name }: { codec_name: string }) => codec_name)).toEqual(['mov_text'])
  })

  it('keeps tracks of pictures as they are', async () => {
    await writeFile(lab.path('pictures.mkv'), await renameCodec('S_VOBSUB\0\0\0'))
    const { artifacts, warnings } = await extractVideo(lab.path('pictures.mkv'), { 'video.subtitles': {} })
    expect(warnings).toEqual([])
    expect([...artifacts.keys()]).toEqual(['subtitles/pictures.track-01.mks'])
    await writeFile(lab.path('kept.mks'), artifacts.get('subtitles/pictures.track-01.mks') as Buffer)
    const { streams } = await askFfprobe(lab.path('kept.mks'), ['-show_streams'])
    expect(streams[0].codec_name).toBe('dvd_subtitle')
  })

  it('reads a text track of a kind that the engine does not know', async () => {
    await writeFile(lab.path('odd.mkv'), await renameCodec('S_TEXT/ODD8'))
    const { artifacts, warnings } = await extractVideo(lab.path('odd.mkv'), { 'video.subtitles': {} })
    expect(warnings).toEqual([])
    expect(readSrtElsewhere(read(artifacts, 'subtitles/odd.track-01.srt'))[1]?.text).toBe('Two\nlines')
  })

  it('warns where there are none', async () => {
    await lab.make([...film, ...H264, 'bare.mp4'])
    const { warnings, artifacts } = await extractVideo(lab.path('bare.mp4'), { 'video.subtitles': {} })
    expect(artifacts.size).toBe(0)
    expect(warnings).toEqual(['video.subtitles video.no_subtitles'])
  })
})

/** A film with a track of text that says it is something else. */
const renameCodec = async (name: string): Promise<Buffer> => {
  await lab.make([...film, '-i', 'a.srt', '-map', '0', '-map', '1', ...H264, '-c:s', 'srt', 'known.mkv'])
  const bytes = await readFile(lab.path('known.mkv'))
  bytes.write(name, bytes.indexOf('S_TEXT/UTF8'), 'latin1')
  return bytes
}
