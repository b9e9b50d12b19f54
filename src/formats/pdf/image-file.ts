import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawPage, type Rendering } from '../../engines/liteparse.ts'
import { type EmbeddedImage, type ImageInventory, MAX_PACKED_BYTES } from './image-inventory.ts'
import { type PdfObjects, type PdfValue, toName, toNumber } from './objects.ts'
import { type Color, type Picture, writePicturePdf } from './picture-pdf.ts'
import { listFilters, unpack } from './stream-filters.ts'

/** What became of an image: a file, or why there is none. */
export type ImageOutcome =
  | { file: string; width: number; height: number; reduced: boolean }
  | 'unreadable'
  | 'too_large'

const MAX_PIXELS = 50_000_000
const MAX_SIDE_PIXELS = 30_000
/** Three rasters of it are held at once. */
const MAX_MASKED_PIXELS = 16_000_000
/** More than this is not even decoded to be made smaller. */
const MAX_DECODED_BYTES = 512 * 1_048_576
const POINTS_PER_INCH = 72
const WHITE: Color = [255, 255, 255]
const BLACK: Color = [0, 0, 0]
/** Hardly the colour of a whole picture: where it is all that there is, nothing was drawn. */
const UNLIKELY: Color = [254, 1, 253]

/** Writes an image to a file: as it is where its format allows, else as PNG. */
export const writeImage = async (
  image: EmbeddedImage,
  { objects, folder }: ImageInventory,
  target: string,
): Promise<ImageOutcome> => {
  const readStream = (number: number) => readFile(join(folder, `data-${number}`)).catch(() => undefined)
  const raw = typeof image.data === 'number' ? await readStream(image.data) : image.data
  if (!raw) return 'unreadable'
  const { width, height } = image
  try {
    if (image.format !== 'png') {
      const filters = listFilters(objects, image.dict).slice(0, -1)
      await writeFile(target, unpack(raw, filters, MAX_PACKED_BYTES).data)
      return { file: target, width, height, reduced: false }
    }
    return await decode(image, { objects, dict: image.dict, data: raw, readStream }, target)
  } catch {
    return 'unreadable'
  }
}

const decode = async (image: EmbeddedImage, picture: Picture, target: string): Promise<ImageOutcome> => {
  const { objects, dict } = picture
  const masks = [dict['/SMask'], dict['/Mask']]
    .filter((mask) => objects.isStream(mask))
    .map((mask) => objects.dict(mask))
  const layers = [dict, ...masks]
  if (layers.some((layer) => decodedBytes(objects, layer) > MAX_DECODED_BYTES)) return 'too_large'
  const sides = layers.map((layer) => ({
    width: toNumber(objects.resolve(layer['/Width'])) ?? 1,
    height: toNumber(objects.resolve(layer['/Height'])) ?? 1,
  }))
  const isMasked = dict['/SMask'] !== undefined || dict['/Mask'] !== undefined || dict['/SMaskInData'] !== undefined
  const full = {
    width: Math.max(...sides.map((side) => side.width)),
    height: Math.max(...sides.map((side) => side.height)),
  }
  const maxPixels = isMasked ? MAX_MASKED_PIXELS : MAX_PIXELS
  const longest = Math.max(full.width, full.height)
  const scale = Math.min(1, Math.sqrt(maxPixels / (full.width * full.height)), MAX_SIDE_PIXELS / longest)
  const size = {
    width: Math.max(1, Math.floor(full.width * scale)),
    height: Math.max(1, Math.floor(full.height * scale)),
  }
  const done = isMasked
    ? await drawMasked(picture, size, target)
    : await drawPlain(picture, size, target, image.isStencil ? WHITE : UNLIKELY)
  return done ? { file: target, ...size, reduced: scale < 1 } : 'unreadable'
}

const decodedBytes = (objects: PdfObjects, dict: Picture['dict']): number => {
  const width = toNumber(objects.resolve(dict['/Width'])) ?? 0
  const height = toNumber(objects.resolve(dict['/Height'])) ?? 0
  const isStencil = objects.resolve(dict['/ImageMask']) === true
  const bits = isStencil ? 1 : (toNumber(objects.resolve(dict['/BitsPerComponent'])) ?? 8)
  return (width * height * bits * (isStencil ? 1 : countComponents(objects, dict['/ColorSpace']))) / 8
}

const countComponents = (objects: PdfObjects, value: PdfValue | undefined): number => {
  const space = objects.resolve(value)
  const name = toName(Array.isArray(space) ? objects.resolve(space[0]) : space)
  if (name === 'DeviceGray' || name === 'CalGray' || name === 'Indexed' || name === 'Separation') return 1
  if (name === 'DeviceCMYK') return 4
  if (name === 'ICCBased' && Array.isArray(space)) return toNumber(objects.resolve(objects.dict(space[1])['/N'])) ?? 3
  if (name === 'DeviceN' && Array.isArray(space)) return Math.max(1, objects.array(space[1]).length)
  return 3
}

type Size = { width: number; height: number }

const drawPlain = async (picture: Picture, size: Size, target: string, background: Color): Promise<boolean> => {
  const { png, isSolid } = await draw(picture, size, background, target)
  if (isSolid && background === UNLIKELY && (await startsWith(png, background))) return false
  const { default: sharp } = await import('sharp')
  const image = sharp(png, { limitInputPixels: MAX_PIXELS }).removeAlpha()
  const space = picture.objects.resolve(picture.dict['/ColorSpace'])
  const isGray = background === WHITE || toName(space) === 'DeviceGray' || toName(space) === 'CalGray'
  const bits = background === WHITE ? 1 : toNumber(picture.objects.resolve(picture.dict['/BitsPerComponent']))
  if (isGray) image.toColourspace('b-w')
  await image.png(isGray && bits === 1 ? { palette: true, colours: 2, dither: 0 } : {}).toFile(target)
  return true
}

const startsWith = async (png: Buffer, color: Color): Promise<boolean> => {
  const { default: sharp } = await import('sharp')
  const corner = sharp(png, { limitInputPixels: MAX_PIXELS })
    .removeAlpha()
    .extract({ left: 0, top: 0, width: 1, height: 1 })
  return (await corner.raw().toBuffer()).equals(Buffer.from(color))
}

/** Drawn on white and on black, a picture shows how much of the ground each pixel lets through. */
const drawMasked = async (picture: Picture, size: Size, target: string): Promise<boolean> => {
  const { default: sharp } = await import('sharp')
  const read = async (background: Color): Promise<Buffer> =>
    await sharp((await draw(picture, size, background, target)).png, { limitInputPixels: MAX_PIXELS })
      .removeAlpha()
      .raw()
      .toBuffer()
  const onWhite = await read(WHITE)
  const onBlack = await read(BLACK)
  const pixels = size.width * size.height
  const output = Buffer.alloc(pixels * 4)
  for (let from = 0, to = 0; to < output.length; from += 3, to += 4) {
    let through = 0
    for (let i = 0; i < 3; i++) through += (onWhite[from + i] ?? 0) - (onBlack[from + i] ?? 0)
    const alpha = Math.min(255, Math.max(0, 255 - Math.round(through / 3)))
    if (alpha === 0) continue
    for (let i = 0; i < 3; i++) output[to + i] = Math.min(255, Math.round(((onBlack[from + i] ?? 0) * 255) / alpha))
    output[to + 3] = alpha
  }
  await sharp(output, { raw: { ...size, channels: 4 } })
    .png()
    .toFile(target)
  return true
}

const draw = async (picture: Picture, size: Size, background: Color, target: string): Promise<Rendering> => {
  const path = `${target}.pdf`
  await writeFile(path, await writePicturePdf(picture, size, background))
  try {
    const drawn = await drawPage({ path, password: '' }, 1, POINTS_PER_INCH)
    if (!drawn) throw new Error('a picture that cannot be drawn')
    return drawn
  } finally {
    await rm(path)
  }
}
