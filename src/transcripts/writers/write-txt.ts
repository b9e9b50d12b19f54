import type { Transcript } from '../model.ts'
import { groupTurns } from './turns.ts'

/** What was said as paragraphs; who says it stands in front of each turn. */
export const writeTxt = (transcript: Transcript): string =>
  groupTurns(transcript, transcript.segments)
    .flatMap(({ speaker, paragraphs }) =>
      paragraphs.map(({ text }, index) => (speaker !== null && index === 0 ? `${speaker}: ${text}` : text)),
    )
    .map((paragraph) => `${paragraph}\n`)
    .join('\n')
