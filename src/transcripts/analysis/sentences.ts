import type { Segment, Transcript } from '../model.ts'
import { cleanText } from '../writers/clean-text.ts'
import { endsSentence, joinTexts } from '../writers/language.ts'
import { segmentTimes, timeTokens } from '../writers/timed-tokens.ts'
import type { Citation } from './model.ts'

/** A sentence and the segments it was said in. */
export type Sentence = Citation & { text: string; speaker: string | null }

/** A segment that the engine cut in the middle of a sentence goes on in the next one, if it follows closely. */
const CLOSE_SECONDS = 1.5
const LONGEST_CHARACTERS = 400

/** The sentences of a transcript, put together where segments cut them and parted where segments hold several. */
export const readSentences = ({ segments, language }: Transcript): Sentence[] => {
  const segmenter = makeSegmenter(language)
  const sentences: Sentence[] = []
  for (const segment of segments) {
    const speaker = cleanText(segment.speaker ?? '') || null
    const texts = splitSentences(cleanText(segment.text), segmenter)
    for (const [index, times] of timeSentences(segment, texts, language).entries()) {
      const part = { segmentIds: [segment.id], ...times, text: texts[index] ?? '', speaker }
      const before = sentences.at(-1)
      if (before && continues(before, part)) sentences[sentences.length - 1] = extend(before, part)
      else sentences.push(part)
    }
  }
  return sentences
}

type Times = { startSeconds: number; endSeconds: number }

/** When the sentences of one segment are said. */
const timeSentences = (segment: Segment, texts: readonly string[], language: string): Times[] => {
  if (texts.length < 2) return texts.map(() => segmentTimes(segment))
  const tokens = timeTokens(segment, language)
  let at = 0
  return texts.map((text) => {
    const first = tokens[at]
    // Tokens and sentences are made of the same characters, spaces aside.
    for (let left = text.replace(/\s/g, '').length; left > 0 && at < tokens.length; at++)
      left -= tokens[at]?.text.length ?? 0
    const last = tokens[Math.max(0, at - 1)]
    const { startSeconds, endSeconds } = segmentTimes(segment)
    return { startSeconds: first?.startSeconds ?? endSeconds, endSeconds: last?.endSeconds ?? startSeconds }
  })
}

/** One citation of what several things cite. */
export const joinCitations = (parts: readonly Citation[]): Citation => ({
  segmentIds: [...new Set(parts.flatMap(({ segmentIds }) => segmentIds))].sort((a, b) => a - b),
  startSeconds: Math.min(...parts.map(({ startSeconds }) => startSeconds)),
  endSeconds: Math.max(...parts.map(({ endSeconds }) => endSeconds)),
})

const makeSegmenter = (language: string): Intl.Segmenter => {
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' })
  } catch {
    return new Intl.Segmenter('und', { granularity: 'sentence' })
  }
}

const ABBREVIATION = /(?:^|\s)(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e|approx|Inc|Ltd|Jr|Sr|[A-Z])\.$/

const splitSentences = (text: string, segmenter: Intl.Segmenter): string[] => {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const piece = segment.trim()
    if (piece === '') continue
    if (piece.length > LONGEST_CHARACTERS) {
      sentences.push(...cutLong(piece))
      continue
    }
    const before = sentences.at(-1)
    if (before !== undefined && joins(before, piece)) {
      sentences[sentences.length - 1] = joinTexts(before, piece)
    } else sentences.push(piece)
  }
  return sentences
}

const joins = (before: string, piece: string): boolean =>
  before.length + piece.length <= LONGEST_CHARACTERS && (ABBREVIATION.test(before) || !endsSentence(before))

/** Speech without a full stop is cut between words, so that every sentence has a bound. */
const cutLong = (text: string): string[] =>
  (text.match(CUT) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== '')

const CUT = new RegExp(`.{1,${LONGEST_CHARACTERS}}(?:\\s|$)|.{${LONGEST_CHARACTERS}}`, 'gsu')

const continues = (before: Sentence, part: Sentence): boolean =>
  before.speaker === part.speaker &&
  !endsSentence(before.text) &&
  before.text.length + part.text.length <= LONGEST_CHARACTERS &&
  part.startSeconds - before.endSeconds < CLOSE_SECONDS

const extend = (before: Sentence, part: Sentence): Sentence => ({
  ...joinCitations([before, part]),
  text: joinTexts(before.text, part.text),
  speaker: before.speaker,
})
