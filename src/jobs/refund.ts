import type { Database } from '../storage/database.ts'
import { JOB_COLUMNS, type Job, notifyJob } from './records.ts'

/** Gives the credits of a charged job back, to the buckets they came from, once. Undefined when it is not charged. */
export const refundJob = async (database: Database, jobId: string, note: string): Promise<Job | undefined> =>
  database.transaction(async (tx) => {
    const [job] = await tx.query<Job>(
      `update jobs j set billing = 'refunded', refunded_credits = charged_credits
       where id = $1 and billing = 'charged' returning ${JOB_COLUMNS}`,
      [jobId],
    )
    if (!job) return undefined
    await tx.query(
      `insert into ledger_entries (account_id, bucket, kind, credits, job_id, note)
       select account_id, bucket, 'refund', credits, job_id, $2 from ledger_entries
       where job_id = $1 and kind = 'capture' order by id`,
      [jobId, note],
    )
    await notifyJob(tx, jobId)
    return job
  })

/** A paid result that was lost before its retention ended: the record says so and the credits go back, once. */
export const refundLostResult = async (database: Database, jobId: string, resultKey: string): Promise<void> => {
  await database.query('update jobs set result_key = null, purged_at = now() where id = $1 and result_key = $2', [
    jobId,
    resultKey,
  ])
  await refundJob(database, jobId, 'the result was lost')
}
