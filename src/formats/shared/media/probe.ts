import type { Format } from '../../../core/catalog.ts'
import { readMedia } from './read-media.ts'

/** Measures the length of a media file. */
export const probe: NonNullable<Format['probe']> = async (source, context) => {
  const { durationSeconds } = await readMedia(source, context)
  return { durationSeconds }
}
