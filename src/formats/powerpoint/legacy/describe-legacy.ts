import type { Source } from '../../../core/catalog.ts'
import { openCompoundFile } from '../../shared/ole/compound-file.ts'
import { readSummary } from '../../shared/ole/property-set.ts'
import type { Origin } from '../../shared/ooxml/describe-package.ts'
import { detectKind } from './detect-kind.ts'

/** What an old file says of itself, which the conversion does not keep; undefined for a file that is read as it is. */
export const describeLegacy = async (source: Source): Promise<Origin | undefined> => {
  const found = await detectKind(source)
  if (found.kind === 'pptx') return undefined
  if (found.kind !== 'ppt') return { macros: false }
  const file = openCompoundFile(source.path)
  try {
    return { properties: await readSummary(file), macros: found.facts.hasMacros }
  } finally {
    file.close()
  }
}
