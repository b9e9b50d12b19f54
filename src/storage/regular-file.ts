import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Opens a file that may come from a sandbox, which must not choose by a link what we read. */
export const openRegularFile = async (path: string): Promise<{ file: FileHandle; stats: Stats }> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const stats = await file.stat()
  if (stats.isFile()) return { file, stats }
  await file.close()
  throw new TypeError(`${path} is not a regular file.`)
}
