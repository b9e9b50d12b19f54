/** A word as it was said. */
export type Word = {
  /** With the punctuation that stands at it. */
  text: string
  startSeconds: number
  endSeconds: number
  /** 0 to 1, where the engine gives it. */
  confidence: number | null
}

/** A stretch of speech of one speaker, about a sentence long. */
export type Segment = {
  /** Counted from 1 in the order of time: what an analysis cites. */
  id: number
  startSeconds: number
  endSeconds: number
  text: string
  /** `Speaker 1`, …; null where speakers were not told apart. */
  speaker: string | null
  /** Empty where the engine gives none. */
  words: readonly Word[]
}

/** Where the times of words come from: the engine's own, or spread evenly over their segment. */
export type WordTimes = 'aligned' | 'interpolated' | 'none'

/** All that was said in a recording. Everything else is a writer of it or an analysis over it. */
export type Transcript = {
  /** BCP-47. */
  language: string
  durationSeconds: number
  segments: readonly Segment[]
  wordTimes: WordTimes
  engine: TranscriptionEngine
}

/** Who wrote a transcript down. */
export type TranscriptionEngine = { provider: string; model: string }

/** Names of the speakers in the order in which they are first heard. */
export const listSpeakers = ({ segments }: Transcript): string[] => [
  ...new Set(segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))),
]
