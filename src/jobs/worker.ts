import type { Logger } from 'pino'
import type { Catalog } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import type { AccountPlans } from '../core/plans.ts'
import type { ExtractHandlers, SandboxPool } from '../sandbox/pool.ts'
import type { Blobs } from '../storage/blobs.ts'
import { type Database, isConnectionError } from '../storage/database.ts'
import { claimJob } from './claim.ts'
import { resultKey, uploadKey } from './files.ts'
import { type JobQueue, QUEUE_CHANNEL } from './queue.ts'
import { findJob, type Job, notifyJob } from './records.ts'
import { runJob } from './run-job.ts'
import { CANCEL_CHANNEL, type Outcome, settle, settleIn, toJobError } from './settle.ts'
import type { Telemetry } from './telemetry.ts'
import { registerWorker } from './workers.ts'

export type WorkerContext = {
  database: Database
  queue: JobQueue
  blobs: Blobs
  sandbox: SandboxPool
  catalog: Catalog
  plans: AccountPlans
  pools: readonly string[]
  /** Jobs at once. */
  maxJobs: number
  workFolder: string
  retentionMinutes: number
  /** What jobs may ask for that needs a network. */
  outside: NonNullable<ExtractHandlers['outside']>
  heartbeatSeconds: number
  shutdownSeconds: number
  telemetry: Telemetry
  log: Logger
}

export type Worker = {
  /** Finishes what runs, or gives it back to the queue when that takes too long. */
  stop(): Promise<void>
}

type Running = { job: Job; abort: AbortController; done: Promise<void> }

const POLL_MS = 1000
const LEASE_CHECK_MS = 1000
const PROGRESS_EVERY_MS = 1000
const SETTLE_RETRY_MS = 300

// Why a running attempt is stopped from outside.
const CANCELED = 'canceled'
const LEASE_LOST = 'lease lost'
const SHUTDOWN = 'shutdown'

/** Serves the pools until stopped. Woken by NOTIFY; the poll is for what no notification tells, such as a lost worker. */
export const startWorker = async (context: WorkerContext): Promise<Worker> => {
  const { database, log, pools, maxJobs } = context
  // By attempt, not by job: a worker that was slow to beat may get its own job back while the lost attempt still ends.
  const running = new Set<Running>()
  let stopping = false
  let wokenAgain = false
  let turn = 0
  // A job whose worker was lost waits in the queue while its record still says running.
  let lookEverywhere = true

  const claimNext = async (candidates: readonly string[]): Promise<Job | undefined> => {
    // Each look starts one pool further, so that a busy pool does not keep the others waiting.
    for (let i = 0; i < candidates.length; i++) {
      const job = await claimJob(context, candidates[(turn + i) % candidates.length] as string)
      if (job) {
        turn = (turn + i + 1) % candidates.length
        return job
      }
    }
    return undefined
  }

  let pumping: Promise<void> | undefined
  /** Fills the free places; a call while it is at work makes it look once more. */
  const pump = (): void => {
    wokenAgain = true
    pumping ??= fillPlaces()
      // The poll comes back to it.
      .catch((error) => log.warn({ err: error }, 'could not look for jobs'))
      .finally(() => {
        pumping = undefined
        if (wokenAgain && !stopping) pump()
      })
  }
  const fillPlaces = async (): Promise<void> => {
    while (wokenAgain && !stopping) {
      wokenAgain = false
      while (!stopping && running.size < maxJobs) {
        const waiting = lookEverywhere ? pools : await findWaitingPools(context)
        lookEverywhere = false
        const job = await claimNext(waiting)
        if (!job) break
        start(job)
      }
    }
  }

  const start = (job: Job): void => {
    const abort = new AbortController()
    const entry: Running = { job, abort, done: Promise.resolve() }
    running.add(entry)
    entry.done = runAndSettle(context, job, abort.signal)
      .catch((error) => log.error({ err: error, jobId: job.id }, 'a job could not be settled'))
      .finally(() => {
        running.delete(entry)
        pump()
      })
  }

  const stopListening = await Promise.all([
    database.listen(QUEUE_CHANNEL, pump, pump),
    database.listen(
      CANCEL_CHANNEL,
      (jobId) => {
        for (const { job, abort } of running) if (job.id === jobId) abort.abort(CANCELED)
      },
      () => undefined,
    ),
  ])

  const beat = repeat((context.heartbeatSeconds * 1000) / 4, log, async () => {
    for (const pool of pools) {
      const ids = [...running].filter(({ job }) => job.pool === pool).map(({ job }) => job.id)
      if (ids.length > 0) await context.queue.touch(pool, ids)
    }
  })
  const checkLeases = repeat(LEASE_CHECK_MS, log, async () => {
    // Only those whose claim had committed before the question was asked.
    const asked = [...running]
    if (asked.length === 0) return
    const rows = await database.query<{ id: string; attempt: number }>(
      `select replace(id::text, '-', '') as id, attempt from jobs where id = any($1::uuid[]) and state = 'running'`,
      [asked.map(({ job }) => job.id)],
    )
    const held = new Map(rows.map((row) => [row.id, row.attempt]))
    for (const { job, abort } of asked) {
      if (held.get(job.id) !== job.attempt) abort.abort(LEASE_LOST)
    }
  })
  const failLost = repeat(POLL_MS, log, () => failLostJobs(context))
  const poll = repeat(POLL_MS, log, async () => {
    lookEverywhere = true
    pump()
  })
  const presence = registerWorker(database, log, { pools, maxJobs, countRunning: () => running.size })
  pump()

  const stop = async (): Promise<void> => {
    stopping = true
    for (const timer of [poll, failLost]) timer.stop()
    await Promise.all(stopListening.map((end) => end()))
    // A claim under way still becomes a running job.
    await pumping
    const finished = Promise.all([...running].map(({ done }) => done))
    await Promise.race([finished, delay(context.shutdownSeconds * 1000)])
    for (const { abort } of running) abort.abort(SHUTDOWN)
    await Promise.all([...running].map(({ done }) => done))
    for (const timer of [beat, checkLeases]) timer.stop()
    await presence.withdraw()
  }
  return { stop }
}

/** The pools that have something to do: cheaper than an empty-handed claim on each. */
const findWaitingPools = async ({ database, pools }: WorkerContext): Promise<string[]> => {
  const rows = await database.query<{ pool: string }>(
    `select p as pool from unnest($1::text[]) p where exists (select 1 from jobs where state = 'queued' and pool = p)`,
    [pools],
  )
  return rows.map((row) => row.pool)
}

const runAndSettle = async (context: WorkerContext, job: Job, signal: AbortSignal): Promise<void> => {
  const { blobs, telemetry, queue } = context
  const log = context.log.child({ jobId: job.id, attempt: job.attempt })
  telemetry.jobStarted(job)
  log.info({ pool: job.pool, format: job.format, bytes: job.metrics.bytes }, 'job started')
  let outcome: Outcome
  try {
    outcome = await runJob({ ...context, onProgress: reportProgress(context, job) }, job, signal)
  } catch (error) {
    await blobs.delete(resultKey(job.id, job.attempt)).catch(() => undefined)
    // The upload of a job that is canceled may be gone before the word of it is here.
    if (!signal.aborted && (await isStillHeld(context, job))) {
      log.error({ err: error }, 'the worker could not run the job')
      return queue.abandon(job.pool, job.id)
    }
    log.info({ reason: (signal.reason as string | undefined) ?? LEASE_LOST }, 'job stopped')
    if (signal.reason === SHUTDOWN) await giveBack(context, job)
    return
  }
  const ended = await settlePersistently(context, job, outcome)
  if (!ended) {
    // Canceled, or another worker has it now: what this attempt made is nobody's.
    if (outcome.state === 'succeeded') await blobs.delete(outcome.resultKey)
    return log.info('job had ended elsewhere')
  }
  telemetry.jobEnded(ended)
  log.info({ state: ended.state, code: ended.error?.code, credits: ended.chargedCredits }, 'job ended')
  await blobs.delete(uploadKey(job.id))
}

const isStillHeld = async ({ database }: WorkerContext, { id, attempt }: Job): Promise<boolean> => {
  const current = await findJob(database, id)
  return current?.state === 'running' && current.attempt === attempt
}

/** A database that is away for a moment must not lose work that is done. */
const settlePersistently = async (context: WorkerContext, job: Job, outcome: Outcome): Promise<Job | undefined> => {
  const giveUpAt = Date.now() + context.heartbeatSeconds * 2000
  for (;;) {
    try {
      const ended = await settle(context, { jobId: job.id, attempt: job.attempt }, outcome)
      return ended ?? (await findOwnEnd(context, job, outcome))
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > giveUpAt) throw error
      context.log.warn({ err: error, jobId: job.id }, 'settling again')
      await delay(SETTLE_RETRY_MS)
    }
  }
}

// A commit whose answer was lost on the way has happened all the same: then the end on record is this attempt's. A job
// given up for lost has the same attempt, but another end.
const findOwnEnd = async ({ database }: WorkerContext, job: Job, outcome: Outcome): Promise<Job | undefined> => {
  const current = await findJob(database, job.id)
  if (current?.attempt !== job.attempt || current.state !== outcome.state) return undefined
  return outcome.state !== 'failed' || current.error?.code === outcome.error.code ? current : undefined
}

const giveBack = async ({ database, queue }: WorkerContext, job: Job): Promise<void> =>
  database.transaction(async (tx) => {
    const [row] = await tx.query(
      `update jobs set state = 'queued', started_at = null where id = $1 and state = 'running' and attempt = $2 returning id`,
      [job.id, job.attempt],
    )
    if (!row) return
    await queue.putBack(tx, { jobId: job.id, accountId: job.accountId, pool: job.pool, fairTag: job.fairTag })
    await notifyJob(tx, job.id)
  })

const failLostJobs = async (context: WorkerContext): Promise<void> => {
  for (;;) {
    const ended = await context.database.transaction(async (tx) => {
      const lost = await context.queue.takeLost(tx)
      if (!lost) return undefined
      const error = toJobError(new JobFailure('extract.worker_lost'))
      const job = await settleIn(tx, context, { jobId: lost.jobId }, { state: 'failed', error, warnings: [] })
      await lost.acknowledge()
      return { jobId: lost.jobId, job }
    })
    if (!ended) return
    if (ended.job) {
      context.telemetry.jobEnded(ended.job)
      context.log.error({ jobId: ended.jobId }, 'job lost with its worker')
      await context.blobs.delete(uploadKey(ended.jobId))
    }
  }
}

const reportProgress = ({ database, log }: WorkerContext, job: Job) => {
  let lastAtMs = Date.now()
  return (percent: number, phase: string): void => {
    if (Date.now() - lastAtMs < PROGRESS_EVERY_MS) return
    lastAtMs = Date.now()
    database
      .query(
        `with moved as (
           update jobs set progress_percent = greatest(progress_percent, $3), progress_phase = $4
           where id = $1 and state = 'running' and attempt = $2 returning 1
         ) select pg_notify('quarry_job', $5) from moved`,
        [job.id, job.attempt, Math.min(99, Math.floor(percent)), phase, job.id],
      )
      .catch((error) => log.warn({ err: error, jobId: job.id }, 'progress was not written'))
  }
}

/** Runs the work again and again, never twice at a time; what it throws is logged. */
const repeat = (everyMs: number, log: Logger, work: () => Promise<void>): { stop(): void } => {
  let busy = false
  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'a periodic task failed')
    } finally {
      busy = false
    }
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
