import fc from 'fast-check'
import * as mediaCaptions from 'media-captions'
import { parse as parseSubtitles } from 'subsrt-ts'
import { describe, expect, it } from 'vitest'
import type { Segment, Transcript } from '../model.ts'
import { segmentOf, transcriptOf, transcriptOfLines } from './transcript-fixture.ts'
import { writeSrt } from './write-srt.ts'
import { writeVtt } from './write-vtt.ts'

const MARKS = /[\u202b\u202c\u2060]/g
const wordsOf = (texts: readonly string[]): string[] => texts.join(' ').replace(MARKS, '').split(/\s+/).filter(Boolean)

type ParsedCue = { start: number; end: number; lines: string[] }

/** Read by subsrt-ts; times in milliseconds. */
const readSrt = (srt: string): ParsedCue[] =>
  parseSubtitles(srt, { format: 'srt', eol: '\n' }).flatMap((entry) =>
    entry.type === 'caption'
      ? [{ start: entry.start, end: entry.end, lines: entry.content.trimEnd().split('\n') }]
      : [],
  )

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

// Its declarations import each other in a way that this compiler does not follow.
const { parseText } = mediaCaptions as unknown as {
  parseText(
    text: string,
    options: { type: 'srt' | 'vtt'; strict: boolean },
  ): Promise<{ cues: { startTime: number; endTime: number; text: string }[]; errors: unknown[] }>
}

/** Read by media-captions; times in milliseconds. */
const readVtt = async (vtt: string): Promise<ParsedCue[]> => {
  const { cues, errors } = await parseText(vtt, { type: 'vtt', strict: true })
  expect(errors).toEqual([])
  return cues.map(({ startTime, endTime, text }) => ({
    start: Math.round(startTime * 1000),
    end: Math.round(endTime * 1000),
    lines: text
      .replace(/<[^>]*>/g, '')
      .replace(/&(amp|lt|gt);/g, (_, name: string) => ENTITIES[name] as string)
      .split('\n'),
  }))
}

const expectHabits = (cues: readonly ParsedCue[]): void => {
  let free = 0
  for (const { start, end, lines } of cues) {
    expect(start).toBeGreaterThanOrEqual(free)
    expect(end).toBeGreaterThan(start)
    expect(end - start).toBeLessThanOrEqual(7000)
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const line of lines) {
      const shown = line.replace(MARKS, '')
      expect(shown).not.toBe('')
      if (shown.replace(/^Speaker \d+: /, '').includes(' '))
        expect([...shown.replace(/\p{M}/gu, '')].length).toBeLessThanOrEqual(42)
    }
    free = end
  }
}

const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z]{1,9}[,.?!;]?$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<b>',
      '-->',
      '&amp;',
      '<i',
      '{\\an8}',
      'x>y',
      'a&b',
      '7',
      '00:00:01,000',
      'WEBVTT',
      'NOTE',
    ),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{43,60}$/) },
  { weight: 1, arbitrary: fc.constantFrom('привет', 'мир.', 'שלום', 'αβγ', '안녕하세요.', 'é\u0301') },
)
const text = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '))
const transcripts = (speakers: boolean): fc.Arbitrary<Transcript> =>
  fc
    .array(
      fc.record({
        text,
        pause: fc.double({ min: 0, max: 3, noNaN: true }),
        pace: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
        speaker: speakers ? fc.integer({ min: 1, max: 3 }) : fc.constant(null),
        hasWords: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    .map((items) => {
      let at = 0
      const segments = items.map(({ text, pause, pace, speaker, hasWords }, index): Segment => {
        const start = at + pause
        at = start + pace * text.split(' ').length
        const segment = segmentOf(index + 1, [start, at], text, speaker === null ? null : `Speaker ${speaker}`)
        return hasWords ? segment : { ...segment, words: [] }
      })
      return transcriptOf(segments)
    })

describe('subtitles of any transcript', () => {
  it('are read back from SubRip with every word in order, within the limits', () => {
    fc.assert(
      fc.property(transcripts(false), (transcript) => {
        const cues = readSrt(writeSrt(transcript))
        expectHabits(cues)
        expect(wordsOf(cues.flatMap(({ lines }) => lines))).toEqual(
          wordsOf(transcript.segments.map(({ text }) => text)),
        )
      }),
      { numRuns: 150, seed: 20_261_115 },
    )
  })

  it('name the speaker in SubRip where the speaker changes and only there', () => {
    fc.assert(
      fc.property(transcripts(true), (transcript) => {
        const cues = readSrt(writeSrt(transcript))
        expectHabits(cues)
        const expected = transcript.segments.flatMap(({ speaker, text }, index) =>
          speaker === transcript.segments[index - 1]?.speaker ? [text] : [`${speaker}: ${text}`],
        )
        expect(wordsOf(cues.flatMap(({ lines }) => lines))).toEqual(wordsOf(expected))
      }),
      { numRuns: 100, seed: 20_261_115 },
    )
  })

  it('are read back from WebVTT with every word in order, within the limits', async () => {
    await fc.assert(
      fc.asyncProperty(transcripts(true), async (transcript) => {
        const cues = await readVtt(writeVtt(transcript))
        expectHabits(cues)
        expect(wordsOf(cues.flatMap(({ lines }) => lines))).toEqual(
          wordsOf(transcript.segments.map(({ text }) => text)),
        )
      }),
      { numRuns: 100, seed: 20_261_115 },
    )
  })

  it('never overlap and lose no word where people speak at once or times are nonsense', () => {
    const times = fc.oneof(fc.double({ min: -5, max: 20 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY))
    const segments = fc.array(fc.tuple(times, times, text, fc.integer({ min: 1, max: 2 })), { maxLength: 8 })
    fc.assert(
      fc.property(segments, (items) => {
        const transcript = transcriptOf(
          items.map(([start, end, said, speaker], index) =>
            segmentOf(index + 1, [start, end], said, `Speaker ${speaker}`),
          ),
        )
        const cues = readSrt(writeSrt(transcript))
        expectHabits(cues)
        const shown = wordsOf(
          cues.flatMap(({ lines }) => lines.map((line) => line.replace(/^(\u202b?)Speaker \d: /, '$1'))),
        )
        expect(shown.sort()).toEqual(wordsOf(items.map(([, , said]) => said)).sort())
      }),
      { numRuns: 100, seed: 20_261_115 },
    )
  })
})

describe('writeSrt', () => {
  it('breaks at the ends of clauses and leaves each cue time to be read', () => {
    const srt = writeSrt(
      transcriptOfLines([
        [
          null,
          'We looked at three vendors last month, and the second one came out ahead because it runs on our own machines.',
        ],
        [null, 'That was cheap.'],
      ]),
    )
    expect(srt).toMatchInlineSnapshot(`
      "1
      00:00:00,000 --> 00:00:05,110
      We looked at three vendors last month,
      and the second one came out ahead

      2
      00:00:05,190 --> 00:00:09,257
      because it runs on our own machines.
      That was cheap.
      "
    `)
  })

  it('puts two short lines of two speakers into one cue', () => {
    const srt = writeSrt(
      transcriptOf([
        segmentOf(1, [0, 2], 'Shall we start with the budget?', 'Speaker 1'),
        segmentOf(2, [2.1, 2.4], 'Yes.', 'Speaker 2'),
        segmentOf(3, [2.5, 3], 'Sure.', 'Speaker 3'),
        segmentOf(4, [3.4, 6], 'All right, here are the numbers.', 'Speaker 1'),
      ]),
    )
    expect(srt).toMatchInlineSnapshot(`
      "1
      00:00:00,000 --> 00:00:02,000
      Speaker 1: Shall we start with the budget?

      2
      00:00:02,100 --> 00:00:03,100
      Speaker 2: Yes.
      Speaker 3: Sure.

      3
      00:00:03,400 --> 00:00:06,000
      Speaker 1: All right,
      here are the numbers.
      "
    `)
  })

  it('sets Chinese and Japanese in lines of at most 18 characters that do not begin with a mark', () => {
    const said =
      '今天我们讨论一下新产品的发布计划，市场部已经完成了所有的准备工作，但是技术部还需要两个星期的时间来测试系统。'
    const cues = readSrt(writeSrt(transcriptOf([segmentOf(1, [0, 14], said)], 'zh')))
    expect(cues.flatMap(({ lines }) => lines).join('')).toBe(said)
    for (const line of cues.flatMap(({ lines }) => lines)) {
      expect([...line].length).toBeLessThanOrEqual(18)
      expect(line).not.toMatch(/^[，。、]/)
    }
    expectHabits(cues)
  })

  it('marks lines of Arabic as running from right to left', () => {
    const srt = writeSrt(transcriptOf([segmentOf(1, [0, 3], 'مرحبا بكم في الاجتماع، هل أنتم جاهزون؟')], 'ar'))
    const lines = readSrt(srt).flatMap(({ lines }) => lines)
    for (const line of lines) expect(line).toMatch(/^\u202b.*\u202c$/)
  })

  it('is empty where nothing was said', () => {
    expect(writeSrt(transcriptOf([]))).toBe('')
  })
})

describe('writeVtt', () => {
  it('gives every cue the voice of its speaker and escapes what would be markup', async () => {
    const vtt = writeVtt(
      transcriptOfLines([
        ['Speaker 1', 'Is 3 < 4 & 5 > 4 --> true?'],
        ['A <b>', 'Yes it is.'],
      ]),
    )
    expect(vtt).toMatchInlineSnapshot(`
      "WEBVTT

      1
      00:00:00.000 --> 00:00:01.857
      <v Speaker 1>Is 3 &lt; 4 &amp; 5 &gt; 4 --&gt; true?</v>

      2
      00:00:02.257 --> 00:00:03.257
      <v A &lt;b&gt;>Yes it is.</v>
      "
    `)
    expect((await readVtt(vtt)).flatMap(({ lines }) => lines)).toEqual(['Is 3 < 4 & 5 > 4 --> true?', 'Yes it is.'])
  })

  it('holds nothing but its head where nothing was said', () => {
    expect(writeVtt(transcriptOf([]))).toBe('WEBVTT\n')
  })
})
