import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import { mainTrack } from '../shared/media/audio-tracks.ts'
import { type Media, readMedia } from '../shared/media/read-media.ts'

/** A file and the track of it that a player would play. */
export type Sound = { media: Media; track: StreamFacts }

/** Probes a source. A file without a moment of sound is `extract.source_unreadable`, though it may hold a film. */
export const readSound = async (source: Source, context: Context): Promise<Sound> => {
  const media = await readMedia(source, context)
  const track = mainTrack(media)
  if (!track || media.durationSeconds <= 0)
    throw new JobFailure('extract.source_unreadable', {}, { detail: 'The file holds no sound.' })
  return { media, track }
}
