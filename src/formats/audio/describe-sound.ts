import type { Source } from '../../core/catalog.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import { isLossless } from '../shared/media/audio-codecs.ts'
import type { Media } from '../shared/media/read-media.ts'
import type { Heard, SilenceRule } from './listen.ts'
import type { CoverPicture } from './pictures.ts'
import type { Segment } from './plan-segments.ts'
import { round } from './round.ts'

/** The file and what it is packed in. */
export const describeFile = (source: Source, media: Media): object => ({
  file: { name: source.name, bytes: source.bytes },
  container: {
    format: media.container,
    name: media.containerName,
    durationSeconds: round(media.durationSeconds, 6),
    // What the file itself says, where that is not so.
    ...(media.declaredSeconds === media.durationSeconds
      ? {}
      : { declaredDurationSeconds: media.declaredSeconds ?? null }),
    bitRate:
      media.bitRate ?? (media.durationSeconds > 0 ? Math.round((source.bytes * 8) / media.durationSeconds) : undefined),
  },
})

/** One track of sound. */
export const describeTrack = (stream: StreamFacts): object => ({
  index: stream.index,
  codec: stream.codec,
  codecName: stream.codecName,
  profile: stream.profile,
  isLossless: isLossless(stream),
  sampleRate: stream.sampleRate,
  channels: stream.channels,
  channelLayout: stream.channelLayout,
  bitsPerSample: stream.bitsPerSample,
  bitRate: stream.bitRate,
  durationSeconds: stream.durationSeconds,
  language: stream.language,
  title: stream.title,
  isDefault: stream.isDefault,
})

/** A picture, without the picture. */
export const describePicture = ({ kind, description, mediaType, data, width, height }: CoverPicture): object => ({
  kind,
  description,
  mediaType,
  bytes: data.length,
  width,
  height,
})

/** A chapter, counted from 1. */
export const describeChapter = ({ startSeconds, endSeconds, title }: Segment, index: number): object => ({
  number: index + 1,
  startSeconds: round(startSeconds),
  endSeconds: round(endSeconds),
  title,
})

/** Where nothing is to be heard. */
export const describeSilence = ({ silences = [], seconds }: Heard, rule: SilenceRule): object => {
  const total = silences.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)
  return {
    ...rule,
    totalSeconds: round(total),
    share: round(seconds > 0 ? Math.min(1, total / seconds) : 0, 4),
    ranges: silences.map(({ startSeconds, endSeconds }) => ({
      startSeconds: round(startSeconds),
      endSeconds: round(endSeconds),
    })),
  }
}
