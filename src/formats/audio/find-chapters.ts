import type { Context, Source } from '../../core/catalog.ts'
import type { Media } from '../shared/media/read-media.ts'
import type { Segment } from './plan-segments.ts'
import { readWaveChunks } from './wave-chunks.ts'

const MAX_CHAPTERS = 10_000

/** The chapters of a file; in a WAV file the marked places stand for them. */
export const findChapters = async (source: Source, media: Media, context: Context): Promise<Segment[]> => {
  if (media.chapters.length > 0) return media.chapters.slice(0, MAX_CHAPTERS)
  const markers = (await readWaveChunks(source, context))?.markers ?? []
  return markers
    .filter(({ timeSeconds }) => timeSeconds < media.durationSeconds)
    .map(({ timeSeconds, endSeconds, title }, i) => ({
      startSeconds: timeSeconds,
      endSeconds: endSeconds ?? markers[i + 1]?.timeSeconds ?? media.durationSeconds,
      ...(title !== undefined && { title }),
    }))
}
