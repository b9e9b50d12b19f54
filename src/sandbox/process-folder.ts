import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readStartTicks } from './process-tree.ts'

const FOREIGN_HOURS = 24

/** Makes a folder for this process alone, and removes those of processes that are gone. */
export const makeProcessFolder = async (folder: string, mode: number): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await chmod(folder, mode)
  await removeStale(folder)
  const path = join(folder, `${HOST}-${process.pid}-${readStartTicks(process.pid)}-${randomBytes(8).toString('hex')}`)
  await mkdir(path)
  await chmod(path, mode)
  return path
}

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Several services may share the folder, even from several machines: only what has no owner any more is removed. */
const removeStale = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const [, host, pid, ticks] = /^([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]+$/.exec(name) ?? []
    const path = join(folder, name)
    const isStale =
      host === HOST ? readStartTicks(Number(pid)) !== Number(ticks) : await isOlderThan(path, FOREIGN_HOURS * 3_600_000)
    if (isStale) await wipeFolder(path)
  }
}

const isOlderThan = async (path: string, ageMs: number): Promise<boolean> => {
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && Date.now() - facts.mtimeMs > ageMs
}

/** Removes a folder and all in it, once no process of a child is left that could work against it. */
export const wipeFolder = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    // Folders nested deeper than a path is long: Node goes by paths, this program does not.
    await promisify(execFile)('rm', ['-rf', '--', path])
  }
}
