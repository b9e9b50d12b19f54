import { describe, expect, it } from 'vitest'
import { type Cue, parseSrt, writeSrt, writeVtt } from './cues.ts'
import { readSrtElsewhere, readVttElsewhere } from './subtitle-fixture.ts'

const cues: Cue[] = [
  { startSeconds: 1, endSeconds: 2.5, text: 'Fish & chips <i>now</i>' },
  { startSeconds: 3_661.042, endSeconds: 3_662, text: 'a < b --> c\nsecond line' },
]

describe('writers', () => {
  it('write SubRip that another parser reads back', () => {
    expect(readSrtElsewhere(writeSrt(cues))).toEqual([
      { start: 1, end: 2.5, text: 'Fish & chips <i>now</i>' },
      { start: 3_661.042, end: 3_662, text: 'a < b -> c\nsecond line' },
    ])
  })

  it('write WebVTT that a strict parser reads back', async () => {
    expect(await readVttElsewhere(writeVtt(cues))).toEqual([
      { start: 1, end: 2.5, text: 'Fish &amp; chips <i>now</i>' },
      { start: 3_661.042, end: 3_662, text: 'a &lt; b --&gt; c\nsecond line' },
    ])
  })
})

describe('parseSrt', () => {
  it('reads what it wrote', () => {
    expect(parseSrt(writeSrt(cues.slice(0, 1)))).toEqual(cues.slice(0, 1))
  })

  it('keeps bold and italic, drops fonts, positions and tags that are not closed', () => {
    const srt =
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font face="Arial"><b>Loud</b></font>\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>open\n'
    expect(parseSrt(srt).map(({ text }) => text)).toEqual(['<b>Loud</b>', 'open'])
  })

  it('keeps blank lines and numbers in a cue from ending it', () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\nnext\n'
    expect(parseSrt(srt).map(({ text }) => text)).toEqual(['first\n1984', 'next'])
  })

  it('ends cues that have no end with the next one, and sorts them', () => {
    const srt =
      '1\n00:00:05,000 --> 00:00:05,000\nb\n\n2\n00:00:01,000 --> 99:00:00,000\na\n\n3\n00:00:07,000 --> 00:00:08,000\nc\n'
    expect(parseSrt(srt).map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])).toEqual([
      [1, 5],
      [5, 7],
      [7, 8],
    ])
  })

  it('has nothing to say about nothing', () => {
    expect(parseSrt('')).toEqual([])
    expect(parseSrt('1\n00:00:01,000 --> 00:00:02,000\n\n')).toEqual([])
  })
})
