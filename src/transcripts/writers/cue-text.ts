import { breakCost } from './cue-breaks.ts'
import { endsSentence, textWidth } from './language.ts'
import type { Token } from './timed-tokens.ts'

/** What broadcasters hold to. */
export const LINE_WIDTH = 42
export const MAX_CUE_SECONDS = 7
export const MIN_CUE_SECONDS = 1

/** A stretch of tokens that is shown at once, in one line or two. */
export type CueText = { lines: readonly string[]; startSeconds: number; endSeconds: number }

/** How wide the name in front of the first line is: of the first cue of a run, and of those that come after. */
export type LabelWidths = { first: number; later: number }

/**
 * Parts the speech of one speaker into cues: the cheapest way to part it, where a part costs the more the worse the
 * place of its end, the shorter its time and the longer the pauses inside it.
 */
export const partCues = (tokens: readonly Token[], labels: LabelWidths): CueText[] => {
  const speech = measureSpeech(tokens)
  const roomAt = (from: number): number => LINE_WIDTH - (from === 0 ? labels.first : labels.later)
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }]
  for (let end = 1; end <= tokens.length; end++) {
    let chosen = { cost: Number.POSITIVE_INFINITY, from: end - 1 }
    for (let from = end - 1; from >= 0; from--) {
      const isTooLong = widthOf(speech, from, end) > 2 * LINE_WIDTH || secondsOf(speech, from, end) > MAX_CUE_SECONDS
      if (from < end - 1 && isTooLong) break
      if (from < end - 1 && !fits(speech, from, end, roomAt(from))) continue
      const cost = (best[from]?.cost ?? 0) + cueCost(speech, from, end)
      if (cost < chosen.cost) chosen = { cost, from }
    }
    best.push(chosen)
  }
  const parts: CueText[] = []
  for (let end = tokens.length; end > 0; end = best[end]?.from ?? 0) {
    const from = best[end]?.from ?? 0
    const [first, last] = [tokens[from] as Token, tokens[end - 1] as Token]
    parts.push({
      lines: layLines(speech, from, end, roomAt(from)),
      startSeconds: first.startSeconds,
      endSeconds: Math.max(first.endSeconds, last.endSeconds),
    })
  }
  return parts.reverse()
}

/** Tokens with what is asked about them again and again; each sum counts the tokens before its index. */
type Speech = {
  tokens: readonly Token[]
  widths: readonly number[]
  sentences: readonly number[]
  pauses: readonly number[]
  /** What it costs to part a token from the next one. */
  breaks: readonly number[]
}

/** A pause inside a cue that nobody minds. */
const SHORT_PAUSE_SECONDS = 0.5

const measureSpeech = (tokens: readonly Token[]): Speech => {
  const [widths, sentences, pauses, breaks]: [number[], number[], number[], number[]] = [[0], [0], [0], []]
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    const pause = next === undefined ? 0 : next.startSeconds - token.endSeconds
    widths.push((widths[index] as number) + textWidth(token.text) + (token.isJoined ? 0 : 1))
    sentences.push((sentences[index] as number) + (endsSentence(token.text) ? 1 : 0))
    pauses.push((pauses[index] as number) + Math.max(0, pause - SHORT_PAUSE_SECONDS))
    breaks.push(next === undefined ? 0 : breakCost(token, next))
  }
  return { tokens, widths, sentences, pauses, breaks }
}

const sumOf = (sums: readonly number[], from: number, end: number): number =>
  (sums[end] as number) - (sums[from] as number)

const widthOf = ({ tokens, widths }: Speech, from: number, end: number): number =>
  sumOf(widths, from, end) - (tokens[from]?.isJoined ? 0 : 1)

const secondsOf = ({ tokens }: Speech, from: number, end: number): number =>
  (tokens[end - 1] as Token).endSeconds - (tokens[from] as Token).startSeconds

const fits = (speech: Speech, from: number, end: number, room: number): boolean => {
  if (widthOf(speech, from, end) <= room) return true
  for (let split = end - 1; split > from; split--) {
    if (widthOf(speech, split, end) > LINE_WIDTH) return false
    if (widthOf(speech, from, split) <= room) return true
  }
  return false
}

const CUE_COST = 7
/** What it costs that a sentence ends inside a cue which ends with one, and inside one that does not. */
const [WHOLE_COST, MIXED_COST] = [3, 8]

const cueCost = (speech: Speech, from: number, end: number): number => {
  const { tokens, sentences, pauses, breaks } = speech
  const isWhole = end === tokens.length || sumOf(sentences, end - 1, end) > 0
  const inside =
    sumOf(sentences, from, end - 1) * (isWhole ? WHOLE_COST : MIXED_COST) + sumOf(pauses, from, end - 1) * 4
  const hurry = Math.max(0, MIN_CUE_SECONDS - secondsOf(speech, from, end)) * 6
  return CUE_COST + (breaks[end - 1] as number) + inside + hurry
}

/** One line where it fits, else two: broken at a good place, about even, rather the second one longer. */
const layLines = (speech: Speech, from: number, end: number, room: number): string[] => {
  const { tokens, breaks } = speech
  if (end - from === 1 || widthOf(speech, from, end) <= room) return [joinTokens(tokens, from, end)]
  let chosen = { cost: Number.POSITIVE_INFINITY, split: from + 1 }
  for (let split = from + 1; split < end; split++) {
    const [above, below] = [widthOf(speech, from, split), widthOf(speech, split, end)]
    if (above > room || below > LINE_WIDTH) continue
    const cost = (breaks[split - 1] as number) + Math.abs(above - below) / 4 + (above > below ? 1 : 0)
    if (cost < chosen.cost) chosen = { cost, split }
  }
  return [joinTokens(tokens, from, chosen.split), joinTokens(tokens, chosen.split, end)]
}

const joinTokens = (tokens: readonly Token[], from: number, end: number): string => {
  let line = ''
  for (let index = from; index < end; index++) {
    const { text, isJoined } = tokens[index] as Token
    line += index === from || isJoined ? text : ` ${text}`
  }
  return line
}
