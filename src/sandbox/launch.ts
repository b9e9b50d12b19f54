import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RESIDENTS_VARIABLE } from '../engines/residents.ts'
import type { SandboxLimits } from './settings.ts'

/** How a child is shut in, and who it runs as. */
export type Launcher =
  /** Started as root: bubblewrap without a user namespace, so that it can bind what only root can reach. */
  | 'bubblewrap-root'
  /** Started as root where mounting is refused to root: drop to the unprivileged user first. */
  | 'bubblewrap-dropped'
  | 'bubblewrap-user'
  | 'user'
  | 'none'

/** One child's place: its ids, and on the host its folders and the list of users it sees. */
export type Berth = { uid: number; gid: number; inFolder: string; outFolder: string; passwdFile: string }

/** A command line with its whole environment. */
export type Launch = { command: string; args: string[]; env: Record<string, string> }

/** The folder of the project's sources and packages. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')

/**
 * Compiled sources, shared by all children and writable by none: with them a child starts with a fifth of the CPU
 * time. Node checks each entry against its source, so an old one is only useless. Beside the packages, because it
 * comes from the project and not from the data, and because children see that folder anyway.
 */
export const MODULE_CACHE = join(PROJECT, 'node_modules/.cache/quarry-modules')

/** Place in the out folder of what a child keeps running from one job to the next. */
export const RESIDENTS_FOLDER = 'residents'

const MEBIBYTE = 1_048_576

const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

/** The command of a child, from the outermost wrapper to Node. */
export const buildLaunch = (
  launcher: Launcher,
  berth: Berth,
  limits: SandboxLimits,
  formatFolders: readonly string[],
  readable: readonly string[] = [],
  program: readonly string[] = childProgram(limits, formatFolders),
): Launch => {
  const drop = dropPrivileges(berth)
  const bound = boundResources(limits, launcher !== 'none' && launcher !== 'bubblewrap-user')
  const wrap = (words: readonly string[], inFolder: string, outFolder: string): Launch => {
    const scratch = `${outFolder}/scratch`
    const home = outFolder === berth.outFolder ? scratch : '/tmp'
    const line = [...words, ...program, inFolder, outFolder]
    return {
      command: line[0] as string,
      args: line.slice(1),
      env: {
        ...CHILD_ENVIRONMENT,
        HOME: home,
        TMPDIR: scratch,
        NODE_COMPILE_CACHE: MODULE_CACHE,
        [RESIDENTS_VARIABLE]: `${outFolder}/${RESIDENTS_FOLDER}`,
      },
    }
  }
  const box = (namespaces: readonly string[]) => bubblewrap(berth, [...formatFolders, ...readable], namespaces)
  switch (launcher) {
    case 'bubblewrap-root':
      return wrap([...box(ROOT_NAMESPACES), ...drop, ...bound], '/job/in', '/job/out')
    case 'bubblewrap-dropped':
      return wrap([...drop, ...bound, ...box(USER_NAMESPACES)], '/job/in', '/job/out')
    case 'bubblewrap-user':
      return wrap([...bound, ...box(USER_NAMESPACES)], '/job/in', '/job/out')
    case 'user':
      return wrap([...drop, ...bound], berth.inFolder, berth.outFolder)
    case 'none':
      return wrap([...KEEP_USER, ...bound], berth.inFolder, berth.outFolder)
  }
}

/** Node, with its heap well under the memory limit: a crash of its own says more than a kill. */
const childProgram = (limits: SandboxLimits, formatFolders: readonly string[]): string[] => [
  process.execPath,
  `--max-old-space-size=${Math.max(64, Math.floor((limits.memoryBytes * 0.75) / MEBIBYTE))}`,
  join(PROJECT, 'src/sandbox/child.ts'),
  JSON.stringify(formatFolders),
]

const dropPrivileges = ({ uid, gid }: Berth): string[] => [
  'setpriv',
  ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
  ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--pdeathsig', 'KILL', '--'],
]

const KEEP_USER = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--']

/** Far more than any engine needs, far less than a fork bomb does. Counted per user, so only where the user is ours. */
const MAX_PROCESSES = 512
/** Node maps some 300 MB that it never touches. */
const DATA_SLACK_BYTES = 1024 * MEBIBYTE

/**
 * What the kernel enforces on each single process; the watch in the parent looks at all of them together. CPU time is
 * for the whole life of a child, which is retired before a job could run into it for what earlier ones spent.
 */
const boundResources = (limits: SandboxLimits, ownUser: boolean): string[] => [
  'prlimit',
  '--core=0',
  `--fsize=${limits.outputBytes}`,
  `--nofile=${limits.openFiles}`,
  `--data=${limits.memoryBytes + DATA_SLACK_BYTES}`,
  `--cpu=${Math.ceil(limits.cpuSeconds * 2 + 5)}`,
  ...(ownUser ? [`--nproc=${MAX_PROCESSES}`] : []),
  '--',
]

const COMMON_NAMESPACES = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
const USER_NAMESPACES = [...COMMON_NAMESPACES, '--unshare-user', '--disable-userns']
// Just long enough for setpriv to become someone else and to throw the rest away.
const ROOT_NAMESPACES = [
  ...COMMON_NAMESPACES,
  ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((capability) => ['--cap-add', capability]),
]

/** The parts of the system that engines read. */
const SYSTEM_FOLDERS = ['/usr', '/lib', '/lib32', '/lib64', '/bin', '/sbin']
const SYSTEM_FILES = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/libreoffice',
  '/etc/magic',
  '/etc/mime.types',
  '/etc/papersize',
  '/var/cache/fontconfig',
]
const SCRATCH_BYTES = 64 * MEBIBYTE

const bubblewrap = (berth: Berth, readable: readonly string[], namespaces: readonly string[]): string[] => {
  const made = new Set(['/', '/usr', '/etc', '/var', '/tmp', '/proc', '/dev'])
  /** bubblewrap would make missing parents for root's eyes only. */
  const makeParents = (path: string): string[] => {
    const parent = dirname(path)
    if (made.has(parent)) return []
    made.add(parent)
    return [...makeParents(parent), '--perms', '0755', '--dir', parent]
  }
  const bind = (flag: string, from: string, to = from): string[] => [...makeParents(to), flag, from, to]
  const bindReadOnly = (paths: readonly string[]) =>
    paths.filter((path) => existsSync(path)).flatMap((path) => bind('--ro-bind', path))
  const project = ['src', 'node_modules', 'models', 'package.json'].map((name) => join(PROJECT, name))
  const isBound = (path: string) => ['/usr', ...project].some((folder) => path.startsWith(`${folder}/`))
  return [
    'bwrap',
    ...namespaces,
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    ...bindReadOnly(SYSTEM_FOLDERS),
    ...['--perms', '0755', '--dir', '/etc', '--perms', '0755', '--dir', '/var'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(SCRATCH_BYTES), '--perms', '1777', '--tmpfs', '/tmp'],
    ...bindReadOnly(SYSTEM_FILES),
    ...bind('--ro-bind', berth.passwdFile, '/etc/passwd'),
    ...bindReadOnly(project.filter((path) => !path.startsWith('/usr/'))),
    ...bindReadOnly([process.execPath, ...readable].filter((path) => !isBound(path))),
    ...bind('--ro-bind', berth.inFolder, '/job/in'),
    ...bind('--bind', berth.outFolder, '/job/out'),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/', '--'],
  ]
}
