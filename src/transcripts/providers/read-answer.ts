import { z } from 'zod'
import type { Segment, WordTimes } from '../model.ts'

const wordSchema = z.object({
  text: z.string(),
  startSeconds: z.number(),
  endSeconds: z.number(),
  confidence: z.number().nullable(),
})
const answerSchema = z.object({
  language: z.string().nullable(),
  model: z.string(),
  wordTimes: z.enum(['aligned', 'interpolated', 'none']),
  segments: z.array(
    z.object({
      startSeconds: z.number(),
      endSeconds: z.number(),
      text: z.string(),
      speaker: z.string().nullable(),
      words: z.array(wordSchema),
    }),
  ),
})

/** Reads the answer of a provider about a piece that begins at `offsetSeconds` of the recording. */
export const readProviderAnswer = (
  value: unknown,
  offsetSeconds: number,
): { language: string | null; model: string; wordTimes: WordTimes; segments: Omit<Segment, 'id'>[] } => {
  const { segments, ...facts } = answerSchema.parse(value)
  const move = <T extends { startSeconds: number; endSeconds: number }>(part: T): T => ({
    ...part,
    startSeconds: part.startSeconds + offsetSeconds,
    endSeconds: part.endSeconds + offsetSeconds,
  })
  return { ...facts, segments: segments.map((segment) => ({ ...move(segment), words: segment.words.map(move) })) }
}
