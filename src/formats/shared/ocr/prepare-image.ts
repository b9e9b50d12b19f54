import { writeFile } from 'node:fs/promises'
import { JobFailure } from '../../../core/errors.ts'
import type { Picture } from '../../../engines/pp-ocr/picture.ts'
import { openPicture, readHeader, type Sharp, toImageFailure } from '../../../engines/sharp.ts'
import { evenLight, measureGrain } from './even-light.ts'
import { findSkewDegrees, type GreyPicture, SKEW_PICTURE_SIDE } from './find-skew.ts'
import type { OcrImage } from './recognized.ts'

/** How an image is made ready for reading. Pixels are those of the image as its EXIF orientation shows it. */
export type Preparation = {
  path: string
  width: number
  height: number
  /** What transparent parts are laid on: the contrary of what is drawn. */
  paper: 'white' | 'black'
  /** Light letters on a dark ground. */
  isNegative: boolean
  skewDegrees: number
  /** Prepared pixels for each pixel of the image. */
  scale: number
  /** Of the image as it is prepared, where it is known. */
  dpi?: number
  /** Nothing is drawn on it. */
  isBlank: boolean
}

/** Larger images are refused: each pixel takes several bytes in several places. */
const MAX_PIXELS = 50_000_000
/** More pixels than these on a page make letters larger, not clearer. */
const MAX_READ_PIXELS = 20_000_000
/** A smaller lean does no harm, and turning blurs. */
const MIN_SKEW_DEGREES = 0.3
/** What cameras and programs write when they know nothing. */
const MIN_CREDIBLE_DPI = 100
/** A picture whose middle grey is darker is a negative. */
const DARK = 100
/** Paper differs from itself by less. */
const MIN_INK_CONTRAST = 16

/** Looks at an image and decides how to prepare it. */
export const surveyImage = async ({ path, dpi }: OcrImage): Promise<Preparation> => {
  const header = await readHeader({ input: path })
  const isOnSide = (header.orientation ?? 1) >= 5
  const width = (isOnSide ? header.height : header.width) ?? 0
  const height = (isOnSide ? header.width : header.height) ?? 0
  if (width * height > MAX_PIXELS) {
    throw new JobFailure('extract.limit_exceeded', { limit: 'pixels', maximum: MAX_PIXELS })
  }
  const paper = header.hasAlpha ? await findPaper(path) : 'white'
  const small = await drawSmall(path, paper)
  const { middle, range } = measureGreys(small)
  const scale = Math.min(1, Math.sqrt(MAX_READ_PIXELS / (width * height)))
  const skewDegrees = findSkewDegrees(small)
  return {
    path,
    width,
    height,
    paper,
    isNegative: middle < DARK,
    skewDegrees: Math.abs(skewDegrees) < MIN_SKEW_DEGREES ? 0 : skewDegrees,
    scale,
    ...(dpi && dpi >= MIN_CREDIBLE_DPI ? { dpi: dpi * scale } : {}),
    isBlank: range < MIN_INK_CONTRAST,
  }
}

/** What is drawn on nothing tells what it was meant to stand on. */
const findPaper = async (path: string): Promise<'white' | 'black'> => {
  const { data, info } = await decode(
    (await open(path)).resize(SKEW_PICTURE_SIDE, SKEW_PICTURE_SIDE, { fit: 'inside', withoutEnlargement: true }),
  )
  let drawn = 0
  let light = 0
  for (let i = 0; i < data.length; i += info.channels) {
    const opacity = (data[i + info.channels - 1] ?? 0) / 255
    drawn += opacity
    light += (opacity * (data[i] ?? 0)) / 255
  }
  return light > drawn * LIGHT_SHARE ? 'black' : 'white'
}
const LIGHT_SHARE = 0.7

const drawSmall = async (path: string, paper: Preparation['paper']): Promise<GreyPicture> => {
  const { data, info } = await decode(
    (await open(path))
      .flatten({ background: paper })
      .resize(SKEW_PICTURE_SIDE, SKEW_PICTURE_SIDE, { fit: 'inside', withoutEnlargement: true })
      .greyscale(),
  )
  return { width: info.width, height: info.height, data }
}

const measureGreys = ({ data }: GreyPicture): { middle: number; range: number } => {
  const counts = new Uint32Array(256)
  for (const grey of data) counts[grey] = (counts[grey] ?? 0) + 1
  let below = 0
  const middle = counts.findIndex((count) => {
    below += count
    return below > data.length / 2
  })
  const darkest = counts.findIndex((count) => count > 0)
  const lightest = counts.findLastIndex((count) => count > 0)
  return { middle, range: lightest - darkest }
}

/** The image in shades of grey, dark on light, straight, evenly lit and without grain, where Tesseract can read it. */
export const writePrepared = async (
  preparation: Preparation,
  path: string,
): Promise<{ width: number; height: number }> => {
  const { data, info } = await decode((await straighten(preparation)).greyscale())
  const drawn = { width: info.width, height: info.height, data }
  const even = evenLight(drawn)
  const clean = measureGrain(drawn) < MIN_GRAIN ? even.data : await blur(even)
  await writeFile(path, [Buffer.from(`P5\n${info.width} ${info.height}\n255\n`), clean])
  return { width: info.width, height: info.height }
}

/** Grain of a camera in bad light; scans and screens have less. */
const MIN_GRAIN = 3
const BLUR_SIGMA = 1

const blur = async ({ width, height, data }: GreyPicture): Promise<Uint8Array> => {
  const picture = await openPicture({ input: data, options: { raw: { width, height, channels: 1 } } })
  return (await decode(picture.blur(BLUR_SIGMA).toColourspace('b-w'))).data
}

/** The image in colour, dark on light and straight. */
export const drawPrepared = async (preparation: Preparation): Promise<Picture> => {
  const { data, info } = await decode((await straighten(preparation)).toColourspace('srgb'))
  if (info.channels === 3) return { width: info.width, height: info.height, data }
  const colour = new Uint8Array(info.width * info.height * 3)
  for (let i = 0; i < info.width * info.height; i++) colour.fill(data[i * info.channels] ?? 0, i * 3, i * 3 + 3)
  return { width: info.width, height: info.height, data: colour }
}

const straighten = async ({ path, width, paper, isNegative, skewDegrees, scale }: Preparation): Promise<Sharp> => {
  let picture = (await open(path)).flatten({ background: paper })
  if (isNegative) picture = picture.negate({ alpha: false })
  if (scale !== 1) picture = picture.resize({ width: Math.max(1, Math.round(width * scale)), kernel: 'cubic' })
  if (skewDegrees === 0) return picture
  // sharp turns before it scales, whatever the order of the calls; so what is scaled is taken as a new picture.
  const { data, info } = await decode(picture)
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const scaled = await openPicture({ input: data, options: { raw } })
  return scaled.rotate(-skewDegrees, { background: 'white' })
}

const open = async (path: string): Promise<Sharp> => (await openPicture({ input: path }, 'lenient')).autoOrient()

const decode = async (picture: Sharp) => {
  try {
    return await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw toImageFailure(error)
  }
}
