import type { HeardChunk } from './transcribe.ts'

/**
 * The built-in models know English alone and make confident nonsense of everything else. It shows: they are less sure
 * of each word, their attention wanders instead of following the sound, they repeat themselves, or they fall silent.
 */

/** 0 for clear English, about 1 and more for what was not understood. */
export const rateDoubt = ({ words, isLoop, alignment, speechSeconds }: HeardChunk): number => {
  if (words.length === 0) return speechSeconds >= MIN_TELLING_SECONDS ? HOPELESS : 0
  if (isLoop) return HOPELESS
  const logProbability = words.reduce((sum, { confidence }) => sum + Math.log(confidence ?? 1), 0) / words.length
  return -logProbability + 2 * Math.max(0, CLEAR_ALIGNMENT - alignment)
}

const HOPELESS = 2
const CLEAR_ALIGNMENT = 0.7
/** A shorter sound without words is a laugh or a cough. */
const MIN_TELLING_SECONDS = 2

/** English in noise stays well below, other languages lie above. */
const MAX_DOUBT = 0.65
/** Speech after which the judgement stands. */
const ENOUGH_SECONDS = 60

/** Whether so much of a chunk was guessed that it is better left out. */
export const isGuesswork = (chunk: HeardChunk): boolean => rateDoubt(chunk) > 2 * MAX_DOUBT

/** Judges chunk by chunk whether a recording is English. */
export type LanguageJudge = {
  add(chunk: HeardChunk): void
  isEnglish(): boolean
  /** Whether enough was heard to stop over it. */
  isSure(): boolean
}

/** Starts with no opinion. */
export const createLanguageJudge = (): LanguageJudge => {
  let seconds = 0
  let doubtfulSeconds = 0
  return {
    add(chunk) {
      seconds += chunk.speechSeconds
      if (rateDoubt(chunk) > MAX_DOUBT) doubtfulSeconds += chunk.speechSeconds
    },
    isEnglish: () => doubtfulSeconds <= seconds / 2,
    isSure: () => seconds >= ENOUGH_SECONDS,
  }
}
