import { MAX_FRAME_PIXELS } from '../../engines/ffmpeg.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import type { Media } from '../shared/media/read-media.ts'

/** The film of a file: its default or first video track that is not a cover. */
export const findFilm = ({ streams }: Media): StreamFacts | undefined => {
  const films = streams.filter(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture)
  return films.find(({ isDefault }) => isDefault) ?? films[0]
}

export type Size = { width: number; height: number }

/** Why no picture of a film can be had; undefined where one can. */
export const pictureProblem = (film: StreamFacts): { code: string; detail: string } | undefined => {
  const { width = 0, height = 0, codec } = film
  if (codec === 'unknown') {
    return { code: 'video.codec_unknown', detail: 'No decoder knows the codec of the film, or it is encrypted.' }
  }
  // The engine does not tell the size of frames that it may not decode.
  if (width * height === 0 || width * height > MAX_FRAME_PIXELS) {
    const detail = `The size of the frames is not known, or over the limit of ${MAX_FRAME_PIXELS} pixels.`
    return { code: 'video.frame_size', detail }
  }
  return undefined
}

/** The size of the picture as it is shown: square pixels, upright; `wantedWidth` 0 keeps all its pixels. */
export const shownSize = (film: StreamFacts, wantedWidth = 0): Size => {
  const { width = 0, height = 0, rotation = 0 } = film
  const aspect = saneAspect(film.sampleAspect)
  const wide = { width: width * Math.max(1, aspect), height: height / Math.min(1, aspect) }
  const upright = rotation % 180 === 0 ? wide : { width: wide.height, height: wide.width }
  const scale = wantedWidth > 0 && upright.width > 0 ? Math.min(1, wantedWidth / upright.width) : 1
  const round = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  return { width: round(upright.width), height: round(upright.height) }
}

const MAX_ASPECT = 8

/** A pixel aspect beyond belief is none. */
const saneAspect = (aspect = 1): number => (aspect > MAX_ASPECT || aspect < 1 / MAX_ASPECT ? 1 : aspect)

const TURNS: Readonly<Record<number, readonly string[]>> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
}

/** What a player without high dynamic range would show: light brought down by a curve, colours to BT.709. */
const TONE_MAPPING = [
  ...['zscale=transfer=linear:npl=100', 'format=gbrpf32le', 'zscale=primaries=bt709', 'tonemap=hable:desat=0'],
  ...['zscale=transfer=bt709:matrix=bt709:range=tv', 'format=yuv444p'],
]

/** Above this height a film that does not name its colours has those of high definition. */
const STANDARD_DEFINITION_LINES = 576

/** What most films are: eight or ten bits, half the colours, limited range. */
const USUAL_FORMATS: ReadonlySet<string> = new Set(['yuv420p', 'yuv420p10le'])

/** Colours of a film in the words of the filter that turns one kind into another. */
const SPACES: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  bt470bg: 'smpte170m',
  smpte170m: 'smpte170m',
}

/**
 * Filters from a decoded frame to the picture as it is shown. They stand after the choice of frames, so that nothing
 * is turned or scaled that is thrown away; the size is fixed, whatever the film changes to on its way. Colours become
 * those that every viewer expects of a JPEG: BT.601, full range.
 */
export const pictureFilters = (film: StreamFacts, size: Size): string[] => {
  const { color = {}, fieldOrder, rotation = 0, isFlipped = false } = film
  const isMapped = (color.hdr === 'hdr10' || color.hdr === 'hlg') && color.space?.startsWith('bt2020') === true
  const isInterlaced = fieldOrder !== undefined && fieldOrder !== 'progressive'
  return [
    ...(isInterlaced ? ['estdif=mode=frame:deint=interlaced'] : []),
    ...(isMapped ? TONE_MAPPING : []),
    ...(isFlipped ? ['hflip'] : []),
    ...(TURNS[rotation] ?? []),
    ...(isMapped ? scaleFilters(size, 'bt709') : toJpegColors(film, size)),
    'setsar=1',
  ]
}

const toJpegColors = (film: StreamFacts, size: Size): string[] => {
  const { color = {}, pixelFormat = '', height = 0 } = film
  const space = color.space ?? (height > STANDARD_DEFINITION_LINES ? 'bt709' : 'smpte170m')
  const known = SPACES[space]
  const isEven = size.width % 2 === 0 && size.height % 2 === 0
  if (known === undefined || !isEven || !USUAL_FORMATS.has(pixelFormat) || color.range === 'pc') {
    return scaleFilters(size, known)
  }
  // The scaler would go through RGB for this, at seven times the cost.
  const from = `ispace=${known}:itrc=bt709:iprimaries=bt709:irange=tv`
  return [
    `scale=${size.width}:${size.height}:flags=bicubic`,
    `colorspace=${from}:space=smpte170m:trc=bt709:primaries=bt709:range=pc:format=yuv420p:fast=1`,
  ]
}

const scaleFilters = ({ width, height }: Size, space: string | undefined): string[] => [
  `scale=${width}:${height}:flags=bicubic:${space ? `in_color_matrix=${space}:` : ''}out_color_matrix=bt601:out_range=full`,
]
