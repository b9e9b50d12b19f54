import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Berth, buildLaunch, type Launcher, RESIDENTS_FOLDER } from './launch.ts'
import { makeProcessFolder, wipeFolder } from './process-folder.ts'
import type { Isolation, SandboxSettings } from './settings.ts'

/** The isolation that really works here, and why not a better one. */
export type FoundIsolation = { isolation: Isolation; launcher: Launcher; problem: string | undefined }

const ISOLATION_OF: Record<Launcher, Isolation> = {
  'bubblewrap-root': 'bubblewrap',
  'bubblewrap-dropped': 'bubblewrap',
  'bubblewrap-user': 'bubblewrap',
  user: 'user',
  none: 'none',
}

/** Whether the service runs as root, and so must not let a child do the same. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** Finds the best isolation that works here, by running a command in it and looking at what that command is. */
export const findIsolation = async (settings: SandboxSettings): Promise<FoundIsolation> => {
  const problems: string[] = []
  for (const launcher of candidates(settings.isolation)) {
    const problem = await tryLauncher(launcher, settings)
    if (problem === undefined)
      return { isolation: ISOLATION_OF[launcher], launcher, problem: explain(launcher, problems) }
    problems.push(`${ISOLATION_OF[launcher]}: ${problem}`)
  }
  // As root and shut in by nothing, a hostile file would own the machine: better not to serve at all.
  throw new Error(`No isolation for extraction works here (${settings.isolation}).\n- ${problems.join('\n- ')}`)
}

/** What doctor says about isolation, in one line each. */
export const describeIsolation = async (settings: SandboxSettings): Promise<{ ok: boolean; lines: string[] }> => {
  try {
    const { isolation, problem } = await findIsolation(settings)
    return { ok: problem === undefined, lines: [`isolation: ${isolation}`, ...(problem ? problem.split('\n') : [])] }
  } catch (error) {
    return { ok: false, lines: (error instanceof Error ? error.message : String(error)).split('\n') }
  }
}

const candidates = (wanted: SandboxSettings['isolation']): Launcher[] => {
  const all: Launcher[] = isRoot() ? ['bubblewrap-root', 'bubblewrap-dropped', 'user'] : ['bubblewrap-user', 'none']
  if (wanted === 'auto') return all
  if (wanted === 'none') return ['none']
  if (wanted === 'user') return ['user']
  return all.filter((launcher) => ISOLATION_OF[launcher] === wanted)
}

const explain = (launcher: Launcher, problems: readonly string[]): string | undefined => {
  const tried = problems.map((problem) => `\n- ${problem}`).join('')
  switch (ISOLATION_OF[launcher]) {
    case 'bubblewrap':
      return undefined
    case 'user':
      return `Extraction runs as an unprivileged user that can reach the network and read public files.${tried}`
    case 'none':
      return `Extraction runs as the user of the service, with limits but without isolation.${tried}`
  }
}

/** Why a launcher does not work here; undefined when it does. */
const tryLauncher = async (launcher: Launcher, settings: SandboxSettings): Promise<string | undefined> => {
  if (launcher === 'user' && !isRoot()) return 'only root can start a child as another user'
  let folder: string | undefined
  try {
    folder = await makeProcessFolder(settings.folder, 0o711)
    const uid = isRoot() ? settings.unprivilegedUid : (process.getuid?.() ?? 0)
    const gid = isRoot() ? settings.unprivilegedGid : (process.getgid?.() ?? 0)
    const berth = await makeBerth(join(folder, 'trial'), { uid, gid })
    // Says who it is, writes where it must be able to, fails where Node or the sources are out of its reach.
    const script = 'cat /proc/self/status && : > "$3/scratch/trial" && test -r "$1" && "$0" --version'
    const child = new URL('child.ts', import.meta.url).pathname
    const program = ['/bin/sh', '-c', script, process.execPath, child]
    const launch = buildLaunch(launcher, berth, settings.limits, settings.formatFolders, settings.readable, program)
    return checkStatus(await runTrial(launch.command, launch.args, launch.env), launcher, uid)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    if (folder !== undefined) await wipeFolder(folder)
  }
}

const runTrial = (command: string, args: string[], env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(command, args, { env, cwd: '/', timeout: 10_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if (error.code === 'ENOENT') return reject(new Error(`${command} is not installed`))
      reject(new Error(stderr.trim().split('\n').at(-1) || `a trial run failed (${error.code ?? error.signal})`))
    })
  })

const checkStatus = (status: string, launcher: Launcher, uid: number): string | undefined => {
  if (launcher === 'none') return undefined
  const read = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? ''
  if (read('Uid') !== [uid, uid, uid, uid].join('\t')) return `a trial ran as user ${read('Uid')}, not ${uid}`
  if (read('NoNewPrivs') !== '1') return 'a trial could gain new privileges'
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    if (!/^0+$/.test(read(set))) return `a trial kept capabilities (${set} ${read(set)})`
  }
  return undefined
}

/** Makes the folders of one child: `in` it may only read, `out` is its own, `result` it never sees. */
export const makeBerth = async (folder: string, { uid, gid }: { uid: number; gid: number }): Promise<Berth> => {
  const inFolder = join(folder, 'in')
  const outFolder = join(folder, 'out')
  const passwdFile = join(folder, 'passwd')
  const make = async (path: string, mode: number, owner: number) => {
    await mkdir(path)
    // After the fact, because the mode of mkdir passes through the umask.
    await chmod(path, mode)
    if (isRoot()) await chown(path, owner, gid)
  }
  await make(folder, 0o750, 0)
  await make(inFolder, 0o750, 0)
  await make(outFolder, 0o700, uid)
  await make(join(outFolder, 'scratch'), 0o700, uid)
  await make(join(outFolder, RESIDENTS_FOLDER), 0o700, uid)
  await make(join(folder, 'result'), 0o700, 0)
  await writeFile(passwdFile, `sandbox:x:${uid}:${gid}::/tmp:/usr/sbin/nologin\n`)
  await chmod(passwdFile, 0o644)
  return { uid, gid, inFolder, outFolder, passwdFile }
}
