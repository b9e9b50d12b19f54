import { PgBoss } from 'pg-boss'
import { toUuid } from '../core/ids.ts'
import type { Database, Sql } from '../storage/database.ts'

/** Wakes the workers; the payload is the pool. */
export const QUEUE_CHANNEL = 'quarry_queue'
const LOST_QUEUE = 'lost'
const QUEUE_LOCK = 7_201_971
const SUPERVISE_SECONDS = 2
const MAX_WAIT_SECONDS = 14 * 24 * 3600

export type QueueEntry = { jobId: string; accountId: string; pool: string; fairTag: number }

/** The engine under the jobs: one pg-boss queue per pool, every verb inside the caller's transaction. */
export type JobQueue = {
  /** The sender notifies `QUEUE_CHANNEL`, in whichever of its statements it likes. */
  send(tx: Sql, entry: QueueEntry): Promise<void>
  /** Takes the next job of the pool for this worker; undone if the transaction rolls back. */
  take(
    tx: Sql,
    pool: string,
    ignoredAccounts: readonly string[],
  ): Promise<{ jobId: string; accountId: string } | undefined>
  /** Tells that the worker is alive. */
  touch(pool: string, jobIds: readonly string[]): Promise<void>
  remove(tx: Sql, pool: string, jobId: string): Promise<void>
  /** Puts a taken job back without counting it as lost. */
  putBack(tx: Sql, entry: QueueEntry): Promise<void>
  /** Counts the try as lost: the job comes back once, then ends as lost. */
  abandon(pool: string, jobId: string): Promise<void>
  /** A job whose worker was lost once too often. */
  takeLost(tx: Sql): Promise<{ jobId: string; acknowledge(): Promise<void> } | undefined>
  close(): Promise<void>
}

type QueueSettings = {
  database: Database
  pools: readonly string[]
  heartbeatSeconds: number
  jobSeconds: number
  /** Workers watch over each other; an API or the command line need not. */
  supervise: boolean
  log: (message: string, error: unknown) => void
}

const over = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]) => ({
    rows: values && values.length > 0 ? await sql.query(text, values) : await sql.script(text),
  }),
})

export const openQueue = async ({
  database,
  pools,
  heartbeatSeconds,
  jobSeconds,
  supervise,
  log,
}: QueueSettings): Promise<JobQueue> => {
  const boss = new PgBoss({
    db: over(database),
    schema: 'queue',
    schedule: false,
    supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  boss.on('error', (error) => log('queue', error))
  const makeQueues = async () => {
    await boss.start()
    const known = new Set((await boss.getQueues()).map((queue) => queue.name))
    if (!known.has(LOST_QUEUE))
      await boss.createQueue(LOST_QUEUE, { retryLimit: 1000, retentionSeconds: MAX_WAIT_SECONDS })
    for (const pool of pools) {
      const options = {
        // One more try after a lost worker, then the dead letter queue.
        retryLimit: 1,
        retryDelay: 0,
        heartbeatSeconds,
        // The sandbox ends a job at its own limit long before; this is for a worker that hangs but still beats.
        expireInSeconds: jobSeconds + 600,
        retentionSeconds: MAX_WAIT_SECONDS,
        deadLetter: LOST_QUEUE,
      }
      if (known.has(pool)) await boss.updateQueue(pool, options)
      else await boss.createQueue(pool, options)
    }
  }
  // Processes that start at once on an empty database would each make the schema. The lock has a connection of its own.
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [QUEUE_LOCK])
    await makeQueues()
  })

  const send = async (tx: Sql, { jobId, accountId, pool, fairTag }: QueueEntry) => {
    // pg-boss serves the greatest priority first, then the oldest.
    const options = { id: toUuid(jobId), priority: -fairTag, group: { id: accountId }, db: over(tx) }
    await boss.send(pool, { jobId, accountId }, options)
  }
  const remove = async (tx: Sql, pool: string, jobId: string) => {
    await boss.deleteJob(pool, toUuid(jobId), { db: over(tx) })
  }
  return {
    send,
    remove,
    take: async (tx, pool, ignoredAccounts) => {
      const [taken] = await boss.fetch<{ jobId: string; accountId: string }>(pool, {
        db: over(tx),
        ignoreGroups: [...ignoredAccounts],
      })
      return taken?.data
    },
    touch: async (pool, jobIds) => {
      await boss.touch(pool, jobIds.map(toUuid))
    },
    putBack: async (tx, entry) => {
      await remove(tx, entry.pool, entry.jobId)
      await send(tx, entry)
      await tx.query('select pg_notify($1, $2)', [QUEUE_CHANNEL, entry.pool])
    },
    abandon: async (pool, jobId) => {
      await boss.fail(pool, toUuid(jobId))
    },
    takeLost: async (tx) => {
      const [lost] = await boss.fetch<{ jobId: string }>(LOST_QUEUE, { db: over(tx) })
      if (!lost) return undefined
      return {
        jobId: lost.data.jobId,
        acknowledge: async () => {
          await boss.deleteJob(LOST_QUEUE, lost.id, { db: over(tx) })
        },
      }
    },
    close: () => boss.stop({ close: false, graceful: false }),
  }
}
