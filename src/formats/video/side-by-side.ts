import type { Context, Source } from '../../core/catalog.ts'
import { convertTracks, type SoundOptions, type TrackFile } from '../shared/media/audio-tracks.ts'
import { beginAhead } from './begin-ahead.ts'
import { takeFrames } from './film-frames.ts'
import type { FoundFrames } from './find-frames.ts'
import type { FrameOptions } from './frame-options.ts'

// Sound and film are read by two processes; where a job wants both, the capability that is first starts both.

/** Waits for the sound of a file, with the film begun beside it. */
export const takeSoundBesideFilm = (source: Source, options: SoundOptions, context: Context): Promise<TrackFile[]> => {
  const wanted = context.optionsOf?.('video.frames') as FrameOptions | undefined
  if (wanted) beginFilm(source, wanted, context)
  return follow(beginSound(source, options, context), context)
}

/** Waits for the pictures of a file, with the sound begun beside them. */
export const takeFilmBesideSound = (source: Source, options: FrameOptions, context: Context): Promise<FoundFrames> => {
  const wanted = context.optionsOf?.('video.audio') as SoundOptions | undefined
  if (wanted) beginSound(source, wanted, context)
  return follow(beginFilm(source, options, context), context)
}

const beginSound = (source: Source, options: SoundOptions, context: Context) =>
  beginAhead(source, 'sound', context, (own) => convertTracks(source, options, own))

const beginFilm = (source: Source, options: FrameOptions, context: Context) =>
  beginAhead(source, 'film', context, (own) => takeFrames(source, options, own))

const follow = <T>(work: { result: Promise<T>; attach(context: Context): void }, context: Context): Promise<T> => {
  work.attach(context)
  return work.result
}
