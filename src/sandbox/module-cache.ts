import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { isRoot } from './isolation.ts'
import { MODULE_CACHE, PROJECT } from './launch.ts'
import type { SandboxSettings } from './settings.ts'

/** Makes the cache ready for the users of the children, and fills it where the sources have changed. */
export const fillModuleCache = async (settings: SandboxSettings, signal: AbortSignal): Promise<void> => {
  const stamp = join(MODULE_CACHE, `${await fingerprint(settings.formatFolders)}.stamp`)
  await mkdir(MODULE_CACHE, { recursive: true })
  if (isRoot()) await aliasUsers(settings)
  if (existsSync(stamp)) return
  await runPrimer(settings.formatFolders, signal)
  await openForReading()
  if (isRoot()) await aliasUsers(settings)
  const old = (await readdir(MODULE_CACHE)).filter((name) => name.endsWith('.stamp'))
  if (old.length > MAX_STAMPS) for (const name of old) await rm(join(MODULE_CACHE, name), { force: true })
  await writeFile(stamp, '')
}

const MAX_STAMPS = 20

const fingerprint = async (formatFolders: readonly string[]): Promise<string> => {
  const hash = createHash('sha256').update(process.version)
  for (const folder of [join(PROJECT, 'src'), ...formatFolders]) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort()
    const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
    for (const [index, fact] of facts.entries())
      hash.update(`\n${folder}/${names[index]} ${fact?.mtimeMs} ${fact?.size}`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Node keeps a folder for each user, named by the id at its end; all the children's are the one of this process. */
const aliasUsers = async ({ unprivilegedUid, maxChildren, spares }: SandboxSettings): Promise<void> => {
  const names = new Set(await readdir(MODULE_CACHE))
  const own = [...names].filter((name) => name.startsWith(`${process.version}-`) && name.endsWith('-0'))
  // Children that have just been told to go still have theirs while their successors start.
  const uids = Array.from({ length: (maxChildren + spares) * 2 }, (_, slot) => unprivilegedUid + slot)
  for (const folder of own) {
    for (const alias of uids.map((uid) => folder.replace(/-0$/, `-${uid}`))) {
      if (!names.has(alias)) await symlink(folder, join(MODULE_CACHE, alias)).catch(() => {})
    }
  }
}

/** Node writes its entries for its own user alone. */
const openForReading = async (): Promise<void> => {
  const entries = await readdir(MODULE_CACHE, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    // Another process may be filling it too, and its files come and go.
    if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o644).catch(() => {})
  }
}

const runPrimer = (formatFolders: readonly string[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = join(PROJECT, 'src/sandbox/child.ts')
    const env = { ...process.env, NODE_COMPILE_CACHE: MODULE_CACHE }
    const args = [script, '--prime', JSON.stringify(formatFolders)]
    // It holds the other end of a pipe, by which it knows that this process is gone, however it went.
    const primer = spawn(process.execPath, args, {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    })
    primer.unref()
    if (primer.stdin instanceof Socket) primer.stdin.unref()
    if (primer.pid !== undefined) setPriority(primer.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    primer.on('error', reject)
    primer.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the module cache was not filled (${code})`)),
    )
  })
