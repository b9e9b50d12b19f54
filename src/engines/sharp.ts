import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { JobFailure } from '../core/errors.ts'

export type { Metadata, Sharp } from 'sharp'

/** Pictures above this are refused before they are decoded. */
export const MAX_PIXELS = 100_000_000

const TIMEOUT_SECONDS = 120

/** A picture that sharp can open: a file, the bytes of one, or bare pixels, and how to read them. */
export type PictureInput = {
  input: string | Uint8Array
  options?: Pick<SharpOptions, 'page' | 'pages' | 'density' | 'raw'>
}

/** `strict` fails on damage, `lenient` gives what can be decoded. */
export type Tolerance = 'strict' | 'lenient'

/** The loaders of libvips that uploads may reach; all others are shut. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'].map((name) => `VipsForeignLoad${name}`)

const load = async () => {
  const { default: sharp } = await import('sharp')
  // The parent counts jobs, not threads; and a cache would keep one job's pictures for the next.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
let loading: ReturnType<typeof load> | undefined

/** The library, set up for uploads of strangers. */
export const loadSharp = (): ReturnType<typeof load> => {
  loading ??= load()
  return loading
}

/** Opens a picture; nothing is decoded yet. */
export const openPicture = async (
  { input, options }: PictureInput,
  tolerance: Tolerance = 'strict',
): Promise<Sharp> => {
  const sharp = await loadSharp()
  return sharp(input, {
    ...options,
    limitInputPixels: MAX_PIXELS,
    failOn: tolerance === 'strict' ? 'error' : 'none',
  }).timeout({ seconds: TIMEOUT_SECONDS })
}

/** What the header of a picture says. `anySize`: of a drawing, which is not as large as it says until it is rendered. */
export const readHeader = async ({ input, options }: PictureInput, anySize = false): Promise<Metadata> => {
  const sharp = await loadSharp()
  try {
    return await sharp(input, {
      ...options,
      limitInputPixels: anySize ? false : MAX_PIXELS,
      failOn: 'none',
    }).metadata()
  } catch (error) {
    throw toImageFailure(error)
  }
}

/** The failure that an error of sharp stands for. */
export const toImageFailure = (error: unknown): unknown => {
  // Only sharp's own errors are plain ones; a wrong call shows itself by its type.
  if (!(error instanceof Error) || error.constructor !== Error) return error
  if (/pixel limit/i.test(error.message)) {
    return new JobFailure('extract.limit_exceeded', { limit: 'pixels', maximum: MAX_PIXELS }, { cause: error })
  }
  if (/out of memory|memory allocation|unable to allocate|malloc/i.test(error.message)) {
    return new JobFailure('extract.limit_exceeded', { limit: 'memory' }, { cause: error })
  }
  if (/^timeout: /m.test(error.message)) {
    const limit = { limit: 'decode_seconds', allowed: TIMEOUT_SECONDS }
    return new JobFailure('extract.timed_out', limit, { cause: error })
  }
  return new JobFailure('extract.source_unreadable', {}, { cause: error })
}
