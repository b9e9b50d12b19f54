import type { Segment, Word } from '../model.ts'
import { cleanText } from './clean-text.ts'
import { UNSPACED } from './language.ts'

/** The least piece of a line: a word, or a piece of text between two places where a line may break. */
export type Token = {
  text: string
  /** Follows what stands before it without a space. */
  isJoined: boolean
  startSeconds: number
  endSeconds: number
}

/** The text of a segment in tokens, with the times of its words or, where there are none, its own spread over them. */
export const timeTokens = (segment: Segment, language: string): Token[] => {
  const pieces = splitPieces(cleanText(segment.text), language)
  const clock = makeClock(segment, pieces.length)
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0)
  let at = 0
  let latest = 0
  return pieces.map(({ text, isJoined }, index) => {
    const startSeconds = Math.max(latest, clock.startOf(index, at / total))
    at += text.length
    const endSeconds = Math.max(startSeconds, clock.endOf(index, at / total))
    latest = startSeconds
    return { text, isJoined, startSeconds, endSeconds }
  })
}

/** The times of a segment as numbers that can be counted on. */
export const segmentTimes = ({ startSeconds, endSeconds }: Segment): { startSeconds: number; endSeconds: number } => {
  const start = Number.isFinite(startSeconds) ? Math.max(0, startSeconds) : 0
  return { startSeconds: start, endSeconds: Number.isFinite(endSeconds) ? Math.max(start, endSeconds) : start }
}

type Piece = { text: string; isJoined: boolean }

const splitPieces = (text: string, language: string): Piece[] => {
  if (text === '') return []
  return text.split(' ').flatMap((word) => {
    if (!UNSPACED.test(word)) return [{ text: word, isJoined: false }]
    return splitUnspaced(word, language).map((piece, index) => ({ text: piece, isJoined: index > 0 }))
  })
}

const segmenters = new Map<string, Intl.Segmenter>()
const segmenterOf = (language: string): Intl.Segmenter => {
  const known = segmenters.get(language)
  if (known) return known
  const segmenter = makeSegmenter(language)
  segmenters.set(language, segmenter)
  return segmenter
}
const makeSegmenter = (language: string): Intl.Segmenter => {
  try {
    return new Intl.Segmenter(language, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter('und', { granularity: 'word' })
  }
}

/** Words of a script that leaves no spaces; a mark that may not begin a line stays with the word before it. */
const splitUnspaced = (text: string, language: string): string[] => {
  const pieces: string[] = []
  for (const { segment } of segmenterOf(language).segment(text)) {
    const last = pieces.at(-1)
    const clings = last !== undefined && (/^[\p{P}ーゝ々]/u.test(segment) || /[\p{Ps}\p{Pi}]$/u.test(last))
    if (clings && !(/^[\p{Ps}\p{Pi}]/u.test(segment) && !/[\p{Ps}\p{Pi}]$/u.test(last))) {
      pieces[pieces.length - 1] = last + segment
    } else pieces.push(segment)
  }
  return pieces
}

type Clock = { startOf(index: number, share: number): number; endOf(index: number, share: number): number }

/** Tells when a piece is said: by its own word where the words are the pieces, else by its place in the text. */
const makeClock = (segment: Segment, pieceCount: number): Clock => {
  const { startSeconds, endSeconds } = segmentTimes(segment)
  const clamp = (seconds: number) => Math.min(endSeconds, Math.max(startSeconds, seconds))
  const timed = segment.words.filter((word) => Number.isFinite(word.startSeconds) && Number.isFinite(word.endSeconds))
  const words: readonly Word[] =
    timed.length > 0 ? timed : [{ text: segment.text, startSeconds, endSeconds, confidence: null }]
  if (timed.length === pieceCount) {
    return {
      startOf: (index) => clamp((words[index] as Word).startSeconds),
      endOf: (index) => clamp((words[index] as Word).endSeconds),
    }
  }
  const ends = cumulate(words.map(({ text }) => Math.max(1, text.replace(/\s/g, '').length)))
  const total = ends.at(-1) ?? 1
  const timeAt = (position: number, isEnd: boolean): number => {
    // A piece that ends where a word ends must not take its end from the next word.
    const index = Math.min(words.length - 1, findEnd(ends, isEnd ? position - SLACK : position + SLACK))
    const word = words[index] as Word
    const from = index === 0 ? 0 : (ends[index - 1] as number)
    const share = Math.min(1, Math.max(0, (position - from) / ((ends[index] as number) - from)))
    return clamp(word.startSeconds + (word.endSeconds - word.startSeconds) * share)
  }
  return {
    startOf: (_, share) => timeAt(share * total, false),
    endOf: (_, share) => timeAt(share * total, true),
  }
}

/** Rounding of shares of a text, in characters. */
const SLACK = 1e-6

/** Index of the first end that is not before a position. */
const findEnd = (ends: readonly number[], position: number): number => {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) < position) low = middle + 1
    else high = middle
  }
  return low
}

const cumulate = (values: readonly number[]): number[] => {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}
