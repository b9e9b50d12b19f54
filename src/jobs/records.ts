import { jobKind } from '../core/catalog.ts'
import type { Billing, JobState, Workflow } from '../core/job-states.ts'
import type { Metrics } from '../core/metrics.ts'
import type { JobPlan } from '../core/options.ts'
import type { ProviderSpend, TranscriptionFacts } from '../core/outside.ts'
import type { Sql } from '../storage/database.ts'

export type OutputFile = { path: string; bytes: number; capabilityId: string | null }
export type JobOutput = {
  fileName: string
  contentType: string
  bytes: number
  fileCount: number
  sha256: string
  files: OutputFile[]
}
export type JobWarning = { code: string; capabilityId: string | null; detail: string }
export type JobError = { error: string; code: string; params: Readonly<Record<string, unknown>>; detail: string }

/** How a transcript was made; `spend` is what providers were asked for, null where none was. */
export type JobTranscription = TranscriptionFacts & { spend: ProviderSpend | null }

/** A job as the database holds it. */
export type Job = {
  id: string
  accountId: string
  /** Guests of one network share an account, but nothing else. */
  isGuest: boolean
  state: JobState
  billing: Billing
  workflow: Workflow
  pool: string
  family: string
  category: string
  format: string
  fileName: string
  sourceName: string
  sourceSha256: string
  metrics: Metrics
  plan: JobPlan
  quotedCredits: number
  chargedCredits: number
  refundedCredits: number
  fairTag: number
  attempt: number
  progressPercent: number
  progressPhase: string | null
  output: JobOutput | null
  resultKey: string | null
  warnings: JobWarning[]
  transcription: JobTranscription | null
  error: JobError | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  expiresAt: Date | null
}

/** The columns of a job, named as `Job` names them. */
export const JOB_COLUMNS = `
  replace(j.id::text, '-', '') as "id", j.account_id as "accountId",
  exists (select from accounts g where g.id = j.account_id and g.guest_network is not null) as "isGuest", j.state, j.billing, j.workflow, j.pool, j.family,
  j.category, j.format, j.file_name as "fileName", j.source_name as "sourceName", j.source_sha256 as "sourceSha256",
  j.metrics, j.plan, j.quoted_credits as "quotedCredits", j.charged_credits as "chargedCredits",
  j.refunded_credits as "refundedCredits", j.fair_tag as "fairTag", j.attempt,
  j.progress_percent as "progressPercent", j.progress_phase as "progressPhase", j.output, j.result_key as "resultKey",
  j.warnings, j.transcription, j.error, j.created_at as "createdAt", j.started_at as "startedAt",
  j.finished_at as "finishedAt", j.expires_at as "expiresAt"`

/** Tells watchers of a job that its record changed; the payload is the job's id. */
export const JOB_CHANNEL = 'quarry_job'

export const notifyJob = async (sql: Sql, jobId: string): Promise<void> => {
  await sql.query('select pg_notify($1, $2)', [JOB_CHANNEL, jobId])
}

export const findJob = async (sql: Sql, id: string): Promise<Job | undefined> => {
  const [job] = await sql.query<Job>(`select ${JOB_COLUMNS} from jobs j where j.id = $1`, [id])
  return job
}

/** One-based place among the waiting jobs of the pool; null once it runs. */
const POSITION = `case when j.state = 'queued' then 1 + (
  select count(*) from jobs a where a.state = 'queued' and a.pool = j.pool and (a.fair_tag, a.id) < (j.fair_tag, j.id)
) end as "position"`

export type PlacedJob = Job & { position: number | null }

/** The job with its place in the queue, in one look: this is what clients poll. */
export const findPlacedJob = async (sql: Sql, id: string): Promise<PlacedJob | undefined> => {
  const [job] = await sql.query<PlacedJob>(`select ${JOB_COLUMNS}, ${POSITION} from jobs j where j.id = $1`, [id])
  return job
}

/** A page of an account's jobs, the newest first. */
export const listJobs = async (
  sql: Sql,
  {
    accountId,
    limit,
    before,
    state,
    format = null,
    name = null,
  }: {
    accountId: string | null
    limit: number
    before: string | null
    state: JobState | null
    format?: string | null
    /** A part of the name of the source, in any case. */
    name?: string | null
  },
): Promise<PlacedJob[]> =>
  sql.query<PlacedJob>(
    `select ${JOB_COLUMNS}, ${POSITION} from jobs j
     where ($1::uuid is null or j.account_id = $1) and ($2::uuid is null or j.id < $2) and ($3::text is null or j.state = $3)
       and ($4::text is null or j.format = $4) and ($5::text is null or j.source_name ~ $5)
     order by j.id desc limit $6`,
    [accountId, before, state, format, name === null ? null : inAnyCase(name), limit],
  )

/** A regular expression for the text; what the database itself takes for the same letter depends on its locale. */
const inAnyCase = (text: string): string =>
  [...text.normalize('NFC')]
    .map((character) => {
      const forms = new Set([character, character.toLowerCase(), character.toUpperCase()])
      const single = [...forms].filter((form) => [...form].length === 1)
      return single.length > 1 ? `[${single.join('')}]` : character.replace(/[^\p{L}\p{N}]/u, '\\$&')
    })
    .join('')

/** What was measured, under the names that an estimate takes it by. */
export const describeMetrics = ({ durationSeconds, pages, slides, sheets, frames }: Metrics) => ({
  durationSeconds: durationSeconds ?? null,
  pageCount: pages ?? null,
  slideCount: slides ?? null,
  sheetCount: sheets ?? null,
  frameCount: frames ?? null,
})

/** The record of `GET /job/{id}`. */
export const toRecord = (job: Job & { position?: number | null }) => ({
  id: job.id,
  status: job.state,
  job: jobKind(job.format),
  workflow: job.workflow,
  fileName: job.fileName,
  format: job.format,
  category: job.category,
  queue: job.position == null ? null : { pool: job.pool, position: job.position },
  progress: { percent: job.progressPercent, phase: job.progressPhase },
  metrics: {
    inputBytes: job.metrics.bytes,
    outputBytes: job.output?.bytes ?? null,
    ...describeMetrics(job.metrics),
    quotedCredits: job.quotedCredits,
    chargedCredits: job.chargedCredits,
    refundedCredits: job.refundedCredits,
  },
  billing: job.billing,
  output: job.output && { ...job.output, expiresAt: job.expiresAt?.toISOString() ?? null },
  warnings: job.warnings,
  transcription: job.transcription,
  error: job.error,
  createdAt: job.createdAt.toISOString(),
  startedAt: job.startedAt?.toISOString() ?? null,
  finishedAt: job.finishedAt?.toISOString() ?? null,
})
export type JobRecord = ReturnType<typeof toRecord>
