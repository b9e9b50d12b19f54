import { mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { withFileLock } from './file-lock.ts'
import {
  type Cluster,
  DATABASE,
  findServer,
  type Launch,
  launchServer,
  PORT,
  placeCluster,
  ROLE,
  readLogTail,
} from './postgres-cluster.ts'

const START_TIMEOUT_MS = 300_000
const POLL_MS = 4
const MAX_REVIVE_DELAY_MS = 5_000
/** How long processes may outlive a server that was killed before they are killed too. */
const ORPHAN_PATIENCE_MS = 3_000

/** How a client reaches the embedded server: complete, so that no PG* variable of the environment slips in. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string; ssl: false }

/** This process's share in the embedded server, which is brought back as long as the share is held. */
export type EmbeddedPostgres = {
  connection: EmbeddedConnection
  /** Gives the share back and lets the server run. */
  release(): Promise<void>
  /** Gives the share back and stops the server unless another client is connected; says whether it stopped. */
  stopIfUnused(): Promise<boolean>
}

export type EmbeddedPostgresSettings = { dataFolder: string; log?: (message: string) => void }

/**
 * Finds the PostgreSQL server of the data folder running, or starts it. Any number of processes may call this at any
 * time, also again after the server was killed; one of them starts it, and it outlives them all.
 */
export const ensureEmbeddedPostgres = async (settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> => {
  const log = settings.log ?? (() => {})
  // Entered by the server's own user too, so it may be passed through; each folder in it guards itself.
  await mkdir(settings.dataFolder, { recursive: true, mode: 0o711 })
  const cluster = placeCluster(await realpath(settings.dataFolder))
  const connection = connectionTo(cluster)

  let released = false
  const hold = (client: pg.Client): pg.Client => {
    // It must neither keep the process from ending nor let it end while the goodbye is under way.
    setReference(client, false)
    client.once('end', () => {
      if (!released) void revive()
    })
    return client
  }
  const revive = async (): Promise<void> => {
    log('The embedded PostgreSQL server went away; bringing it back.')
    for (let waitMs = 50; !released && (await exists(cluster)); waitMs = Math.min(waitMs * 2, MAX_REVIVE_DELAY_MS)) {
      try {
        const client = await connectOrStart(cluster, log)
        if (released) return await client.end()
        keeper = hold(client)
        return
      } catch (error) {
        log(`The embedded PostgreSQL server did not come back: ${messageOf(error)}`)
        await delay(waitMs, undefined, { ref: false })
      }
    }
  }
  let keeper = hold(await connectOrStart(cluster, log))
  const release = async (): Promise<void> => {
    released = true
    setReference(keeper, true)
    await keeper.end().catch(() => {})
  }
  return {
    connection,
    release,
    async stopIfUnused() {
      await release()
      return stopServer(cluster, { evenIfUsed: false })
    },
  }
}

/** Stops the server of the data folder whoever uses it; processes that hold a share will bring it back. */
export const stopEmbeddedPostgres = async (dataFolder: string): Promise<void> => {
  const found = await realpath(dataFolder).catch(() => undefined)
  if (found !== undefined) await stopServer(placeCluster(found), { evenIfUsed: true })
}

const connectionTo = (cluster: Cluster): EmbeddedConnection => ({
  host: cluster.socketFolder,
  port: PORT,
  user: ROLE,
  database: DATABASE,
  ssl: false,
})

/**
 * The connection that comes back is kept open: it marks the server as used between this moment and the first query
 * of a pool, and its end tells at once that the server is gone.
 */
const connectOrStart = async (cluster: Cluster, log: (message: string) => void): Promise<pg.Client> => {
  const running = await connect(cluster)
  if (running.client) return running.client
  return withFileLock(cluster.lock, async () => {
    const deadline = Date.now() + START_TIMEOUT_MS
    let launch: Launch | undefined
    let lives = (await findServer(cluster)).main !== undefined
    while (Date.now() < deadline) {
      const attempt = await connect(cluster)
      if (attempt.client) return attempt.client
      if (launch?.exited())
        throw new Error(`The embedded PostgreSQL server did not start:\n${await readLogTail(cluster)}`)
      if (launch || lives) {
        await delay(POLL_MS)
        // A server that another process left starting, recovering or stopping may end while we wait for it.
        if (!launch) lives = (await findServer(cluster)).main !== undefined
        continue
      }
      lives = await clearOrphans(cluster)
      if (!lives) launch = await launchServer(cluster, log)
    }
    throw new Error('The embedded PostgreSQL server did not get ready in time.')
  })
}

/** SQLSTATE of a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = '57P03'
const NOT_READY = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', CANNOT_CONNECT_NOW])

/** Undefined client: there is no server, or not yet. The server's own database, so that ours can be a template. */
const connect = async (cluster: Cluster): Promise<{ client?: pg.Client }> => {
  const client = new pg.Client({ ...connectionTo(cluster), database: 'postgres', application_name: 'quarry keeper' })
  client.on('error', () => {})
  try {
    await client.connect()
    return { client }
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (code === 'EACCES') throw new Error(`${cluster.socketFolder} belongs to another system user.`, { cause: error })
    if (NOT_READY.has(code) || /terminated unexpectedly/.test(messageOf(error))) return {}
    throw error
  }
}

/** What served under a server that was killed ends by itself when idle; one that computes must be told. Says if a server lives after all. */
const clearOrphans = async (cluster: Cluster): Promise<boolean> => {
  const patienceEnds = Date.now() + ORPHAN_PATIENCE_MS
  for (let first = true; ; first = false) {
    const { main, others } = await findServer(cluster)
    if (main !== undefined || others.length === 0) return main !== undefined
    if (first) signalAll(others, 'SIGQUIT')
    else if (Date.now() > patienceEnds) signalAll(others, 'SIGKILL')
    await delay(POLL_MS)
  }
}

const stopServer = async (cluster: Cluster, { evenIfUsed }: { evenIfUsed: boolean }): Promise<boolean> => {
  if (!(await exists(cluster))) return false
  return withFileLock(cluster.lock, async () => {
    if (!evenIfUsed && (await isUsed(cluster))) return false
    const { main } = await findServer(cluster)
    if (main === undefined) return false
    // Its "fast" shutdown: clients are sent away, everything is written.
    signalAll([main], 'SIGINT')
    for (let left = await findServer(cluster); left.main !== undefined; left = await findServer(cluster))
      await delay(POLL_MS)
    return true
  })
}

const isUsed = async (cluster: Cluster): Promise<boolean> => {
  const { client } = await connect(cluster)
  if (!client) return false
  try {
    const { rows } = await client.query<{ used: boolean }>(
      `select exists (select from pg_stat_activity
       where backend_type in ('client backend', 'walsender') and pid <> pg_backend_pid()) as used`,
    )
    return rows[0]?.used ?? true
  } finally {
    await client.end()
  }
}

/** Both methods are documented in pg, and missing in its types. */
const setReference = (client: pg.Client, counted: boolean): void => {
  const referable = client as pg.Client & { ref(): void; unref(): void }
  if (counted) referable.ref()
  else referable.unref()
}

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
  }
}

const exists = async (cluster: Cluster): Promise<boolean> =>
  stat(join(cluster.folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
