import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askFfprobe, extractVideo, type Lab, openLab } from './video-fixture.ts'

const CANARY = 'canary-4711-never-to-be-seen'
const ALL = {
  ...{ 'video.audio': { tracks: 'all' }, 'video.frames': {}, 'video.metadata': {}, 'video.subtitles': {} },
  ...{ 'video.chapters': {}, 'video.preview': {} },
}
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

let lab: Lab
let server: Server
let requests = 0
let address = ''
beforeAll(async () => {
  lab = await openLab()
  server = createServer((_request, response) => {
    requests += 1
    response.end(CANARY)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const film = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:d=2:r=10', '-f', 'lavfi', '-i', 'sine=d=2']
  await lab.make([...film, ...H264, '-g', '5', '-c:a', 'aac', '-metadata', `title=${CANARY}`, 'victim.mp4'])
  await lab.make([...film, ...H264, '-g', '5', '-c:a', 'aac', 'good.mp4'])
  await lab.make(['-i', 'good.mp4', '-c', 'copy', 'good.mkv'])
  await lab.make(['-i', 'good.mp4', '-c', 'copy', 'good.ts'])
  await writeFile(lab.path('canary.srt'), `1\n00:00:00,000 --> 00:00:05,000\n${CANARY}\n`)
})
afterAll(async () => {
  server.close()
  await lab.close()
})

const seen = (artifacts: Map<string, Buffer>): boolean => [...artifacts.values()].some((data) => data.includes(CANARY))

describe('files that name other files', () => {
  const victim = () => lab.path('victim.mp4')
  const scripts: [string, () => string][] = [
    ['playlist.mp4', () => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${victim()}\n#EXT-X-ENDLIST\n`],
    ['master.ts', () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${address}/x.m3u8\n`],
    ['remote.mp4', () => `#EXTM3U\n#EXTINF:2,\n${address}/a.ts\n#EXT-X-ENDLIST\n`],
    ['concat.mkv', () => `ffconcat version 1.0\nfile '${victim()}'\n`],
    [
      'session.mp4',
      () =>
        `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    ],
    [
      'dash.mp4',
      () =>
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${address}/v.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ],
    ['console.avi', () => `\u001b[2J\u001b[31mhello\u001b[0m\n`.repeat(200)],
    [
      'index.vob',
      () =>
        `# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n`,
    ],
    ['text.webm', () => `1\n00:00:00,000 --> 00:00:01,000\nhello\n`],
    ['list.mov', () => `[Reference]\nRef1=${address}/a.mov\nRef2=${victim()}\n`],
    ['rtsp.mov', () => `rtsptext rtsp://127.0.0.1:9/x\n`],
    ['synth.avi', () => `AVISource("${victim()}")\n`],
  ]
  it.each(scripts)('%s is refused without opening them', async (name, text) => {
    await writeFile(lab.path(name), text())
    const { artifacts, failures } = await extractVideo(lab.path(name), ALL)
    expect(seen(artifacts)).toBe(false)
    expect(artifacts.size).toBe(0)
    expect(new Set(failures.map((failure) => failure.split(' ')[1]))).toEqual(new Set(['extract.source_unreadable']))
    expect(requests).toBe(0)
  })

  it('a film whose data lie elsewhere stays without them', async () => {
    const bytes = await readFile(lab.path('good.mp4'))
    // A data reference of its own says "in this file"; turned off, and made to name another.
    const at = bytes.indexOf('url ', 0, 'latin1')
    bytes.writeUInt32BE(0, at + 4)
    bytes.write('alis', at, 'latin1')
    await writeFile(lab.path('elsewhere.mp4'), bytes)
    const { artifacts } = await extractVideo(lab.path('elsewhere.mp4'), ALL)
    expect(seen(artifacts)).toBe(false)
    expect(requests).toBe(0)
  })

  it('the check itself can see a canary', async () => {
    const { artifacts } = await extractVideo(lab.path('victim.mp4'), { 'video.metadata': {} })
    expect(seen(artifacts)).toBe(true)
  })
})

describe('bombs', () => {
  it('a frame of a size beyond sense is not decoded', async () => {
    await lab.make([
      '-f',
      'lavfi',
      '-i',
      'color=s=8000x7000:d=0.1:r=10',
      '-c:v',
      'mjpeg',
      '-pix_fmt',
      'yuvj420p',
      'huge.avi',
    ])
    const { artifacts, warnings, failures } = await extractVideo(lab.path('huge.avi'), {
      'video.frames': {},
      'video.metadata': {},
    })
    expect(failures).toEqual([])
    expect(warnings).toEqual(['video.frames video.frame_size'])
    expect([...artifacts.keys()]).toEqual(['metadata/huge.json', 'metadata/probe.json'])
  })

  it('a gap of thirty years gives no frame more', async () => {
    const gap = [
      '-vf',
      "setpts='if(lt(N,10),N/(10*TB),(1000000000+N/10)/TB)'",
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      '1/1000',
    ]
    await lab.make(['-f', 'lavfi', '-i', 'testsrc=s=64x48:d=2:r=10', ...gap, ...H264, 'gap.mkv'])
    for (const options of [{}, { frameIntervalSeconds: 10 }, { frameMode: 'evenly-spaced', maxExtractedFrames: 8 }]) {
      const { artifacts, failures } = await extractVideo(lab.path('gap.mkv'), { 'video.frames': options })
      expect(failures).toEqual([])
      const pictures = [...artifacts.keys()].filter((path) => path.includes('/frame-'))
      expect(pictures.length).toBeGreaterThanOrEqual(1)
      expect(pictures.length).toBeLessThanOrEqual(4)
    }
  })
})

describe('damage', () => {
  it('a cut off file gives what is left of it', async () => {
    const bytes = await readFile(lab.path('good.ts'))
    await writeFile(lab.path('cut.ts'), bytes.subarray(0, Math.floor(bytes.length * 0.6)))
    const { artifacts, failures } = await extractVideo(lab.path('cut.ts'), ALL)
    expect(failures).toEqual([])
    expect(artifacts.has('frames/frames.json')).toBe(true)
    expect(artifacts.has('audio/cut.mp3')).toBe(true)
  })

  it('a file cut off before its index is unreadable', async () => {
    const bytes = await readFile(lab.path('good.mp4'))
    await writeFile(lab.path('cut.mp4'), bytes.subarray(0, Math.floor(bytes.length * 0.6)))
    const { failures, artifacts } = await extractVideo(lab.path('cut.mp4'), { 'video.frames': {} })
    expect(artifacts.size).toBe(0)
    expect(failures).toEqual(['video.frames extract.source_unreadable'])
  })

  it('flipped bits never bring it down', async () => {
    for (const name of ['good.mp4', 'good.mkv', 'good.ts']) {
      const bytes = await readFile(lab.path(name))
      // A fixed sequence, so that what fails once fails always.
      let state = 42
      for (let i = 0; i < 40; i++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        const at = state % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (state % 8))
      }
      await writeFile(lab.path(`flipped-${name}`), bytes)
      const { failures } = await extractVideo(lab.path(`flipped-${name}`), { 'video.audio': {}, 'video.frames': {} })
      for (const failure of failures) expect(failure).toMatch(/extract\.source_unreadable$/)
    }
  })

  it('a bad track does not lose the others', async () => {
    await lab.make([
      ...['-i', 'good.mp4', '-i', 'canary.srt', '-i', 'canary.srt', '-map', '0', '-map', '1', '-map', '2'],
      ...['-c', 'copy', '-c:s', 'srt', 'tracks.mkv'],
    ])
    const bytes = await readFile(lab.path('tracks.mkv'))
    bytes.write('S_TEXT/BAD8', bytes.indexOf('S_TEXT/UTF8'), 'latin1')
    bytes.write('\xff\xfe\xff', bytes.indexOf(CANARY), 'latin1')
    await writeFile(lab.path('bad-track.mkv'), bytes)
    const { artifacts, warnings, failures } = await extractVideo(lab.path('bad-track.mkv'), ALL)
    expect(failures).toEqual([])
    expect(warnings).toContain('video.subtitles video.subtitles_unreadable')
    expect([...artifacts.keys()]).toContain('subtitles/bad-track.track-02.srt')
    expect([...artifacts.keys()]).toContain('audio/bad-track.mp3')
    const { streams } = await askFfprobe(lab.path('bad-track.mkv'), ['-show_streams'])
    expect(streams.length).toBe(4)
  })
})
