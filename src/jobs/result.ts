import { RequestError } from '../core/errors.ts'
import type { Database } from '../storage/database.ts'
import type { Job, JobOutput } from './records.ts'
import { refundLostResult } from './refund.ts'

/** The result of a job, if it has one that is still kept. */
export const takeResult = (job: Job): { output: JobOutput; resultKey: string } => {
  const params = { status: job.state }
  if (job.state === 'failed') throw new RequestError('jobs.failed', { ...params, failure: job.error?.code ?? null })
  if (job.state === 'canceled') throw new RequestError('jobs.canceled', params)
  if (job.state !== 'succeeded' || !job.output) throw new RequestError('jobs.not_ready', params)
  const expired = job.expiresAt !== null && job.expiresAt.getTime() <= Date.now()
  if (job.resultKey === null || expired) {
    throw new RequestError('jobs.result_expired', { ...params, expiresAt: job.expiresAt?.toISOString() ?? null })
  }
  return { output: job.output, resultKey: job.resultKey }
}

/** Paid for and gone before its time: the credits go back. Returns what to tell whoever asked for it. */
export const reportLostResult = async (database: Database, job: Job, resultKey: string): Promise<RequestError> => {
  await refundLostResult(database, job.id, resultKey)
  return new RequestError(
    'jobs.result_expired',
    { status: job.state },
    { detail: 'The result was lost; its credits were refunded.' },
  )
}
