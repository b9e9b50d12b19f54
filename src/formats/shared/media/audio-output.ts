import type { StreamFacts } from '../../../engines/ffprobe.ts'
import type { AudioTarget } from './audio-encoders.ts'
import type { Media } from './read-media.ts'

/** What goes along with the sound. */
export type Extras = { cover: boolean; chapters: boolean }
export const ALL_EXTRAS: Extras = { cover: true, chapters: true }
export const NO_EXTRAS: Extras = { cover: false, chapters: false }

/** More chapters than this are a mistake or an attack; what would carry them would not be played. */
const MAX_CHAPTERS = 1_000
const SLACK_SECONDS = 1
/** Tags that are true of the file they were in, not of the sound. */
const ABOUT_THE_CONTAINER = /^(?:major_brand|minor_version|compatible_brands|id3v2_priv\..*)$/

/** A stretch of the input. */
export type Stretch = { fromSeconds: number; lengthSeconds: number }

/** Arguments of one output of ffmpeg with one track, or a stretch of it, up to the name of the file. */
export const outputArgs = (
  media: Media,
  stream: StreamFacts,
  target: AudioTarget,
  extras: Extras,
  stretch?: Stretch,
): string[] => {
  const cover = extras.cover && target.container.takesCover ? findCover(media) : undefined
  const hasChapters = extras.chapters && media.chapters.length > 0 && media.chapters.length <= MAX_CHAPTERS
  return [
    ...stretchArgs(media, target, stretch),
    ...['-map', `0:${stream.index}`],
    ...(cover ? ['-map', `0:${cover.index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] : []),
    ...tagArgs(media, stream, target),
    ...['-map_chapters', hasChapters ? '0' : '-1'],
    ...target.codecArgs,
    ...(target.isCopy ? copyArgs(stream) : filterArgs(media, target)),
    // Without it some containers number their tracks at random.
    ...['-fflags', '+bitexact', '-flags:a', '+bitexact'],
    ...(target.container.more ?? []),
    ...['-f', target.container.muxer],
  ]
}

const findCover = ({ streams }: Media): StreamFacts | undefined =>
  streams.find(({ isAttachedPicture, width = 0 }) => isAttachedPicture && width > 0)

/** Tags of the file, and of the track where that is where the source or the target keeps them. */
const tagArgs = ({ container, tags }: Media, { index }: StreamFacts, { container: target }: AudioTarget): string[] => {
  const from = container === 'ogg' ? `0:s:${index}` : '0:g'
  const specifier = target.tagsOnTrack ? ':s:a:0' : ''
  const dropped = Object.keys(tags).filter((name) => ABOUT_THE_CONTAINER.test(name))
  return [
    ...[`-map_metadata${specifier}`, from, ...(target.tagsOnTrack ? ['-map_metadata', '-1'] : [])],
    ...dropped.flatMap((name) => [`-metadata${specifier}`, `${name}=`]),
  ]
}

/** A track that starts late starts at once in a file of its own; one that starts early has reason to: encoder delay. */
const copyArgs = ({ startSeconds = 0 }: StreamFacts): string[] =>
  startSeconds > 0 ? ['-avoid_negative_ts', 'make_zero'] : []

/** Where a film goes on beside it, a gap in the sound is silence; elsewhere it is a mistake, or an attack. */
const fillsGaps = ({ streams }: Media): boolean =>
  streams.some(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture)

/** A gap of a century must not become a century of silence: what is written is no longer than what was measured. */
const stretchArgs = (media: Media, { isCopy }: AudioTarget, stretch: Stretch | undefined): string[] => {
  if (stretch) return ['-ss', stretch.fromSeconds.toFixed(6), '-t', stretch.lengthSeconds.toFixed(6)]
  return isCopy || !fillsGaps(media) ? [] : ['-t', (media.durationSeconds + SLACK_SECONDS).toFixed(3)]
}

/** Filters that make one unbroken track from its first sample on. */
const filterArgs = (media: Media, { filters }: AudioTarget): string[] => {
  const gaps = fillsGaps(media) ? ['aresample=async=1:min_hard_comp=0.1'] : []
  return ['-af', [...gaps, ...filters, 'asetpts=N/SR/TB'].join(',')]
}
