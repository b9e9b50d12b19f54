import { holdCredits, lockBalance } from '../accounts/ledger.ts'
import { type Catalog, type Format, jobKind } from '../core/catalog.ts'
import { type JobFailure, RequestError } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import type { JobPlan } from '../core/options.ts'
import type { AccountPlan } from '../core/plans.ts'
import type { Quote } from '../core/pricing.ts'
import { type Database, isUniqueViolation, type Sql } from '../storage/database.ts'
import { type JobQueue, QUEUE_CHANNEL } from './queue.ts'
import { settleIn, toJobError } from './settle.ts'

/** Everything known of a file and of what is to be done with it, ready to become a job. */
export type Submission = {
  jobId: string
  accountId: string
  accountPlan: AccountPlan
  format: Format
  extension: string
  /** Name without its extension, and whole. */
  fileName: string
  sourceName: string
  sourceSha256: string
  metrics: Metrics
  plan: JobPlan
  quote: Quote
  /** The file could not be measured: the job is recorded as failed at once. */
  failure: JobFailure | null
  idempotency: { key: string; fingerprint: string } | null
}

/** The body of the 202. */
export type SubmissionRecord = {
  id: string
  status: 'Queued'
  fileName: string
  format: string
  job: string
  workflow: JobPlan['workflow']
  queue: { pool: string; position: number }
  quotedCredits: number
  createdAt: string
}

type Context = { database: Database; queue: JobQueue; catalog: Catalog; poolLimit: number }

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_HOURS = 24

/**
 * Makes the job: hold, row and place in the queue in one transaction. Answers `replayed` when the Idempotency-Key
 * already made one; the caller then throws this upload away.
 */
export const submitJob = async (
  context: Context,
  submission: Submission,
): Promise<{ record: SubmissionRecord; replayed: boolean }> => {
  try {
    return await context.database.transaction((tx) => submitIn(tx, context, submission))
  } catch (error) {
    // Another request with the same key committed first: answer as it did.
    if (!isUniqueViolation(error, 'idempotency_keys_pkey')) throw error
    return context.database.transaction((tx) => submitIn(tx, context, submission))
  }
}

const submitIn = async (tx: Sql, { queue, catalog, poolLimit }: Context, submission: Submission) => {
  const { jobId, accountId, accountPlan, format, plan, quote, idempotency } = submission
  const balance = await lockBalance(tx, accountId)
  if (idempotency) {
    const earlier = await findReplay(tx, accountId, idempotency)
    if (earlier) return { record: earlier, replayed: true }
  }
  const place = await findPlace(tx, accountId, format.pool)
  if (place.accountQueued >= accountPlan.maxQueuedJobs) {
    throw new RequestError('queue.limit_exceeded', {
      maxQueuedJobs: accountPlan.maxQueuedJobs,
      queued: place.accountQueued,
    })
  }
  if (place.poolQueued >= poolLimit) throw new RequestError('queue.pool_saturated', { pool: format.pool })
  await holdCredits(tx, {
    accountId,
    plan: accountPlan,
    jobId,
    credits: quote.quotedCredits,
    balance,
    note: submission.extension,
  })
  const [row] = await tx.query<{ created_at: Date; ahead: number }>(
    `with inserted as (
       insert into jobs (id, account_id, state, billing, workflow, pool, family, category, format, file_name, source_name,
         source_sha256, metrics, plan, quoted_credits, fair_tag)
       values ($1, $2, 'queued', 'held', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::int)
       returning created_at
     )
     select created_at, pg_notify('${QUEUE_CHANNEL}', $4), (select count(*) from jobs where state = 'queued' and pool = $4 and (fair_tag, id) < ($14::int, $1::uuid)) as ahead
     from inserted`,
    [
      jobId,
      accountId,
      plan.workflow,
      format.pool,
      format.name,
      format.category,
      submission.extension,
      submission.fileName,
      submission.sourceName,
      submission.sourceSha256,
      submission.metrics,
      plan,
      quote.quotedCredits,
      place.fairTag,
    ],
  )
  if (!row) throw new Error('the job row was not returned')
  await queue.send(tx, { jobId, accountId, pool: format.pool, fairTag: place.fairTag })
  const record: SubmissionRecord = {
    id: jobId,
    status: 'Queued',
    fileName: submission.fileName,
    format: submission.extension,
    job: jobKind(submission.extension),
    workflow: plan.workflow,
    queue: { pool: format.pool, position: row.ahead + 1 },
    quotedCredits: quote.quotedCredits,
    createdAt: row.created_at.toISOString(),
  }
  if (idempotency) {
    await tx.query(
      'insert into idempotency_keys (account_id, key, fingerprint, job_id, answer) values ($1, $2, $3, $4, $5)',
      [accountId, idempotency.key, idempotency.fingerprint, jobId, record],
    )
  }
  if (submission.failure) {
    await settleIn(
      tx,
      { queue, catalog },
      { jobId },
      { state: 'failed', error: toJobError(submission.failure), warnings: [] },
    )
  }
  return { record, replayed: false }
}

/** Whether a job was made with the key of late, whose answer is due again. */
export const hasReplay = async (sql: Sql, accountId: string, key: string): Promise<boolean> =>
  (
    await sql.query(
      `select from idempotency_keys
       where account_id = $1 and key = $2 and created_at >= now() - make_interval(hours => $3)`,
      [accountId, key, IDEMPOTENCY_HOURS],
    )
  ).length > 0

const findReplay = async (tx: Sql, accountId: string, { key, fingerprint }: { key: string; fingerprint: string }) => {
  const [found] = await tx.query<{ fingerprint: string; answer: SubmissionRecord; stale: boolean }>(
    `select fingerprint, answer, created_at < now() - make_interval(hours => $3) as stale
     from idempotency_keys where account_id = $1 and key = $2`,
    [accountId, key, IDEMPOTENCY_HOURS],
  )
  if (!found) return undefined
  if (found.stale) {
    await tx.query('delete from idempotency_keys where account_id = $1 and key = $2', [accountId, key])
    return undefined
  }
  if (found.fingerprint !== fingerprint) throw new RequestError('idempotency.key_reused', { key })
  return found.answer
}

/**
 * Start-time fair queueing: a job's tag is the pool's virtual time (the lowest tag still open) or one past the
 * account's own last open tag, whichever is later. Accounts take turns however many jobs one of them sends, and a
 * waiting job is never overtaken for ever, because the virtual time cannot pass it.
 */
const findPlace = async (tx: Sql, accountId: string, pool: string) => {
  const [row] = await tx.query<{ accountQueued: number; poolQueued: number; fairTag: number }>(
    `select
       (select count(*) from jobs where account_id = $1 and state = 'queued') as "accountQueued",
       (select count(*) from jobs where pool = $2 and state = 'queued') as "poolQueued",
       greatest(
         coalesce((select fair_tag from jobs where pool = $2 and state = 'queued' order by fair_tag limit 1), 0),
         coalesce((select max(fair_tag) + 1 from jobs where account_id = $1 and pool = $2 and state in ('queued', 'running')), 0)
       ) as "fairTag"`,
    [accountId, pool],
  )
  return row ?? { accountQueued: 0, poolQueued: 0, fairTag: 0 }
}
