import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSharp } from '../../engines/sharp.ts'
import { askFfprobe, extractVideo, type Lab, openLab } from './video-fixture.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const film = (seconds: number, more = 'r=25') => ['-f', 'lavfi', '-i', `testsrc=s=64x48:d=${seconds}:${more}`]
const tone = (seconds: number, hertz = 440) => ['-f', 'lavfi', '-i', `sine=f=${hertz}:d=${seconds}`]

/** A still picture of four colours, one for each corner. */
const corners = [
  ...['-f', 'lavfi', '-i', 'color=red:s=32x24:d=1:r=5', '-f', 'lavfi', '-i', 'color=lime:s=32x24:d=1:r=5'],
  ...['-f', 'lavfi', '-i', 'color=blue:s=32x24:d=1:r=5', '-f', 'lavfi', '-i', 'color=white:s=32x24:d=1:r=5'],
  ...['-filter_complex', '[0][1]hstack[t];[2][3]hstack[b];[t][b]vstack'],
]

const readFrames = (artifacts: Map<string, Buffer>) =>
  JSON.parse(artifacts.get('frames/frames.json')?.toString() ?? 'null') as {
    width: number
    height: number
    frames: { file: string; timeSeconds: number }[]
  }

const readTimes = async (path: string): Promise<number[]> => {
  const { frames } = await askFfprobe(path, [
    '-select_streams',
    'v:0',
    '-show_entries',
    'frame=best_effort_timestamp_time',
  ])
  return frames.map((frame: { best_effort_timestamp_time: string }) => Number(frame.best_effort_timestamp_time))
}

const cornerColors = async (picture: Buffer): Promise<string[]> => {
  const sharp = await loadSharp()
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)].map((v) => (v > 128 ? 1 : 0)).join('')
  const [right, bottom] = [info.width - 5, info.height - 5]
  return [at(4, 4), at(right, 4), at(4, bottom), at(right, bottom)]
}

describe('video.frames', () => {
  it('takes the first frame of every second, with exact times and names', async () => {
    await lab.make([...film(3.2), ...H264, 'constant.mp4'])
    const { artifacts, warnings } = await extractVideo(lab.path('constant.mp4'), { 'video.frames': {} })
    expect(readFrames(artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual([0, 1, 2, 3])
    expect([...artifacts.keys()]).toEqual([
      'frames/frame-0001-00h00m00.000s.jpg',
      'frames/frame-0002-00h00m01.000s.jpg',
      'frames/frame-0003-00h00m02.000s.jpg',
      'frames/frame-0004-00h00m03.000s.jpg',
      'frames/contact-sheet.jpg',
      'frames/frames.json',
    ])
    expect(warnings).toEqual([])
  })

  it('gives the true times where frames do not come evenly', async () => {
    const uneven = ['-vf', "setpts='(N*N)/(25*TB)'", '-fps_mode', 'passthrough', '-enc_time_base', '1/90000']
    await lab.make([...film(0.5), ...uneven, ...H264, 'variable.mkv'])
    const all = await readTimes(lab.path('variable.mkv'))
    expect(all.length).toBeGreaterThan(8)
    const every = await extractVideo(lab.path('variable.mkv'), { 'video.frames': { frameIntervalSeconds: 0.01 } })
    expect(readFrames(every.artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual(all)
    const second = await extractVideo(lab.path('variable.mkv'), { 'video.frames': {} })
    const firstOfEach = all.filter((time, i) => i === 0 || Math.floor(time) > Math.floor(all[i - 1] ?? 0))
    expect(readFrames(second.artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual(firstOfEach)
  })

  it('finds the same frames by jumping as by decoding all', async () => {
    await lab.make([...film(16), ...H264, '-g', '25', 'long.mp4'])
    const options = { frameIntervalSeconds: 4, format: 'png' }
    const { artifacts } = await extractVideo(lab.path('long.mp4'), { 'video.frames': options })
    const { frames } = readFrames(artifacts)
    expect(frames.map(({ timeSeconds }) => timeSeconds)).toEqual([0, 4, 8, 12])
    const seconds = await extractVideo(lab.path('long.mp4'), { 'video.frames': { format: 'png' } })
    for (const { file, timeSeconds } of frames) {
      const same = readFrames(seconds.artifacts).frames.find((frame) => frame.timeSeconds === timeSeconds)
      expect(artifacts.get(file)?.equals(seconds.artifacts.get(same?.file ?? '') as Buffer)).toBe(true)
    }
  })

  it('spreads frames evenly, one in each part', async () => {
    const options = { frameMode: 'evenly-spaced', maxExtractedFrames: 4 }
    const { artifacts, warnings } = await extractVideo(lab.path('long.mp4'), { 'video.frames': options })
    const { frames } = readFrames(artifacts)
    expect(frames.map(({ timeSeconds }) => Math.floor(timeSeconds / 4))).toEqual([0, 1, 2, 3])
    expect(warnings).toEqual([])
  })

  it('takes key frames alone, and each so many frames', async () => {
    const keys = await extractVideo(lab.path('long.mp4'), { 'video.frames': { frameMode: 'keyframes' } })
    expect(readFrames(keys.artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual([...Array(16).keys()])
    const options = { frameMode: 'every-n-frames', frameIntervalFrames: 50, maxExtractedFrames: 3 }
    const each = await extractVideo(lab.path('long.mp4'), { 'video.frames': options })
    expect(readFrames(each.artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual([0, 2, 4])
    expect(each.warnings).toEqual(['video.frames video.frames_limited'])
  })

  it('finds where scenes change', async () => {
    const cuts = [
      '-f',
      'lavfi',
      '-i',
      'color=red:s=64x48:d=1:r=10',
      '-f',
      'lavfi',
      '-i',
      'color=white:s=64x48:d=1:r=10',
    ]
    await lab.make([...cuts, '-filter_complex', '[0][1][0][1]concat=n=4', ...H264, 'cuts.mp4'])
    const { artifacts } = await extractVideo(lab.path('cuts.mp4'), { 'video.frames': { frameMode: 'scene-change' } })
    expect(readFrames(artifacts).frames.map(({ timeSeconds }) => timeSeconds)).toEqual([0, 1, 2, 3])
  })

  it.each([
    [90, ['010', '111', '100', '001']],
    [180, ['111', '001', '010', '100']],
    [270, ['001', '100', '111', '010']],
  ])('turns a film that is to be shown turned by %i degrees to the left', async (degrees, expected) => {
    await lab.make([...corners, ...H264, 'upright.mp4'])
    await lab.make(['-i', 'upright.mp4', '-c', 'copy', '-metadata:s:v:0', `rotate=${degrees}`, 'turned.mp4'])
    const { artifacts } = await extractVideo(lab.path('turned.mp4'), { 'video.frames': { format: 'png' } })
    const [first] = readFrames(artifacts).frames
    const own = artifacts.get(first?.file ?? '') as Buffer
    expect(await cornerColors(own)).toEqual(expected)
    // The engine's own player turns it the same way.
    await lab.make(['-i', 'turned.mp4', '-frames:v', '1', 'player.png'])
    const player = await (await loadSharp())(lab.path('player.png')).png().toBuffer()
    expect(await cornerColors(player)).toEqual(expected)
  })

  it('gives square pixels and the width that is wished for', async () => {
    await lab.make([...film(0.4), '-vf', 'setsar=2/1', ...H264, 'wide.mp4'])
    const full = await extractVideo(lab.path('wide.mp4'), { 'video.frames': {} })
    expect(readFrames(full.artifacts)).toMatchObject({ width: 128, height: 48 })
    const small = await extractVideo(lab.path('wide.mp4'), { 'video.frames': { width: 32 } })
    const { width, height, frames } = readFrames(small.artifacts)
    expect([width, height]).toEqual([32, 12])
    const header = await (await loadSharp())(small.artifacts.get(frames[0]?.file ?? '')).metadata()
    expect([header.width, header.height]).toEqual([32, 12])
  })

  it('survives a film that changes its size on the way', async () => {
    await lab.make([...film(1), ...H264, '-f', 'mpegts', 'one.ts'])
    await lab.make(['-f', 'lavfi', '-i', 'testsrc=s=128x96:d=1:r=25', ...H264, '-f', 'mpegts', 'two.ts'])
    await lab.make(['-i', 'concat:one.ts|two.ts', '-c', 'copy', 'sizes.ts'])
    const { artifacts } = await extractVideo(lab.path('sizes.ts'), { 'video.frames': { frameIntervalSeconds: 0.5 } })
    const { frames } = readFrames(artifacts)
    expect(frames.length).toBeGreaterThanOrEqual(4)
    for (const { file } of frames) {
      const { width, height } = await (await loadSharp())(artifacts.get(file)).metadata()
      expect([width, height]).toEqual([64, 48])
    }
  })
})

describe('video.audio', () => {
  it('gives every track, beside the film, with live progress', async () => {
    await lab.make([
      ...[...film(2), ...tone(2), ...tone(2, 880), '-map', '0', '-map', '1', '-map', '2', ...H264, '-c:a', 'aac'],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu', 'two-tracks.mp4'],
    ])
    const wanted = { 'video.audio': { tracks: 'all' }, 'video.frames': {} }
    const { artifacts, warnings, progress } = await extractVideo(lab.path('two-tracks.mp4'), wanted)
    expect(warnings).toEqual([])
    expect([...artifacts.keys()].filter((path) => path.startsWith('audio/'))).toEqual([
      'audio/two-tracks.track-01-eng.mp3',
      'audio/two-tracks.track-02-deu.mp3',
    ])
    expect(readFrames(artifacts).frames.length).toBe(2)
    expect(Math.max(...progress)).toBeGreaterThan(0.5)
    expect(progress.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true)
    await writeFile(lab.path('out.mp3'), artifacts.get('audio/two-tracks.track-02-deu.mp3') as Buffer)
    const { streams, format } = await askFfprobe(lab.path('out.mp3'), ['-show_streams', '-show_format'])
    expect(streams[0].codec_name).toBe('mp3')
    expect(Math.abs(Number(format.duration) - 2)).toBeLessThan(0.1)
  })

  it('warns of a film without sound, and of sound without a film', async () => {
    await lab.make([...tone(0.5), '-c:a', 'aac', 'sound.mp4'])
    const sound = await extractVideo(lab.path('sound.mp4'), {
      'video.audio': {},
      'video.frames': {},
      'video.preview': {},
    })
    expect([...sound.artifacts.keys()]).toEqual(['audio/sound.mp3'])
    expect(sound.warnings).toEqual(['video.frames video.no_film', 'video.preview video.no_film'])
    const silent = await extractVideo(lab.path('constant.mp4'), { 'video.audio': {} })
    expect(silent.warnings).toEqual(['video.audio video.no_audio'])
  })
})

describe('video.preview', () => {
  it('gives a poster with something on it and an animation', async () => {
    const parts = ['-f', 'lavfi', '-i', 'color=black:s=64x48:d=3:r=10', '-f', 'lavfi', '-i', 'testsrc=s=64x48:d=1:r=10']
    await lab.make([...parts, '-filter_complex', '[0][1]concat', ...H264, 'dark.mp4'])
    const { artifacts, provenance } = await extractVideo(lab.path('dark.mp4'), { 'video.preview': {} })
    expect(provenance.get('previews/poster.jpg')?.timeSeconds).toBeGreaterThanOrEqual(3)
    const sharp = await loadSharp()
    const { pages, width } = await sharp(artifacts.get('previews/preview.webp')).metadata()
    expect(pages).toBeGreaterThan(1)
    expect(width).toBe(64)
  })
})

describe('a canceled job', () => {
  it('ends its engine', async () => {
    await lab.make([...film(100, 'r=50'), ...H264, 'endless.mp4'])
    const controller = new AbortController()
    const reason = new Error('canceled')
    const options = { frameIntervalSeconds: 0.02, maxExtractedFrames: 5_000 }
    const job = extractVideo(lab.path('endless.mp4'), { 'video.frames': options }, controller.signal)
    setTimeout(() => controller.abort(reason), 200)
    await expect(job).rejects.toBe(reason)
  })
})
