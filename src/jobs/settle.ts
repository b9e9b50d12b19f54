import { isDeepStrictEqual } from 'node:util'
import { webhookSecretOf } from '../accounts/accounts.ts'
import type { Catalog } from '../core/catalog.ts'
import type { JobFailure } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { SETTLEMENT, type TerminalState } from '../core/job-states.ts'
import { redactPlan } from '../core/options.ts'
import type { Database, Sql } from '../storage/database.ts'
import type { JobQueue } from './queue.ts'
import {
  JOB_CHANNEL,
  JOB_COLUMNS,
  type Job,
  type JobError,
  type JobOutput,
  type JobTranscription,
  type JobWarning,
  toRecord,
} from './records.ts'

export type Outcome =
  | {
      state: 'succeeded'
      output: JobOutput
      resultKey: string
      retentionMinutes: number
      warnings: JobWarning[]
      transcription: JobTranscription | null
    }
  | { state: 'failed'; error: JobError; warnings: JobWarning[] }
  | { state: 'canceled' }

/** Which job ends, and from where: a worker may end only the attempt it holds. */
export type SettleTarget = { jobId: string; attempt?: number }

type Context = { database: Database; queue: JobQueue; catalog: Catalog }

export const toJobError = (failure: JobFailure): JobError => ({
  error: failure.code,
  code: failure.code,
  params: failure.params,
  detail: failure.detail,
})

/**
 * Ends a job: its state, the capture or release of its credits, its place in the queue and its webhook change in one
 * transaction or not at all. This is the only place that writes a capture or a release. Undefined when the job had
 * already ended, or the attempt is no longer the current one.
 */
export const settle = async (context: Context, target: SettleTarget, outcome: Outcome): Promise<Job | undefined> =>
  context.database.transaction((tx) => settleIn(tx, context, target, outcome))

export const settleIn = async (
  tx: Sql,
  { queue, catalog }: Omit<Context, 'database'>,
  target: SettleTarget,
  outcome: Outcome,
): Promise<Job | undefined> => {
  const job = await endJob(tx, target, outcome)
  if (!job) return undefined
  await queue.remove(tx, job.pool, job.id)
  await enqueueWebhook(tx, job, outcome.state)
  await forgetSecrets(tx, job, catalog)
  if (outcome.state === 'canceled') await tx.query('select pg_notify($1, $2)', [CANCEL_CHANNEL, job.id])
  return job
}

/** One statement: there is no moment at which the job has ended and its credits have not. */
const endJob = async (tx: Sql, target: SettleTarget, outcome: Outcome): Promise<Job | undefined> => {
  const succeeded = outcome.state === 'succeeded' ? outcome : null
  const [ended] = await tx.query<Job>(
    `with ended as (
       update jobs j set state = $3, billing = $4, charged_credits = case when $3 = 'succeeded' then quoted_credits else 0 end,
         progress_percent = case when $3 = 'succeeded' then 100 else progress_percent end,
         output = $5, result_key = $6, expires_at = now() + make_interval(secs => $7), warnings = $8, transcription = $9,
         error = $10, finished_at = now()
       where j.id = $1 and j.state in ('queued', 'running') and ($2::int is null or j.attempt = $2)
       returning ${JOB_COLUMNS}
     ), settled as (
       insert into ledger_entries (account_id, bucket, kind, credits, job_id, note)
       select account_id, bucket, $11, credits, job_id, note from ledger_entries
       where job_id = $1 and kind = 'hold' and exists (select 1 from ended)
       -- In the order of the holds, so that no two settlements wait for each other's buckets.
       order by id
     )
     select *, pg_notify('${JOB_CHANNEL}', "id") from ended`,
    [
      target.jobId,
      target.attempt ?? null,
      outcome.state,
      succeeded ? 'charged' : 'released',
      succeeded?.output ?? null,
      succeeded?.resultKey ?? null,
      succeeded ? succeeded.retentionMinutes * 60 : null,
      JSON.stringify(outcome.state === 'canceled' ? [] : outcome.warnings),
      succeeded?.transcription ?? null,
      outcome.state === 'failed' ? outcome.error : null,
      SETTLEMENT[outcome.state],
    ],
  )
  return ended
}

/** What was secret in the options has done its work. */
const forgetSecrets = async (tx: Sql, job: Job, catalog: Catalog): Promise<void> => {
  const redacted = redactPlan(catalog.byExtension.get(job.format), job.plan)
  if (isDeepStrictEqual(redacted, job.plan)) return
  await tx.query('update jobs set plan = $2 where id = $1', [job.id, redacted])
}

const enqueueWebhook = async (tx: Sql, job: Job, state: TerminalState): Promise<void> => {
  const { webhook } = job.plan
  const event = `job.${state}` as const
  if (!webhook?.events.includes(event)) return
  const secret = webhook.secret ?? (await webhookSecretOf(tx, job.accountId))
  const body = JSON.stringify({ type: event, timestamp: job.finishedAt?.toISOString(), data: toRecord(job) })
  await tx.query(
    'insert into webhook_deliveries (id, account_id, job_id, event, url, secret, body) values ($1, $2, $3, $4, $5, $6, $7)',
    [newId(), job.accountId, job.id, event, webhook.url, secret, body],
  )
  await tx.query('select pg_notify($1, $2)', [WEBHOOK_CHANNEL, job.id])
}

/** Tells the worker that runs a job to stop. */
export const CANCEL_CHANNEL = 'quarry_cancel'
/** Wakes whoever delivers webhooks. */
export const WEBHOOK_CHANNEL = 'quarry_webhook'
