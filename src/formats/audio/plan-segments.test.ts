import { describe, expect, it } from 'vitest'
import { cutAtChapters, cutAtSilences, cutEvenly, limitSegments } from './plan-segments.ts'

const times = (segments: readonly { startSeconds: number; endSeconds: number }[]) =>
  segments.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])

describe('cutAtChapters', () => {
  it('keeps what lies before, between and after the chapters', () => {
    const chapters = [
      { startSeconds: 2, endSeconds: 4, title: 'One' },
      { startSeconds: 5, endSeconds: 8, title: 'Two' },
    ]
    expect(cutAtChapters(chapters, 10)).toEqual([
      { startSeconds: 0, endSeconds: 2 },
      { startSeconds: 2, endSeconds: 4, title: 'One' },
      { startSeconds: 4, endSeconds: 5 },
      { startSeconds: 5, endSeconds: 8, title: 'Two' },
      { startSeconds: 8, endSeconds: 10 },
    ])
  })

  it('takes chapters in any order, without ends, overlapping, empty or behind the end of the file', () => {
    const chapters = [
      { startSeconds: 6, endSeconds: 6 },
      { startSeconds: 0, endSeconds: 7 },
      { startSeconds: 3, endSeconds: 6 },
      { startSeconds: 3, endSeconds: 3 },
      { startSeconds: 40, endSeconds: 50 },
      { startSeconds: -1, endSeconds: 2 },
    ]
    expect(times(cutAtChapters(chapters, 10))).toEqual([
      [0, 3],
      [3, 6],
      [6, 10],
    ])
  })
})

describe('cutAtSilences', () => {
  const lengths = { minSeconds: 2, maxSeconds: 100 }
  it('cuts in the middle, not at silence that the file starts or ends with', () => {
    const silences = [
      { startSeconds: 0, endSeconds: 3 },
      { startSeconds: 9, endSeconds: 11 },
      { startSeconds: 19, endSeconds: 20 },
    ]
    expect(times(cutAtSilences(silences, 20, lengths))).toEqual([
      [0, 10],
      [10, 20],
    ])
  })

  it('keeps parts within the lengths', () => {
    const silences = [1, 2, 30, 31].map((start) => ({ startSeconds: start - 0.25, endSeconds: start + 0.25 }))
    expect(times(cutAtSilences(silences, 31.5, { minSeconds: 2, maxSeconds: 15 }))).toEqual([
      [0, 2],
      [2, 16.75],
      [16.75, 31.5],
    ])
  })
})

describe('cutEvenly', () => {
  it('leaves the rest to the last part', () => {
    expect(times(cutEvenly(4, 10))).toEqual([
      [0, 4],
      [4, 8],
      [8, 10],
    ])
    expect(times(cutEvenly(5, 10.0004))).toEqual([
      [0, 5],
      [5, 10.0004],
    ])
    expect(times(cutEvenly(60, 10))).toEqual([[0, 10]])
  })
})

describe('limitSegments', () => {
  it('leaves all that follows to the last part', () => {
    expect(times(limitSegments(cutEvenly(1, 5), 3))).toEqual([
      [0, 1],
      [1, 2],
      [2, 5],
    ])
  })
})
