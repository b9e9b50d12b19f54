import { RequestError } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { JOB_STATES } from '../core/job-states.ts'
import type { Foundation } from '../foundation.ts'
import { cancelJob } from '../jobs/cancel.ts'
import { findPlacedJob, type Job, listJobs, type PlacedJob, toRecord } from '../jobs/records.ts'
import { refundJob } from '../jobs/refund.ts'
import { type Command, numberFlag, textFlag, UsageError } from './command.ts'
import { table } from './print.ts'

const takeJob = async ({ database }: Foundation, text: string | undefined): Promise<PlacedJob> => {
  const id = text === undefined ? undefined : parseId(text)
  const job = id && (await findPlacedJob(database, id))
  if (!job) throw new UsageError('there is no such job')
  return job
}

const summary = (job: Job) => ({
  id: job.id,
  account: job.accountId,
  status: job.state,
  billing: job.billing,
  format: job.format,
  pool: job.pool,
  credits: job.quotedCredits,
  error: job.error?.code ?? null,
  createdAt: job.createdAt,
  finishedAt: job.finishedAt,
})

/** Jobs, as the operator sees them. */
export const jobCommands: Readonly<Record<string, Command>> = {
  'job list': {
    args: '[--account ID] [--status STATUS] [--limit N]',
    detail: 'newest first',
    needsFoundation: true,
    run: async ({ flags, foundation: { database } }) => {
      const accountText = textFlag(flags, 'account')
      const accountId = accountText === undefined ? null : parseId(accountText)
      if (accountId === undefined) throw new UsageError('--account must be an id')
      const status = textFlag(flags, 'status')
      const state = JOB_STATES.find((candidate) => candidate === status) ?? null
      if (status !== undefined && state === null)
        throw new UsageError(`--status must be one of ${JOB_STATES.join(', ')}`)
      const jobs = await listJobs(database, {
        accountId,
        limit: numberFlag(flags, 'limit', { min: 1, fallback: 50 }),
        before: null,
        state,
      })
      return { value: jobs.map(summary), text: table(jobs.map(summary)) }
    },
  },
  'job show': {
    args: 'ID',
    detail: 'the whole record',
    needsFoundation: true,
    run: async ({ args, foundation }) => {
      const job = await takeJob(foundation, args[0])
      const value = { ...toRecord(job), accountId: job.accountId, attempt: job.attempt }
      return { value, text: JSON.stringify(value, null, 2) }
    },
  },
  'job cancel': {
    args: 'ID',
    detail: 'cancels a queued or running job',
    needsFoundation: true,
    run: async ({ args, config, foundation }) => {
      const job = await takeJob(foundation, args[0])
      const { openCatalog, openJobQueue } = await import('../wiring.ts')
      const catalog = await openCatalog(config)
      const queue = await openJobQueue(foundation, catalog, { supervise: false })
      try {
        const canceled = await cancelJob({ ...foundation, catalog, queue }, job)
        return { value: summary(canceled), text: `job ${job.id} is ${canceled.state}` }
      } catch (error) {
        if (error instanceof RequestError) throw new UsageError(error.detail)
        throw error
      } finally {
        await queue.close()
      }
    },
  },
  'job refund': {
    args: 'ID [--note TEXT]',
    detail: 'gives the credits of a charged job back',
    needsFoundation: true,
    run: async ({ args, flags, foundation }) => {
      const job = await takeJob(foundation, args[0])
      const refunded = await refundJob(
        foundation.database,
        job.id,
        textFlag(flags, 'note') ?? 'refunded by the operator',
      )
      if (!refunded) throw new UsageError(`job ${job.id} is ${job.billing}, not charged`)
      return { value: summary(refunded), text: `refunded ${refunded.refundedCredits} credits` }
    },
  },
}
