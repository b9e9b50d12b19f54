import { describe, expect, it } from 'vitest'
import { inputArgs, readProgress, timeLimitMs } from './ffmpeg.ts'

describe('inputArgs', () => {
  it('shuts out playlists, networks and huge frames, and cannot be mistaken for an option', () => {
    const args = inputArgs('/in/-i.mp4', { seekSeconds: 1.5 })
    expect(args.slice(-2)).toEqual(['-i', 'file:/in/-i.mp4'])
    expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file')
    const formats = args[args.indexOf('-format_whitelist') + 1]?.split(',') ?? []
    for (const name of ['hls', 'concat', 'sdp', 'tty', 'dash', 'image2', 'vobsub', 'srt', 'lavfi']) {
      expect(formats).not.toContain(name)
    }
    expect(args).toContain('-max_pixels')
    expect(args[args.indexOf('-ss') + 1]).toBe('1.500000')
  })
})

describe('readProgress', () => {
  it('reads what comes in pieces, never goes back and never passes one', () => {
    const seen: number[] = []
    const take = readProgress(10, (fraction) => seen.push(fraction))
    for (const piece of [
      'out_time_us=N/A\nprogress=continue\nout_time_us=25',
      '00000\nprogress=continue\n',
      'out_time_us=1000000\nprogress=continue\nout_time_us=99000000\nprogress=end\n',
    ]) {
      take(Buffer.from(piece))
    }
    expect(seen).toEqual([0, 0.25, 0.25, 1])
  })
})

describe('timeLimitMs', () => {
  it('grows with the length and ends somewhere', () => {
    expect(timeLimitMs(0)).toBe(120_000)
    expect(timeLimitMs(100)).toBe(520_000)
    expect(timeLimitMs(1e9)).toBe(7_200_000)
  })
})
