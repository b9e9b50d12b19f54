import type { Segment, Word } from '../model.ts'
import { splitSegments } from '../split-segments.ts'
import { assignWords } from './assign-words.ts'
import { tellSpeakers, type VoiceSample } from './tell-speakers.ts'

/** What a speaker is called. */
export const nameOf = (index: number): string => `Speaker ${index + 1}`

/** Segments of one speaker each, named in the order in which they are heard; without voices of nobody. */
export const splitBySpeaker = (words: readonly Word[], voices: readonly VoiceSample[]): Omit<Segment, 'id'>[] => {
  if (voices.length === 0) return splitSegments(words)
  const labels = assignWords(words, voices, tellSpeakers(voices))
  const order = [...new Set(labels)]
  const turns: { label: number; words: Word[] }[] = []
  for (const [index, word] of words.entries()) {
    const label = labels[index] ?? 0
    const turn = turns.at(-1)
    if (turn?.label === label) turn.words.push(word)
    else turns.push({ label, words: [word] })
  }
  return turns.flatMap((turn) =>
    splitSegments(turn.words).map((segment) => ({ ...segment, speaker: nameOf(order.indexOf(turn.label)) })),
  )
}
