import type { Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { openCompoundFile } from '../../shared/ole/compound-file.ts'
import { readSummary } from '../../shared/ole/property-set.ts'
import { readFileHeader } from './file-header.ts'

/** What a Word document of 6.0 to 2003 says of its length, 0 where it does not; that much is never encrypted. */
export const countDoc = async (
  source: Source,
  password: string,
): Promise<{ statedPages: number; characters: number }> => {
  const file = openCompoundFile(source.path)
  try {
    const header = readFileHeader(file)
    if (header?.isEncrypted && password === '') throw new JobFailure('extract.source_encrypted')
    const { pages } = (await readSummary(file)).application
    // A file cannot have more characters than bytes, whatever it says.
    const characters = Math.min(header?.characters ?? 0, source.bytes)
    return { statedPages: typeof pages === 'number' ? pages : 0, characters }
  } finally {
    file.close()
  }
}
