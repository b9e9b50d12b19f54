import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { PAGE_RANGE_PATTERN, parsePageRange } from './page-range.ts'

/** Which pages a capability reads. */
export const pagesOption = {
  type: 'string',
  defaultValue: '',
  maxLength: 500,
  pattern: PAGE_RANGE_PATTERN,
  shared: true,
  detail: 'Pages and ranges of pages: `1-3,7,20-`. All unless told.',
} as const

/** The numbers that a page range names, in order, each once; warns of what is outside the file, fails where all of it is. */
export const selectPages = (range: string, pageCount: number, context: Context, family: string): number[] => {
  const { numbers, goesBeyond } = parsePageRange(range, pageCount)
  if (numbers.length === 0) throw new JobFailure('extract.output_empty', { pages: range, pageCount })
  if (goesBeyond)
    context.warn(`${family}.pages_outside`, `The page range goes beyond the ${pageCount} pages of the file.`)
  return numbers
}
