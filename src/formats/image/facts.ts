import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { describeSequence, type Sequence } from '../../engines/ffmpeg-frames.ts'
import { describePictures } from '../../engines/magick.ts'
import { MAX_PIXELS, type Metadata, readHeader } from '../../engines/sharp.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'
import { readLayout } from './apng.ts'
import { type HeaderFacts, readBmpHeader, readJpeg2000Header, readPsdHeader } from './headers.ts'
import { findShownPictures } from './heif-items.ts'
import { readIcon, sortLargestFirst } from './ico.ts'
import { detectKind, type ImageKind, readHead } from './kinds.ts'
import { readDrawing } from './svg.ts'

export type Animation = {
  frameDurationsSeconds: readonly number[]
  /** How often it is shown; 0 is for ever, undefined where the file does not say. */
  loops?: number
}

/** What is known of an image before a pixel is decoded. Sizes are those of the main picture, as it is stored. */
export type ImageFacts = {
  kind: ImageKind
  width: number
  height: number
  /** Frames of an animation, pages of a document, sizes of an icon, pictures of a collection. */
  frames: number
  /** The decoder's numbers of these pictures, where it also counts others. */
  pages?: readonly number[]
  animation?: Animation
  /** 1 to 8, as EXIF counts them. */
  orientation?: number
  hasAlpha?: boolean
  isGray?: boolean
  colorSpace?: string
  channels?: number
  bitsPerChannel?: number
  /** Pixels per inch. */
  density?: number
  isProgressive?: boolean
  isPalette?: boolean
}

/** Decoders that hold several copies of the whole picture take less of them. */
const MAX_HELD_PIXELS = 50_000_000

/** Finds out what an image is, by its content and not by its name; fails on what is not one, or is too large. */
export const readFacts = perSource(async (source: Source, context: Context): Promise<ImageFacts> => {
  const head = await readHead(source)
  const kind = detectKind(head)
  if (!kind) throw new JobFailure('extract.source_unreadable')
  const facts = await READERS[kind](source, context, head)
  if (!(facts.width > 0 && facts.height > 0)) throw new JobFailure('extract.source_unreadable')
  const isHeld = kind === 'avif' || kind === 'avifs' || (kind === 'png' && facts.animation !== undefined)
  const maxPixels = isHeld ? MAX_HELD_PIXELS : MAX_PIXELS
  if (kind !== 'svg' && facts.width * facts.height > maxPixels) throw overLimit('pixels', maxPixels)
  return { kind, ...facts }
})

/** The frames of an animated AVIF. */
export const readSequence = perSource(
  (source: Source, context: Context): Promise<Sequence> =>
    describeSequence(source.path, { ...context, maxPixels: MAX_PIXELS }),
)

type Found = Omit<ImageFacts, 'kind'>
type Reader = (source: Source, context: Context, head: Buffer) => Promise<Found>

const readBySharp: Reader = async (source) => toFacts(await readHeader({ input: source.path }))

const readHeif: Reader = async (source, _context, head) => {
  const facts = toFacts(await readHeader({ input: source.path }))
  const pages = findShownPictures(head)
  return pages && pages.length > 0 && pages.length < facts.frames ? { ...facts, frames: pages.length, pages } : facts
}

const toFacts = (header: Metadata): Found => ({
  width: header.width,
  height: header.height,
  frames: header.pages ?? 1,
  ...(header.delay && (header.pages ?? 1) > 1 ? { animation: toAnimation(header.delay, header.loop) } : {}),
  ...(header.orientation ? { orientation: header.orientation } : {}),
  hasAlpha: header.hasAlpha,
  isGray: header.space === 'b-w' || header.space === 'grey16',
  colorSpace: header.space,
  channels: header.channels,
  bitsPerChannel: header.bitsPerSample ?? BITS_OF_DEPTH[header.depth] ?? 8,
  ...(header.density ? { density: header.density } : {}),
  isProgressive: header.isProgressive,
  isPalette: header.isPalette,
})
const BITS_OF_DEPTH: Readonly<Record<string, number>> = { uchar: 8, char: 8, ushort: 16, short: 16, float: 32 }

const toAnimation = (delaysMs: readonly number[], loops: number | undefined): Animation => ({
  frameDurationsSeconds: delaysMs.map((delay) => delay / 1000),
  ...(loops === undefined ? {} : { loops }),
})

const readPng: Reader = async (source, context) => {
  const { frames, loops } = await readLayout(source, context)
  const facts = toFacts(await readHeader({ input: source.path }))
  if (frames.length === 0) return facts
  const frameDurationsSeconds = frames.map(({ durationSeconds }) => durationSeconds)
  return { ...facts, frames: frames.length, animation: { frameDurationsSeconds, loops } }
}

const readSvg: Reader = async (source, context) => {
  const { width, height } = await readDrawing(source, context)
  return { width, height, frames: 1, hasAlpha: true, colorSpace: 'srgb' }
}

const readAvifs: Reader = async (source, context) => {
  const { frameDurationsSeconds, ...sequence } = await readSequence(source, context)
  return { ...sequence, frames: frameDurationsSeconds.length, animation: { frameDurationsSeconds } }
}

const readIco: Reader = async (source, context) => {
  const entries = await readIcon(source, context)
  const [largest] = sortLargestFirst(entries)
  if (!largest) throw new JobFailure('extract.source_unreadable')
  const { width, height } = largest
  return { width, height, frames: entries.length, hasAlpha: true, colorSpace: 'srgb', bitsPerChannel: 8 }
}

const readJxl: Reader = async (source, context) => {
  const pictures = await describePictures({ path: source.path, format: 'JXL' }, context)
  const [first] = pictures
  if (!first) throw new JobFailure('extract.source_unreadable')
  const { width, height, hasAlpha, isGray, bitsPerChannel, loops } = first
  const frameDurationsSeconds = pictures.map(({ durationSeconds }) => durationSeconds)
  return {
    ...{ width, height, hasAlpha, isGray, bitsPerChannel, frames: pictures.length },
    ...(pictures.length > 1 ? { animation: { frameDurationsSeconds, loops } } : {}),
  }
}

/** Runs of a byte take at least two, whatever their length up to this. */
const MAX_PSD_RUN = 128

const readPsd: Reader = async (source, context, head) => {
  const facts = await readHeaderFacts(readPsdHeader)(source, context, head)
  const { width, height, bitsPerChannel = 8 } = facts
  // Far too short to hold what it says: not worth a decoder's memory.
  if ((width * height * bitsPerChannel) / 8 > (source.bytes * MAX_PSD_RUN) / 2) {
    throw new JobFailure('extract.source_unreadable')
  }
  return facts
}

const readHeaderFacts =
  (read: (head: Buffer) => HeaderFacts | undefined): Reader =>
  async (_source, _context, head) => {
    const found = read(head)
    if (!found) throw new JobFailure('extract.source_unreadable')
    return { frames: 1, ...found }
  }

const READERS: Readonly<Record<ImageKind, Reader>> = {
  jpeg: readBySharp,
  png: readPng,
  gif: readBySharp,
  webp: readBySharp,
  tiff: readBySharp,
  svg: readSvg,
  avif: readHeif,
  avifs: readAvifs,
  heif: readHeif,
  ico: readIco,
  bmp: readHeaderFacts(readBmpHeader),
  psd: readPsd,
  jp2: readHeaderFacts(readJpeg2000Header),
  j2k: readHeaderFacts(readJpeg2000Header),
  jxl: readJxl,
}
