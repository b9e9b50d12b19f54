import type { Segment, Transcript } from '../model.ts'
import { cleanText } from './clean-text.ts'
import { endsSentence, joinTexts, textWidth } from './language.ts'
import { segmentTimes, timeTokens } from './timed-tokens.ts'

/** Sentences of one speaker that belong together. */
export type Paragraph = { startSeconds: number; endSeconds: number; text: string }

/** What one speaker says until another one does; all of it where speakers were not told apart. */
export type Turn = { speaker: string | null; paragraphs: readonly Paragraph[] }

/** The speech of a transcript, or of a part of it, as a reader wants it. */
export const groupTurns = ({ language }: Transcript, segments: readonly Segment[]): Turn[] => {
  const turns: { speaker: string | null; paragraphs: Paragraph[] }[] = []
  for (const segment of segments) {
    const speaker = cleanText(segment.speaker ?? '') || null
    for (const stretch of splitLong(segment, language)) {
      const turn = turns.at(-1)
      const paragraph = turn?.paragraphs.at(-1)
      if (turn === undefined || paragraph === undefined || turn.speaker !== speaker) {
        turns.push({ speaker, paragraphs: [stretch] })
      } else if (beginsParagraph(paragraph, stretch)) turn.paragraphs.push(stretch)
      else turn.paragraphs[turn.paragraphs.length - 1] = join(paragraph, stretch)
    }
  }
  return turns
}

const join = (before: Paragraph, after: Paragraph): Paragraph => ({
  startSeconds: before.startSeconds,
  endSeconds: Math.max(before.endSeconds, after.endSeconds),
  text: joinTexts(before.text, after.text),
})

/** A pause that ends a paragraph in any case. */
const LONG_PAUSE_SECONDS = 4
/** A pause that ends one that has said enough. */
const PAUSE_SECONDS = 1.5
const ENOUGH_WIDTH = 160
const FULL_WIDTH = 700
const MOST_WIDTH = 2000

const beginsParagraph = (before: Paragraph, after: Paragraph): boolean => {
  const pause = after.startSeconds - before.endSeconds
  const width = textWidth(before.text)
  if (pause >= LONG_PAUSE_SECONDS || width >= MOST_WIDTH) return true
  return endsSentence(before.text) && (width >= FULL_WIDTH || (width >= ENOUGH_WIDTH && pause >= PAUSE_SECONDS))
}

/** A segment as it is, or its sentences where some engine put a whole talk into one. */
const splitLong = (segment: Segment, language: string): Paragraph[] => {
  const text = cleanText(segment.text)
  if (text === '') return []
  if (textWidth(text) <= FULL_WIDTH) return [{ ...segmentTimes(segment), text }]
  const sentences: Paragraph[] = []
  let isOpen = false
  for (const { text, isJoined, startSeconds, endSeconds } of timeTokens(segment, language)) {
    const sentence = sentences.at(-1)
    if (sentence && isOpen) {
      sentence.text += isJoined ? text : ` ${text}`
      sentence.endSeconds = endSeconds
    } else sentences.push({ startSeconds, endSeconds, text })
    isOpen = !endsSentence(text) && (sentences.at(-1)?.text.length ?? 0) < MOST_WIDTH
  }
  return sentences
}
