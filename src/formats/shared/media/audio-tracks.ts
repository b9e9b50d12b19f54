import type { Context, OptionValues, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import type { StreamFacts } from '../../../engines/ffprobe.ts'
import { type ConvertedAudio, convertAudio } from './audio-convert.ts'
import { AUDIO_FORMAT } from './audio-options.ts'
import { type Media, readMedia } from './read-media.ts'

/** Options of what gives the sound of a file, the contract's first. */
export const SOUND_OPTIONS = {
  audioFormat: AUDIO_FORMAT,
  tracks: {
    type: 'enum',
    allowedValues: ['default', 'all'],
    defaultValue: 'default',
    detail: 'default: the track that a player would play. all: every track in a file of its own.',
  },
} as const
export type SoundOptions = OptionValues<typeof SOUND_OPTIONS>

/** One audio track in a file of the scratch folder; undefined `audio` where it is beyond saving. */
export type TrackFile = { stream: StreamFacts; audio: ConvertedAudio | undefined; isOnly: boolean }

/** Converts the wanted tracks, each apart: a bad one does not lose the others. */
export const convertTracks = async (source: Source, options: SoundOptions, context: Context): Promise<TrackFile[]> => {
  const streams = chooseTracks(await readMedia(source, context), options.tracks)
  const files: TrackFile[] = []
  for (const [i, stream] of streams.entries()) {
    const wish = {
      streamIndex: stream.index,
      format: options.audioFormat,
      onProgress: (done: number) => context.progress((i + Math.min(1, done)) / streams.length),
    }
    const audio = await convertAudio(source, wish, context).catch((error: unknown) => {
      if (!(error instanceof JobFailure) || error.code !== 'extract.engine_failed') throw error
      return undefined
    })
    files.push({ stream, audio, isOnly: options.tracks === 'default' || streams.length === 1 })
  }
  return files
}

/** The track that a player would play; undefined where there is no sound. */
export const mainTrack = ({ streams }: Media): StreamFacts | undefined => {
  const sound = streams.filter(({ kind }) => kind === 'audio')
  const known = sound.filter(({ codec }) => codec !== 'unknown')
  return known.find(({ isDefault }) => isDefault) ?? known[0] ?? sound[0]
}

const chooseTracks = (media: Media, tracks: SoundOptions['tracks']): StreamFacts[] =>
  tracks === 'all'
    ? media.streams.filter(({ kind }) => kind === 'audio')
    : [mainTrack(media)].filter((stream) => stream !== undefined)
