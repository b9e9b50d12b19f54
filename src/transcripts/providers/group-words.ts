import type { Segment, Word } from '../model.ts'
import { splitSegments } from '../split-segments.ts'

/** Makes segments of words, a new one wherever the speaker changes. */
export const groupWords = (words: readonly { word: Word; speaker: string | null }[]): Omit<Segment, 'id'>[] => {
  const turns: { speaker: string | null; words: Word[] }[] = []
  for (const { word, speaker } of words) {
    const turn = turns.at(-1)
    if (turn?.speaker === speaker) turn.words.push(word)
    else turns.push({ speaker, words: [word] })
  }
  return turns.flatMap((turn) => splitSegments(turn.words).map((segment) => ({ ...segment, speaker: turn.speaker })))
}

/** Names speakers in the order in which they are first heard, whatever the provider calls them. */
export const createSpeakerNames = (): ((label: string | number | null | undefined) => string | null) => {
  const known = new Map<string, string>()
  return (label) => {
    if (label === null || label === undefined) return null
    const key = String(label)
    const name = known.get(key) ?? `Speaker ${known.size + 1}`
    known.set(key, name)
    return name
  }
}
