import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { decryptWorkbook } from '../../engines/office-crypto.ts'
import { overLimit } from '../shared/decode.ts'
import { readHead } from '../shared/legacy/read-head.ts'
import { isCompoundFile, openCompoundFile } from '../shared/ole/compound-file.ts'
import { unlockPackage } from '../shared/ooxml/encryption/unlock-package.ts'
import { perSource } from '../shared/per-source.ts'
import { listBiffSheets } from './legacy/list-sheets.ts'

/** What Excel itself tries before it asks: files that are protected against changes alone are encrypted with it. */
const EVERYBODYS_PASSWORD = 'VelvetSweatshop'
const MAX_HEAD_BYTES = 1_048_576
/** The engine holds the whole file, several times. */
const MAX_FILE_BYTES = 64 * 1024 ** 2

/** The workbook as it is without its password: the source itself, or a file of the job. The key is the password. */
export const unlockWorkbook = perSource(async (source: Source, context: Context, password: string): Promise<Source> => {
  if (!isCompoundFile(await readHead(source, 8))) return source
  try {
    const file = await unlockPackage(source, context, password || EVERYBODYS_PASSWORD)
    return file === source && isEncryptedBiff(source) ? await unlockBiff(source, context, password) : file
  } catch (error) {
    const isRefused = error instanceof JobFailure && error.params.reason === 'wrong-password'
    throw isRefused && password === '' ? new JobFailure('extract.source_encrypted') : error
  }
})

/** Whether a workbook of Excel 97 to 2003 says in its first records that the others are encrypted. */
const isEncryptedBiff = (source: Source): boolean => {
  const file = openCompoundFile(source.path)
  try {
    const stream = ['Workbook', 'Book', 'WORKBOOK', 'BOOK'].map((name) => file.open(name)).find(Boolean)
    return stream !== undefined && listBiffSheets(stream.read(0, MAX_HEAD_BYTES)) === undefined
  } finally {
    file.close()
  }
}

const unlockBiff = async (source: Source, context: Context, password: string): Promise<Source> => {
  if (source.bytes > MAX_FILE_BYTES) throw overLimit('fileBytes', MAX_FILE_BYTES)
  const plain = await decryptWorkbook(await readFile(source.path), password || EVERYBODYS_PASSWORD)
  if (plain === 'wrong-password') {
    throw new JobFailure(
      'extract.source_encrypted',
      { reason: plain },
      { detail: 'The password does not open the file.' },
    )
  }
  const path = join(await mkdtemp(join(context.scratch, 'unlocked-')), 'source.xls')
  await writeFile(path, plain)
  return { ...source, path, bytes: plain.length }
}
