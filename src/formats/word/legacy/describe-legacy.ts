import type { Source } from '../../../core/catalog.ts'
import { openCompoundFile } from '../../shared/ole/compound-file.ts'
import { readSummary } from '../../shared/ole/property-set.ts'
import type { Origin } from '../../shared/ooxml/describe-package.ts'
import { detectKind } from './detect-kind.ts'

/** What an old file says of itself, which the conversion does not keep; undefined for a file that is read as it is. */
export const describeLegacy = async (source: Source): Promise<Origin | undefined> => {
  const kind = await detectKind(source)
  if (kind === 'docx') return undefined
  if (kind !== 'doc') return { macros: false }
  const file = openCompoundFile(source.path)
  try {
    return { properties: await readSummary(file), macros: file.names.some((name) => /(?:^|\/)VBA$/i.test(name)) }
  } finally {
    file.close()
  }
}
