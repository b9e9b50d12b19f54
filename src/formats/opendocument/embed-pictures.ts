import type { Context, Source } from '../../core/catalog.ts'
import type { DocumentImage } from '../shared/document/model.ts'
import { withPictures } from './media.ts'
import { readOdf } from './reader/read-document.ts'

const MAX_EMBEDDED_BYTES = 8 * 1_048_576
const MAX_TOTAL_BYTES = 64 * 1_048_576
const SHOWN_BY_BROWSERS = /^image\/(?:png|jpeg|gif|webp|bmp|svg\+xml|avif)$/

/** Reads images so that they can stand in the markdown itself; gives what finds them. */
export const embedPictures = async (
  source: Source,
  password: string,
  images: readonly DocumentImage[],
  context: Context,
): Promise<(image: DocumentImage) => string | undefined> => {
  const wanted = new Set(images.map(({ id }) => id))
  const found = new Map<string, string>()
  let totalBytes = 0
  let leftOut = 0
  const odf = await readOdf(source, context, password)
  const embedded = withPictures(source, password, odf, context, async function* (pictures, read) {
    for (const picture of pictures.filter(({ part }) => wanted.has(part))) {
      const { part, mediaType, bytes } = picture
      if (bytes > MAX_EMBEDDED_BYTES || totalBytes + bytes > MAX_TOTAL_BYTES || !SHOWN_BY_BROWSERS.test(mediaType)) {
        leftOut++
        continue
      }
      totalBytes += bytes
      yield [part, `data:${mediaType};base64,${(await read(picture)).toString('base64')}`] as const
    }
  })
  for await (const [part, address] of embedded) {
    found.set(part, address)
    context.progress(0.9)
  }
  if (leftOut > 0) {
    context.warn(
      'opendocument.images_not_embedded',
      `${leftOut} images are too large, or of a kind that browsers do not show.`,
    )
  }
  return ({ id, url }) => found.get(id) ?? url
}
