import type { Context, Source } from '../../core/catalog.ts'
import { isCutOff } from './cut-off.ts'
import { readFacts } from './facts.ts'
import { readDrawing } from './svg.ts'
import { warnDamaged } from './warnings.ts'

/** Says what is missing from the pictures of a file without any decoder telling so. */
export const warnShortcomings = async (source: Source, context: Context): Promise<void> => {
  const { kind } = await readFacts(source, context)
  if (kind === 'svg' && (await readDrawing(source, context)).refersOutside) {
    context.warn('image.reference_not_loaded', 'The drawing refers to other files, which are not loaded.')
  }
  if (await isCutOff(source, context)) warnDamaged(context)
}
