import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { decodePictures, type MagickFormat } from '../../engines/magick.ts'
import type { PictureInput } from '../../engines/sharp.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'
import { readFacts } from './facts.ts'
import type { ImageKind } from './kinds.ts'
import { whileDecoding } from './while-decoding.ts'

const FORMATS: Partial<Record<ImageKind, MagickFormat>> = {
  heif: 'HEIC',
  bmp: 'BMP',
  psd: 'PSD',
  jp2: 'JP2',
  j2k: 'J2K',
  jxl: 'JXL',
}
/** The file itself is held in memory, twice. */
const MAX_BYTES = 256 * 1_048_576

/** Whether sharp needs the help of ImageMagick with this kind. */
export const isMagickKind = (kind: ImageKind): boolean => FORMATS[kind] !== undefined

/** Decodes some of the pictures in a file into files that sharp reads. */
export const decodeByMagick = async (
  source: Source,
  context: Context,
  { first, count, name }: { first: number; count: number; name: string },
): Promise<string[]> => {
  const { kind } = await readFacts(source, context)
  const format = FORMATS[kind]
  if (!format) throw new Error(`${kind} is not decoded by ImageMagick`)
  if (source.bytes > MAX_BYTES) throw overLimit('imageBytes', MAX_BYTES)
  const target = join(context.scratch, `${name}-`)
  const decoding = decodePictures({ path: source.path, format }, { first, count, target }, context)
  const pictures = await whileDecoding(context, () => decoding)
  return pictures.flatMap(({ file }) => (file === undefined ? [] : [file]))
}

/** The primary picture of a file, decoded once for all that ask for it. */
export const readPrimaryByMagick = perSource(async (source: Source, context: Context): Promise<PictureInput> => {
  const [file] = await decodeByMagick(source, context, { first: 0, count: 1, name: 'primary' })
  if (file === undefined) throw new JobFailure('extract.source_unreadable')
  return { input: file }
})
