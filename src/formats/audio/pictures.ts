import type { Context, Source } from '../../core/catalog.ts'
import { detectSignature } from '../../core/signatures.ts'
import { readHeader } from '../../engines/sharp.ts'
import { perSource } from '../shared/per-source.ts'
import { attachedPictures } from './attached-pictures.ts'
import { readTags } from './read-tags.ts'
import type { Picture } from './tags.ts'

/** A picture of the file with what it really is. */
export type CoverPicture = Picture & {
  extension: string
  /** Unknown where it is damaged or of a kind that is not read here. */
  width?: number
  height?: number
}

/** Kinds of pictures by their first bytes; `riff` can only be WebP here. */
const KINDS: Readonly<Record<string, { extension: string; mediaType: string }>> = {
  jpeg: { extension: 'jpg', mediaType: 'image/jpeg' },
  png: { extension: 'png', mediaType: 'image/png' },
  gif: { extension: 'gif', mediaType: 'image/gif' },
  tiff: { extension: 'tiff', mediaType: 'image/tiff' },
  riff: { extension: 'webp', mediaType: 'image/webp' },
  isobmff: { extension: 'heic', mediaType: 'image/heic' },
  bmp: { extension: 'bmp', mediaType: 'image/bmp' },
}

/** Every picture in a file, in its order. What is no picture, such as a link to one, is not among them. */
export const readPictures = perSource(async (source: Source, context: Context): Promise<CoverPicture[]> => {
  const { pictures } = await readTags(source, context)
  // The probe knows pictures of containers that the tag reader does not.
  const found = pictures.length > 0 ? pictures : await attachedPictures(source, context)
  return (await Promise.all(found.map(describe))).filter((picture) => picture !== undefined)
})

const describe = async (picture: Picture): Promise<CoverPicture | undefined> => {
  const { data } = picture
  const signature = data[0] === 0x42 && data[1] === 0x4d ? 'bmp' : detectSignature(data)
  const kind = KINDS[signature ?? '']
  if (!kind) return undefined
  // Only the header is read: a picture of any size costs the same.
  const size = await readHeader({ input: data }, true).catch(() => undefined)
  return { ...picture, ...kind, ...(size?.width && size.height ? { width: size.width, height: size.height } : {}) }
}
