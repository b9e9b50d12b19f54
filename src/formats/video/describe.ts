import type { Source } from '../../core/catalog.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import type { Media } from '../shared/media/read-media.ts'
import { findFilm, shownSize } from './picture.ts'

const round = (value: number | undefined, digits = 3): number | undefined =>
  value === undefined ? undefined : Number(value.toFixed(digits))

/** What there is to know about a film, in one record; what is not known is left out. */
export const describeMedia = (source: Source, media: Media) => {
  const film = findFilm(media)
  const of = (kind: StreamFacts['kind']) => media.streams.filter((stream) => stream.kind === kind)
  const isCover = ({ isAttachedPicture }: StreamFacts) => isAttachedPicture
  return {
    file: { name: source.name, bytes: source.bytes },
    container: {
      format: media.container,
      name: media.containerName,
      durationSeconds: round(media.durationSeconds, 6),
      ...(media.declaredSeconds !== media.durationSeconds && {
        declaredDurationSeconds: round(media.declaredSeconds, 6) ?? null,
      }),
      startSeconds: round(media.startSeconds, 6),
      bitRate: media.bitRate ?? averageBitRate(source, media),
    },
    picture: film && { ...shownSize(film), rotation: film.rotation ?? 0, hdr: film.color?.hdr ?? null },
    videoStreams: of('video')
      .filter((stream) => !isCover(stream))
      .map(describeVideo),
    audioStreams: of('audio').map(describeAudio),
    subtitleStreams: of('subtitle').map(describeCommon),
    coverPictures: of('video').filter(isCover).map(describeVideo),
    otherStreams: [...of('data'), ...of('attachment')].map(describeCommon),
    chapters: media.chapters.map(({ startSeconds, endSeconds, title }) => ({ startSeconds, endSeconds, title })),
    tags: media.tags,
  }
}

const averageBitRate = ({ bytes }: Source, { durationSeconds }: Media): number | undefined =>
  durationSeconds > 0 ? Math.round((bytes * 8) / durationSeconds) : undefined

const describeCommon = (stream: StreamFacts) => ({
  index: stream.index,
  codec: stream.codec,
  codecName: stream.codecName,
  profile: stream.profile,
  language: stream.language,
  title: stream.title,
  durationSeconds: round(stream.durationSeconds, 6),
  bitRate: stream.bitRate,
  dispositions: stream.dispositions,
  tags: stream.tags,
})

const describeAudio = (stream: StreamFacts) => ({
  ...describeCommon(stream),
  sampleRate: stream.sampleRate,
  channels: stream.channels,
  channelLayout: stream.channelLayout,
  bitsPerSample: stream.bitsPerSample,
})

const describeVideo = (stream: StreamFacts) => {
  const { width = 0, height = 0 } = stream
  const shown = shownSize(stream)
  const isSame = shown.width === width && shown.height === height
  return {
    ...describeCommon(stream),
    width,
    height,
    ...(!isSame && { shownWidth: shown.width, shownHeight: shown.height }),
    pixelAspectRatio: round(stream.sampleAspect, 6),
    frameRate: round(stream.averageFrameRate ?? stream.frameRate, 6),
    isVariableFrameRate: isVariable(stream),
    frameCount: stream.frameCount,
    rotation: stream.rotation ?? 0,
    isMirrored: stream.isFlipped,
    pixelFormat: stream.pixelFormat,
    fieldOrder: stream.fieldOrder,
    level: stream.level,
    color: stream.color,
  }
}

/** The rate of the clock and that of the frames differ where frames do not come evenly. */
const isVariable = ({ frameRate, averageFrameRate }: StreamFacts): boolean | undefined =>
  frameRate === undefined || averageFrameRate === undefined
    ? undefined
    : Math.abs(frameRate - averageFrameRate) / frameRate > 0.01
