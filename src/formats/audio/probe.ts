import type { Format } from '../../core/catalog.ts'
import { readSound } from './read-sound.ts'
import { round } from './round.ts'

/** Measures the length of a sound file. */
export const probe: NonNullable<Format['probe']> = async (source, context) => {
  const { media } = await readSound(source, context)
  return { durationSeconds: round(media.durationSeconds, 6) }
}
