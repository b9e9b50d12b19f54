import type { Logger } from 'pino'
import { parseId } from '../core/ids.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'
import { jobIdOfKey, RESULTS, UPLOADS } from './files.ts'
import { IDEMPOTENCY_HOURS } from './submit.ts'

type Context = { database: Database; blobs: Blobs; log: Logger }

const BATCH = 500
const DELIVERED_WEBHOOK_DAYS = 7

/** Deletes results whose retention is over, and forgets what has only a short memory. Safe on many machines at once. */
export const sweepExpired = async ({ database, blobs, log }: Context): Promise<number> => {
  let purged = 0
  for (;;) {
    const rows = await database.query<{ id: string; result_key: string }>(
      'select id, result_key from jobs where result_key is not null and expires_at < now() order by expires_at limit $1',
      [BATCH],
    )
    for (const { id, result_key } of rows) {
      // The bytes first: a crash between the two is repaired by the next sweep.
      await blobs.delete(result_key)
      await database.query('update jobs set result_key = null, purged_at = now() where id = $1 and result_key = $2', [
        id,
        result_key,
      ])
    }
    purged += rows.length
    if (rows.length < BATCH) break
  }
  if (purged > 0) log.info({ purged }, 'results past their retention were deleted')
  await database.query(`delete from idempotency_keys where created_at < now() - make_interval(hours => $1)`, [
    IDEMPOTENCY_HOURS,
  ])
  await database.query(
    `delete from webhook_deliveries where state <> 'pending' and created_at < now() - make_interval(days => $1)`,
    [DELIVERED_WEBHOOK_DAYS],
  )
  return purged
}

/**
 * Deletes blobs that no job refers to: an upload whose submission never committed, a file that was measured and never
 * made a job, a result whose worker died before it settled. Only blobs older than `minAgeMs`, because a younger one may belong to a transaction still open.
 */
export const sweepOrphans = async ({ database, blobs, log }: Context, minAgeMs: number): Promise<number> => {
  const oldest = Date.now() - minAgeMs
  let deleted = 0
  for (const [prefix, isReferred] of [
    [UPLOADS, `select 1 from jobs where id = $1 and state in ('queued', 'running') and $2::text is not null`],
    // A running job's attempt may be writing, or waiting to settle.
    [RESULTS, `select 1 from jobs where id = $1 and (result_key = $2 or state = 'running')`],
  ] as const) {
    for await (const { key, modifiedAt } of blobs.list(prefix)) {
      const jobId = parseId(jobIdOfKey(key))
      if (modifiedAt.getTime() > oldest) continue
      if (jobId && (await database.query(isReferred, [jobId, key])).length > 0) continue
      await blobs.delete(key)
      deleted++
    }
  }
  if (deleted > 0) log.info({ deleted }, 'files that no job refers to were deleted')
  return deleted
}
