import { RequestError } from '../core/errors.ts'
import { isTerminal } from '../core/job-states.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'
import type { Job } from './records.ts'

/** Deletes the record and the result of a job that has ended. What it cost stays in the ledger. */
export const deleteJob = async ({ database, blobs }: { database: Database; blobs: Blobs }, job: Job): Promise<void> => {
  if (!isTerminal(job.state)) throw new RequestError('jobs.not_deletable', { status: job.state })
  const [deleted] = await database.transaction(async (tx) => {
    await tx.query('delete from webhook_deliveries where job_id = $1', [job.id])
    return tx.query<{ result_key: string | null }>('delete from jobs where id = $1 returning result_key', [job.id])
  })
  // After the commit: a result without a record is swept, a record without a result would lie.
  if (deleted?.result_key) await blobs.delete(deleted.result_key)
}
