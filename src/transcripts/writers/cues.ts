import type { Segment, Transcript } from '../model.ts'
import { cleanText } from './clean-text.ts'
import { type CueText, LINE_WIDTH, MAX_CUE_SECONDS, MIN_CUE_SECONDS, partCues } from './cue-text.ts'
import { timeCues } from './cue-times.ts'
import { textWidth } from './language.ts'
import { segmentTimes, type Token, timeTokens } from './timed-tokens.ts'

/** What one speaker says in a cue. */
export type CueVoice = {
  speaker: string | null
  /** Another one than in the voice before. */
  isNewSpeaker: boolean
  lines: readonly string[]
}

/** A subtitle: of one speaker, or two short ones of two speakers, a line each. */
export type Cue = { startMs: number; endMs: number; voices: readonly CueVoice[] }

/** A pause after which a new cue begins in any case. */
const RUN_PAUSE_SECONDS = 1.2

/** Writes the name of a speaker as it stands in front of a line; empty where names are no part of the text. */
export type LabelSpeaker = (speaker: string) => string

/** The subtitles of a transcript by the habits of broadcasters: two lines, 42 characters, time to read, no overlap. */
export const buildCues = (transcript: Transcript, label: LabelSpeaker): Cue[] => {
  const drafts = pairShort(draftCues(transcript, label), label)
  const shown = timeCues(drafts, transcript.durationSeconds)
  let latest: string | null = null
  return drafts.map(({ voices }, index) => ({
    ...(shown[index] as { startMs: number; endMs: number }),
    voices: voices.map(({ speaker, lines }) => {
      const isNewSpeaker = speaker !== null && speaker !== latest
      latest = speaker
      return { speaker, isNewSpeaker, lines }
    }),
  }))
}

type Draft = {
  voices: readonly { speaker: string | null; lines: readonly string[] }[]
  startSeconds: number
  endSeconds: number
  width: number
}

/** What one speaker says without a long pause. */
type Run = { speaker: string | null; tokens: Token[]; startSeconds: number; endSeconds: number }

const draftCues = ({ segments, language }: Transcript, label: LabelSpeaker): Draft[] => {
  const runs = collectRuns(segments, language)
  const mixed = findMixed(runs)
  return runs
    .flatMap(({ speaker, tokens }, index) => {
      const width = speaker === null ? 0 : textWidth(label(speaker))
      // Where two speak at once their cues alternate: any of them, and the first one after, may need the name.
      const needsName = runs[index - 1]?.speaker !== speaker || mixed[index] || mixed[index - 1]
      const labels = { first: needsName ? width : 0, later: mixed[index] ? width : 0 }
      return partCues(tokens, labels).map((part) => draftOf(speaker, part))
    })
    .sort((a, b) => a.startSeconds - b.startSeconds)
}

const draftOf = (speaker: string | null, { lines, startSeconds, endSeconds }: CueText): Draft => ({
  voices: [{ speaker, lines }],
  startSeconds,
  endSeconds,
  width: lines.reduce((sum, line) => sum + textWidth(line), 0),
})

/** Of each run whether another one is said at the same time. */
const findMixed = (runs: readonly Run[]): boolean[] => {
  const mixed = runs.map(() => false)
  let latest = 0
  for (const [index, { startSeconds }] of runs.entries()) {
    const open = runs[latest]
    if (index > 0 && open !== undefined && open.endSeconds > startSeconds) mixed[latest] = mixed[index] = true
    if (open === undefined || (runs[index] as Run).endSeconds >= open.endSeconds) latest = index
  }
  return mixed
}

const collectRuns = (segments: readonly Segment[], language: string): Run[] => {
  const runs: Run[] = []
  const ordered = segments
    .map((segment) => ({ segment, ...segmentTimes(segment) }))
    .sort((a, b) => a.startSeconds - b.startSeconds)
  for (const { segment, startSeconds, endSeconds } of ordered) {
    const tokens = timeTokens(segment, language)
    if (tokens.length === 0) continue
    const speaker = cleanText(segment.speaker ?? '') || null
    const run = runs.at(-1)
    if (run && run.speaker === speaker && startSeconds - run.endSeconds < RUN_PAUSE_SECONDS) {
      for (const token of tokens) run.tokens.push(token)
      run.endSeconds = Math.max(run.endSeconds, endSeconds)
    } else runs.push({ speaker, tokens: [...tokens], startSeconds, endSeconds })
  }
  return runs
}

/** Two lines of two speakers become one cue where one of them alone would be gone before it is read. */
const pairShort = (drafts: readonly Draft[], label: LabelSpeaker): Draft[] => {
  const paired: Draft[] = []
  for (const [index, draft] of drafts.entries()) {
    const [before, next] = [paired.at(-1), drafts[index + 1]]
    const isHurried = isShort(draft, next) && !(next && canPair(draft, next, label))
    if (before && (isShort(before, draft) || isHurried) && canPair(before, draft, label)) {
      paired[paired.length - 1] = pair(before, draft)
    } else paired.push(draft)
  }
  return paired
}

const isShort = (draft: Draft, next: Draft | undefined): boolean =>
  next !== undefined && next.startSeconds - draft.startSeconds < MIN_CUE_SECONDS

const pair = (a: Draft, b: Draft): Draft => ({
  voices: [...a.voices, ...b.voices],
  startSeconds: a.startSeconds,
  endSeconds: Math.max(a.endSeconds, b.endSeconds),
  width: a.width + b.width,
})

const canPair = (a: Draft, b: Draft, label: LabelSpeaker): boolean => {
  const [voice, other] = [a.voices[0], b.voices[0]]
  if (a.voices.length > 1 || voice === undefined || other === undefined) return false
  if (voice.speaker === null || other.speaker === null || voice.speaker === other.speaker) return false
  const isOneLine = [voice, other].every(
    ({ speaker, lines }) => lines.length === 1 && textWidth(label(speaker ?? '') + lines[0]) <= LINE_WIDTH,
  )
  const isClose = b.startSeconds - a.endSeconds < RUN_PAUSE_SECONDS
  return isOneLine && isClose && Math.max(a.endSeconds, b.endSeconds) - a.startSeconds <= MAX_CUE_SECONDS
}
