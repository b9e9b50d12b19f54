import { transcribeSpeech } from '../built-in/transcribe.ts'
import type { Segment } from '../model.ts'
import { assignWords } from './assign-words.ts'
import { nameOf, splitBySpeaker } from './split-by-speaker.ts'
import { tellSpeakers, type VoiceSample } from './tell-speakers.ts'

/** Names who speaks in segments that came without, by the voices in the sound. */
export const nameSpeakers = async (
  segments: readonly Omit<Segment, 'id'>[],
  sound: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<Omit<Segment, 'id'>[]> => {
  const { voices } = await transcribeSpeech(sound, { size: null, voices: true, signal })
  return segments.every(({ words }) => words.length > 0)
    ? splitBySpeaker(
        segments.flatMap(({ words }) => words),
        voices,
      )
    : labelSegments(segments, voices)
}

const labelSegments = (
  segments: readonly Omit<Segment, 'id'>[],
  voices: readonly VoiceSample[],
): Omit<Segment, 'id'>[] => {
  if (voices.length === 0) return [...segments]
  const spans = segments.map(({ text, startSeconds, endSeconds }) => ({
    text,
    startSeconds,
    endSeconds,
    confidence: null,
  }))
  const labels = assignWords(spans, voices, tellSpeakers(voices))
  const order = [...new Set(labels)]
  return segments.map((segment, index) => ({ ...segment, speaker: nameOf(order.indexOf(labels[index] ?? 0)) }))
}
