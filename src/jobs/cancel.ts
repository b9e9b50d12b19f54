import type { Catalog } from '../core/catalog.ts'
import { RequestError } from '../core/errors.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'
import { uploadKey } from './files.ts'
import type { JobQueue } from './queue.ts'
import { findJob, type Job } from './records.ts'
import { settle } from './settle.ts'

type Context = { database: Database; queue: JobQueue; catalog: Catalog; blobs: Blobs }

/**
 * Cancels a queued or running job; canceling it again changes nothing. A worker that runs it hears of it through the
 * job's channel and kills the extraction.
 */
export const cancelJob = async (context: Context, job: Job): Promise<Job> => {
  const canceled = await settle(context, { jobId: job.id }, { state: 'canceled' })
  if (canceled) {
    // A running job's worker reads the upload until its process is killed; the name may go at once.
    await context.blobs.delete(uploadKey(job.id))
    return canceled
  }
  const current = await findJob(context.database, job.id)
  if (!current) throw new RequestError('jobs.not_found')
  if (current.state !== 'canceled') throw new RequestError('jobs.not_cancellable', { status: current.state })
  return current
}
