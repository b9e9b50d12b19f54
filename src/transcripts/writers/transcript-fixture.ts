import type { Segment, Transcript, Word } from '../model.ts'

/** A segment of a transcript made for a test: its words are spread over its time. */
export const segmentOf = (
  id: number,
  [startSeconds, endSeconds]: readonly [number, number],
  text: string,
  speaker: string | null = null,
): Segment => ({ id, startSeconds, endSeconds, text, speaker, words: spreadWords(text, startSeconds, endSeconds) })

const spreadWords = (text: string, startSeconds: number, endSeconds: number): Word[] => {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const step = (endSeconds - startSeconds) / Math.max(1, words.length)
  return words.map((word, index) => ({
    text: word,
    startSeconds: startSeconds + index * step,
    endSeconds: startSeconds + (index + 1) * step,
    confidence: null,
  }))
}

/** A transcript made for a test. */
export const transcriptOf = (segments: readonly Segment[], language = 'en'): Transcript => ({
  language,
  durationSeconds: Math.max(0, ...segments.map(({ endSeconds }) => endSeconds)),
  segments,
  wordTimes: 'interpolated',
  engine: { provider: 'test', model: 'test' },
})

/** A transcript of lines, one after the other at the pace of speech, with a short pause between two of them. */
export const transcriptOfLines = (
  lines: readonly (readonly [speaker: string | null, text: string])[],
  language = 'en',
  pauseSeconds = 0.4,
): Transcript => {
  let at = 0
  return transcriptOf(
    lines.map(([speaker, text], index) => {
      const start = at
      const end = start + Math.max(0.5, text.length / 14)
      at = end + pauseSeconds
      return segmentOf(index + 1, [start, end], text, speaker)
    }),
    language,
  )
}
