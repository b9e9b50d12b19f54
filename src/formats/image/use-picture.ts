import type { Context } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { openPicture, type PictureInput, type Sharp, toImageFailure } from '../../engines/sharp.ts'
import { warnDamaged } from './warnings.ts'
import { whileDecoding } from './while-decoding.ts'

/** Works on a picture. Of a damaged one what can be decoded is used, with a warning. */
export const usePicture = async <T>(
  picture: PictureInput,
  context: Context,
  use: (image: Sharp) => Promise<T>,
): Promise<T> => {
  context.signal.throwIfAborted()
  try {
    return await whileDecoding(context, async () => use(await openPicture(picture)))
  } catch (error) {
    const failure = toImageFailure(error)
    if (!(failure instanceof JobFailure) || failure.code !== 'extract.source_unreadable') throw failure
  }
  try {
    const { channels } = await whileDecoding(context, async () => (await openPicture(picture, 'lenient')).stats())
    // Where nothing could be decoded, decoders still give a picture: an even one.
    if (channels.every(({ min, max }) => min === max)) throw new JobFailure('extract.source_unreadable')
    const result = await whileDecoding(context, async () => use(await openPicture(picture, 'lenient')))
    warnDamaged(context)
    return result
  } catch (error) {
    throw toImageFailure(error)
  }
}
