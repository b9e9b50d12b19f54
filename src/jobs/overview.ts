import type { Sql } from '../storage/database.ts'
import { listWorkers } from './workers.ts'

const DAY_MS = 86_400_000
const FAILURE_DAYS = 7
// What ended lately may have been sent earlier; longer than this nothing waits in the queue.
const LONGEST_WAIT_DAYS = 14

/** How the whole service is doing: what waits and runs, who runs it, what failed lately and what a day brings. */
export const readOverview = async (
  sql: Sql,
  { pools, heartbeatSeconds }: { pools: readonly string[]; heartbeatSeconds: number },
  now = new Date(),
) => {
  const [open, workers, failures, lastDay] = await Promise.all([
    readPools(sql),
    listWorkers(sql, heartbeatSeconds),
    countFailures(sql, now),
    countDay(sql, now),
  ])
  const idle = (pool: string): PoolDepth => ({ pool, queued: 0, running: 0, oldestQueuedSeconds: null })
  // A pool that nothing waits in is still a pool, and so is one that only another process knows.
  const names = new Set([...pools, ...workers.flatMap((worker) => worker.pools), ...open.keys()])
  return { pools: [...names].sort().map((pool) => open.get(pool) ?? idle(pool)), workers, failures, lastDay }
}

type PoolDepth = { pool: string; queued: number; running: number; oldestQueuedSeconds: number | null }

const readPools = async (sql: Sql): Promise<Map<string, PoolDepth>> => {
  const rows = await sql.query<PoolDepth>(
    `select pool, count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'running') as running,
       extract(epoch from now() - min(created_at) filter (where state = 'queued'))::float as "oldestQueuedSeconds"
     from jobs where state in ('queued', 'running') group by pool`,
  )
  return new Map(rows.map((row) => [row.pool, row]))
}

type FailureCount = { code: string; family: string; count: number; lastAt: Date }

const countFailures = async (sql: Sql, now: Date): Promise<FailureCount[]> =>
  sql.query<FailureCount>(
    `select error->>'code' as code, family, count(*) as count, max(finished_at) as "lastAt"
     from jobs where id >= $1 and state = 'failed' and finished_at > $2
     group by 1, 2 order by 3 desc, 4 desc`,
    [firstIdOf(now, FAILURE_DAYS + LONGEST_WAIT_DAYS), new Date(now.getTime() - FAILURE_DAYS * DAY_MS)],
  )

type DayCount = { submitted: number; succeeded: number; failed: number; canceled: number; credits: number }

/** What was sent within a day, and what has become of it. */
const countDay = async (sql: Sql, now: Date): Promise<DayCount> => {
  const [row] = await sql.query<DayCount>(
    `select count(*) as submitted, count(*) filter (where state = 'succeeded') as succeeded,
       count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'canceled') as canceled,
       coalesce(sum(charged_credits - refunded_credits), 0)::bigint as credits
     from jobs where id >= $1`,
    [firstIdOf(now, 1)],
  )
  return row as DayCount
}

/** The least id a job of the last days can have: ids begin with the time, so that the primary key finds the span. */
const firstIdOf = (now: Date, days: number): string =>
  `${(now.getTime() - days * DAY_MS).toString(16).padStart(12, '0')}${'0'.repeat(20)}`
