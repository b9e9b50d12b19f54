import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Entitlements, readEntitlements } from '../accounts/entitlements.ts'
import { splitFileName } from '../core/artifact-names.ts'
import { type Format, findFormat } from '../core/catalog.ts'
import { JobFailure, RequestError } from '../core/errors.ts'
import { checkDuration, checkFileSize } from '../core/estimate.ts'
import { newId } from '../core/ids.ts'
import type { Workflow } from '../core/job-states.ts'
import type { Metrics } from '../core/metrics.ts'
import { type JobPlan, parseOptionsJson, resolveOptions, sharedValues } from '../core/options.ts'
import { type Quote, quote } from '../core/pricing.ts'
import { detectSignature } from '../core/signatures.ts'
import { childOwner } from '../jobs/child-owner.ts'
import { uploadKey } from '../jobs/files.ts'
import { describeMetrics } from '../jobs/records.ts'
import { hasReplay, type SubmissionRecord, submitJob } from '../jobs/submit.ts'
import { webhookUrlProblem } from '../jobs/webhook-address.ts'
import { isConnectionError } from '../storage/database.ts'
import type { Service } from './service.ts'
import { welcomeBody } from './unread-body.ts'
import { receiveUpload, type Upload } from './upload.ts'
import type { Actor } from './web/visitor.ts'

/** Whose account a file is for. Guests share theirs with others, and get no more of it than they need. */
export type Sender = Actor & { isGuest: boolean }

/** What is known of a file, and the id of the job that it becomes. */
export type Source = { jobId: string; name: string; extension: string; bytes: number; sha256: string }

/** A file on our disk, its options understood, its head not in contradiction to its name. */
export type ReceivedFile = { source: Source; path: string; format: Format; plan: JobPlan }

type Measured = { metrics: Metrics; failure: JobFailure | null }

// Room for the boundaries and the options beside the file.
const MULTIPART_OVERHEAD_BYTES = 2 * 1_048_576
const SMALL_BODY_BYTES = 262_144
const PROBE_MS = 60_000

/** A hook of routes that take a file: no other body is read. */
export const refuseOtherBodies = async (request: FastifyRequest): Promise<void> => {
  if (/^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return
  throw new RequestError('request.invalid_content_type', { allowed: ['multipart/form-data'] })
}

/** Refuses a file that is too large by what the client says of it, before a byte of it is read. */
export const checkAnnouncedSize = (request: FastifyRequest, { accountPlan }: Sender): void =>
  checkFileSize(accountPlan, announcedBytes(request) - MULTIPART_OVERHEAD_BYTES)

/** Refuses a file of an account that cannot pay for any, before a byte of it is read. */
export const checkFunds = async (
  { database }: Service,
  request: FastifyRequest,
  sender: Sender,
  idempotencyKey: string | null = null,
): Promise<void> => {
  const announced = announcedBytes(request)
  // A small body is here before a refusal could stop it; the submission itself looks at the credits.
  if (announced > 0 && announced <= SMALL_BODY_BYTES) return
  const refusal = findWant(await readEntitlements(database, sender, sender.accountPlan))
  if (!refusal) return
  // The first answer to a key may have taken the last credits, and is due again. Asked in this order: a job that took
  // them after the look at the credits left its key with them.
  if (idempotencyKey !== null && (await hasReplay(database, sender.accountId, idempotencyKey))) return
  throw refusal
}

const findWant = ({ totalCredits, dailyLimit, dailyUsed, resetDate }: Entitlements): RequestError | undefined => {
  if (dailyLimit !== null && dailyUsed !== null && dailyUsed >= dailyLimit)
    return new RequestError('usage.daily_limit_exceeded', { dailyLimit, dailyUsed, resetDate, required: 1 })
  if (totalCredits < 1)
    return new RequestError('entitlements.insufficient_credits', { required: 1, available: totalCredits })
  return undefined
}

const announcedBytes = (request: FastifyRequest): number => Number(request.headers['content-length'] ?? 0)

/** Receives the one file of a form and hands it on; whatever becomes of it, nothing stays where it was received. */
export const receiveFile = async <T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { sender, workflow }: { sender: Sender; workflow: Workflow },
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> => {
  const jobId = newId()
  const path = join(service.incomingFolder, jobId)
  const readPlan = (format: Format, optionsText: string | undefined) =>
    resolvePlan(service, sender, format, workflow, readOptions(optionsText))
  welcomeBody(request, reply.raw)
  const upload = await receiveUpload(request, {
    path,
    maxFileSizeMb: sender.accountPlan.maxFileSizeMb,
    checkHeader: (extension, optionsText) => {
      const format = takeFormat(service, extension, workflow)
      if (optionsText !== undefined) readPlan(format, optionsText)
    },
  })
  try {
    const { name, extension, bytes, sha256 } = upload
    const format = takeFormat(service, extension, workflow)
    const plan = readPlan(format, upload.optionsText)
    refuseOtherContent(format, upload)
    return await use({ source: { jobId, name, extension, bytes, sha256 }, path, format, plan })
  } finally {
    await rm(path, { force: true })
  }
}

/** The way of a file from its first byte to its job, whoever sends it and by whichever door. */
export const acceptFile = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    sender,
    workflow,
    idempotencyKey = null,
    maxCredits = null,
  }: { sender: Sender; workflow: Workflow; idempotencyKey?: string | null; maxCredits?: number | null },
): Promise<SubmissionRecord> =>
  receiveFile(service, request, reply, { sender, workflow }, async (file) => {
    const { blobs } = service
    const { source, path, format, plan } = file
    const key = uploadKey(source.jobId)
    const { metrics, failure } = await measureFile(service, sender, file)
    // A file that cannot be measured costs nothing, whatever was agreed to.
    const quoted = quoteFile(sender, { source, format, plan, metrics }, failure ? null : maxCredits)
    // Nor can it be run: the job it makes has already failed.
    if (!failure) await blobs.putFile(key, path)
    try {
      const job = { source, format, plan, metrics, quoted, failure, idempotencyKey }
      const { record, replayed } = await makeJob(service, request, sender, job)
      if (replayed) await blobs.delete(key)
      return record
    } catch (error) {
      // After a lost connection the job may stand: its file is left for the sweep to judge.
      if (!isConnectionError(error)) await blobs.delete(key)
      throw error
    }
  })

/** Measures a file in the sandbox; a file that cannot be measured has a failure. */
export const measureFile = async (
  { sandbox }: Service,
  { accountId, isGuest }: Sender,
  { source: { jobId, name, extension, bytes }, path: inputPath, format, plan }: ReceivedFile,
): Promise<Measured> => {
  if (!format.probe) return { metrics: { bytes }, failure: null }
  try {
    const shared = sharedValues(format, plan.capabilities)
    const measured = await sandbox.probe(
      { owner: childOwner({ isGuest, accountId, jobId }), extension, inputPath, name, bytes, shared },
      AbortSignal.timeout(PROBE_MS),
    )
    return { metrics: { ...measured, bytes }, failure: null }
  } catch (error) {
    const failure =
      error instanceof JobFailure ? error : new JobFailure('extract.timed_out', { limit: 'probe' }, { cause: error })
    return { metrics: { bytes, durationSeconds: 0, pages: 0, slides: 0, sheets: 0, frames: 0 }, failure }
  }
}

/** The price of a measured file, if the plan allows it and it is not more than was agreed to. */
export const quoteFile = (
  { accountPlan }: Sender,
  { source, format, plan, metrics }: { source: Source; format: Format; plan: JobPlan; metrics: Metrics },
  maxCredits: number | null = null,
): Quote => {
  checkDuration(accountPlan, metrics)
  const quoted = quote(format, source.extension, plan, metrics)
  const { quotedCredits } = quoted
  if (maxCredits !== null && quotedCredits > maxCredits) {
    throw new RequestError('quote.exceeded', { quotedCredits, maxCredits, metrics: describeMetrics(metrics) })
  }
  return quoted
}

/** Makes the job of a file that lies in the store, or answers again for one that was made with the same key. */
export const makeJob = async (
  { database, queue, catalog, config, telemetry }: Service,
  request: FastifyRequest,
  { accountId, accountPlan }: Sender,
  job: {
    source: Source
    format: Format
    plan: JobPlan
    metrics: Metrics
    quoted: Quote
    failure: JobFailure | null
    idempotencyKey: string | null
  },
): Promise<{ record: SubmissionRecord; replayed: boolean }> => {
  const { source, format, plan, metrics, quoted, failure, idempotencyKey: key } = job
  const made = await submitJob(
    { database, queue, catalog, poolLimit: config.poolLimit },
    {
      jobId: source.jobId,
      accountId,
      accountPlan,
      format,
      extension: source.extension,
      fileName: splitFileName(source.name).stem,
      sourceName: source.name,
      sourceSha256: source.sha256,
      metrics,
      plan,
      quote: quoted,
      failure,
      idempotency: key === null ? null : { key, fingerprint: fingerprint(source, plan) },
    },
  )
  if (!made.replayed) telemetry.jobSubmitted(format.pool, quoted.quotedCredits)
  const { id, format: extension, quotedCredits } = made.record
  request.log.info({ jobId: id, format: extension, bytes: source.bytes, credits: quotedCredits }, 'job accepted')
  return made
}

/** The family of an extension, if it can do what is asked. */
export const takeFormat = ({ catalog }: Service, extension: string, workflow: Workflow): Format => {
  const format = findFormat(catalog, extension)
  if (format && (workflow === 'extract' || format.transcription)) return format
  throw new RequestError(
    'request.invalid_extension',
    { extension, workflow },
    extension === '' ? { detail: 'The file name has no extension, so its format is not known.' } : {},
  )
}

/** The options as a plan; webhooks are for those who have an account of their own. */
export const resolvePlan = (
  { config }: Service,
  { isGuest }: Sender,
  format: Format,
  workflow: Workflow,
  options: unknown,
): JobPlan => {
  const plan = resolveOptions(format, workflow, options)
  if (!plan.webhook) return plan
  const problem = isGuest
    ? 'is for those who are signed in'
    : webhookUrlProblem(plan.webhook.url, config.webhookAllowPrivate)
  if (!problem) return plan
  throw new RequestError(
    'request.invalid_parameter',
    { path: 'options.webhookUrl' },
    { detail: `options.webhookUrl ${problem}.` },
  )
}

const readOptions = (optionsText: string | undefined): unknown =>
  optionsText === undefined || optionsText.trim() === '' ? undefined : parseOptionsJson(optionsText)

const refuseOtherContent = (format: Format, upload: Upload): void => {
  const detected = detectSignature(upload.head)
  if (detected !== undefined && !format.accepts.includes(detected)) {
    throw new RequestError('request.content_mismatch', { detected, extension: upload.extension })
  }
}

const fingerprint = (source: Source, plan: JobPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([source.sha256, source.name, plan]))
    .digest('hex')
