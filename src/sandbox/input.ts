import { constants, statSync } from 'node:fs'
import { chmod, copyFile, link } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './isolation.ts'

const READABLE_BY_ALL = 0o004

/** Shows a file to a child without a copy where the file system allows it; the child can only read it. */
export const placeInput = async (inFolder: string, inputPath: string, extension: string): Promise<string> => {
  if (!/^[a-z0-9][a-z0-9+_-]*$/.test(extension)) throw new Error(`${extension} is not an extension`)
  const target = join(inFolder, `source.${extension}`)
  try {
    await link(inputPath, target)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await copyFile(inputPath, target, constants.COPYFILE_FICLONE)
  }
  // The child is another user; whoever may not enter the folders around the file still cannot read it.
  if (isRoot() && (statSync(target).mode & READABLE_BY_ALL) === 0) await chmod(target, 0o444)
  return target
}
