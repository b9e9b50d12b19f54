import type { Context, OptionValue, Source } from '../../core/catalog.ts'
import { openPdf } from './repair.ts'

/** Counts the pages; a file that no engine can open fails here, before anything is charged. */
export const probe = async (
  source: Source,
  context: Context,
  shared: Readonly<Record<string, OptionValue>> = {},
): Promise<{ pages: number }> => {
  const { password = '' } = shared
  const { pageCount } = await openPdf(source, String(password), context)
  return { pages: pageCount }
}
