import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { PictureInput } from '../../engines/sharp.ts'
import { readFirstOfSequence } from './avif-sequence.ts'
import { readFacts } from './facts.ts'
import { iconPicture, readIcon, sortLargestFirst } from './ico.ts'
import { isMagickKind, readPrimaryByMagick } from './magick-pictures.ts'
import { readDrawing } from './svg.ts'

/** The picture that stands for the whole file: first frame or page, largest size, primary picture. */
export const readMainPicture = async (source: Source, context: Context): Promise<PictureInput> => {
  const { kind } = await readFacts(source, context)
  if (kind === 'svg') return (await readDrawing(source, context)).picture
  if (kind === 'avifs') return await readFirstOfSequence(source, context)
  if (isMagickKind(kind)) return await readPrimaryByMagick(source, context)
  if (kind !== 'ico') return { input: source.path }
  const [picture] = sortLargestFirst(await readIcon(source, context)).flatMap((entry) => iconPicture(entry) ?? [])
  if (!picture) throw new JobFailure('extract.source_unreadable')
  return picture
}
