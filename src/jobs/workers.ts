import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { newId } from '../core/ids.ts'
import { VERSION } from '../core/version.ts'
import type { Database, Sql } from '../storage/database.ts'

const SEEN_EVERY_MS = 2500
/** A worker silent for this many heartbeats is taken for dead. */
const ALIVE_HEARTBEATS = 3
const WITHDRAW_PATIENCE_MS = 2000

/** A process that runs jobs, as operators see it. */
export type WorkerRecord = {
  id: string
  host: string
  processId: number
  version: string
  pools: string[]
  maxJobs: number
  runningJobs: number
  startedAt: Date
  seenAt: Date
  isAlive: boolean
}

export type WorkerPresence = {
  /** Takes the worker off the list, after which nothing is written any more. */
  withdraw(): Promise<void>
}

/**
 * Puts this process on the list of workers and keeps it there. Nothing waits for it and nothing fails with it: what
 * could not be written is written with the next beat.
 */
export const registerWorker = (
  database: Database,
  log: Logger,
  worker: { pools: readonly string[]; maxJobs: number; countRunning(): number },
): WorkerPresence => {
  const id = newId()
  const write = () =>
    database.query(
      // A worker that slept long enough to be forgotten comes back.
      `with forgotten as (delete from workers where seen_at < now() - interval '1 day' and id <> $1)
       insert into workers (id, host, process_id, version, pools, max_jobs, running_jobs) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do update set running_jobs = excluded.running_jobs, seen_at = now()`,
      [id, hostname(), process.pid, VERSION, worker.pools, worker.maxJobs, worker.countRunning()],
    )
  let writing: Promise<void> | undefined
  const beat = (): void => {
    writing ??= write()
      .then(() => undefined)
      .catch((error) => log.warn({ err: error }, 'the worker could not tell that it is there'))
      .finally(() => {
        writing = undefined
      })
  }
  const timer = setInterval(beat, SEEN_EVERY_MS)
  beat()
  const remove = async (): Promise<void> => {
    // A beat under way would put it back.
    await writing
    await database.query('delete from workers where id = $1', [id])
  }
  return {
    withdraw: async () => {
      clearInterval(timer)
      const removed = remove().catch((error) => log.warn({ err: error }, 'the worker could not say that it leaves'))
      // A database that is away must not keep the process from ending; the row is forgotten by itself.
      await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, WITHDRAW_PATIENCE_MS).unref())])
    },
  }
}

/** The workers of the last day, those that are there first, each time the newest before the others. */
export const listWorkers = async (sql: Sql, heartbeatSeconds: number): Promise<WorkerRecord[]> =>
  sql.query<WorkerRecord>(
    `select id, host, process_id as "processId", version, pools, max_jobs as "maxJobs", running_jobs as "runningJobs",
       started_at as "startedAt", seen_at as "seenAt", seen_at > now() - make_interval(secs => $1) as "isAlive"
     from workers where seen_at > now() - interval '1 day'
     order by "isAlive" desc, started_at desc, id`,
    [heartbeatSeconds * ALIVE_HEARTBEATS],
  )
