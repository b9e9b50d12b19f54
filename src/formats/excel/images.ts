import { type Context, defineCapability } from '../../core/catalog.ts'
import { passwordOption } from '../shared/password-option.ts'
import { nameImages } from './image-names.ts'
import { loadWorkbook } from './load-workbook.ts'
import { isDamage, type Picture } from './workbook.ts'

/** Pictures of the sheets as they lie in the file, named by the cell they are anchored to. */
export const images = defineCapability({
  id: 'excel.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Embedded pictures as they are, named by sheet and cell; those that no sheet shows too.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const all = [...nameImages(await loadWorkbook(source, context, password)).values()].flat()
    if (all.length === 0) context.warn('excel.no_images', 'The workbook holds no pictures.')
    for (const [index, { path, picture, sheet }] of all.entries()) {
      const data = await readPicture(picture, context)
      context.progress((index + 1) / all.length)
      if (!data) continue
      const provenance = { part: picture.part, ...(sheet === undefined ? {} : { sheet }) }
      yield { path, mediaType: picture.mediaType, provenance, data }
    }
  },
})

/** Pictures above this are passed on as they come. */
const WHOLE_UP_TO_BYTES = 32 * 1024 ** 2

/** Reads a picture to its end before it becomes a part of the result: a damaged one must not take the others with it. */
const readPicture = async (
  picture: Picture,
  context: Context,
): Promise<Uint8Array | AsyncIterable<Uint8Array> | undefined> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of picture.read()) {
      context.signal.throwIfAborted()
      pieces.push(piece)
      bytes += piece.length
      if (bytes > WHOLE_UP_TO_BYTES) return picture.read()
    }
    return Buffer.concat(pieces)
  } catch (error) {
    if (!isDamage(error)) throw error
    context.warn('excel.image_damaged', `The picture ${picture.part} is damaged.`)
    return undefined
  }
}
