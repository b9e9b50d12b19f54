import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readEntitlements } from '../../accounts/entitlements.ts'
import { type Format, findFormat } from '../../core/catalog.ts'
import { JobFailure, RequestError } from '../../core/errors.ts'
import { checkDuration, checkFileSize } from '../../core/estimate.ts'
import { newId } from '../../core/ids.ts'
import type { Workflow } from '../../core/job-states.ts'
import type { Metrics } from '../../core/metrics.ts'
import { type JobPlan, parseOptionsJson, resolveOptions, sharedValues } from '../../core/options.ts'
import { quote } from '../../core/pricing.ts'
import { detectSignature } from '../../core/signatures.ts'
import { uploadKey } from '../../jobs/files.ts'
import { submitJob } from '../../jobs/submit.ts'
import { webhookUrlProblem } from '../../jobs/webhook-address.ts'
import { isConnectionError } from '../../storage/database.ts'
import { type AuthenticatedCaller, callerOf } from '../auth.ts'
import { errorResponses, submissionSchema } from '../schemas.ts'
import type { Service } from '../service.ts'
import { welcomeBody } from '../unread-body.ts'
import { receiveUpload, type Upload } from '../upload.ts'

// Room for the boundaries and the options beside the file.
const MULTIPART_OVERHEAD_BYTES = 2 * 1_048_576
const SMALL_BODY_BYTES = 262_144
const MAX_IDEMPOTENCY_KEY = 255

const ERRORS = [
  'api_key.pro_required',
  'request.no_files',
  'request.multiple_files',
  'request.empty_file',
  'request.invalid_content_type',
  'request.malformed',
  'request.unknown_field',
  'request.invalid_parameter',
  'request.constraint_violated',
  'request.invalid_extension',
  'request.content_mismatch',
  'entitlements.insufficient_credits',
  'usage.daily_limit_exceeded',
  'estimate.duration_limit_exceeded',
  'idempotency.key_reused',
  'request.file_too_large',
  'queue.limit_exceeded',
  'queue.pool_saturated',
] as const

/** `POST /extract` and `POST /extract/transcribe`: one file in, one job made. */
export const submitRoutes = (app: FastifyInstance, service: Service): void => {
  for (const [url, workflow] of [
    ['/extract', 'extract'],
    ['/extract/transcribe', 'transcribe'],
  ] as const) {
    app.post(url, {
      config: { access: 'pro', query: [] },
      schema: {
        summary: workflow === 'extract' ? 'Submit a file for extraction' : 'Submit a recording for transcription',
        tags: ['Jobs'],
        consumes: ['multipart/form-data'],
        response: { 202: submissionSchema, ...errorResponses(ERRORS) },
      },
      preParsing: refuseOtherBodies,
      handler: (request, reply) => submit(service, request, reply, workflow),
    })
  }
}

const refuseOtherBodies = async (request: FastifyRequest): Promise<void> => {
  if (/^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return
  throw new RequestError('request.invalid_content_type', { allowed: ['multipart/form-data'] })
}

const submit = async (service: Service, request: FastifyRequest, reply: FastifyReply, workflow: Workflow) => {
  const caller = callerOf(request)
  const idempotencyKey = readIdempotencyKey(request)
  await checkBeforeTheBody(service, caller, request, idempotencyKey)
  const jobId = newId()
  const path = join(service.incomingFolder, jobId)
  welcomeBody(request, reply.raw)
  const upload = await receiveUpload(request, {
    path,
    maxFileSizeMb: caller.accountPlan.maxFileSizeMb,
    checkHeader: (extension, optionsText) => {
      const format = takeFormat(service, extension, workflow)
      if (optionsText !== undefined) resolvePlan(service, format, workflow, optionsText)
    },
  })
  try {
    const { record } = await makeJob(service, caller, { jobId, upload, workflow, idempotencyKey })
    request.log.info(
      { jobId: record.id, format: record.format, bytes: upload.bytes, credits: record.quotedCredits },
      'job accepted',
    )
    return reply.code(202).header('location', `/extract/job/${record.id}`).send(record)
  } finally {
    await rm(path, { force: true })
  }
}

const makeJob = async (
  service: Service,
  caller: AuthenticatedCaller,
  {
    jobId,
    upload,
    workflow,
    idempotencyKey,
  }: { jobId: string; upload: Upload; workflow: Workflow; idempotencyKey: string | null },
) => {
  const { database, queue, blobs, config, catalog } = service
  const format = takeFormat(service, upload.extension, workflow)
  const plan = resolvePlan(service, format, workflow, upload.optionsText)
  refuseOtherContent(format, upload)
  const { metrics, failure } = await measure(service, caller, format, upload, plan)
  checkDuration(caller.accountPlan, metrics)
  const quoted = quote(format, upload.extension, plan, metrics)
  const { accountId, accountPlan } = caller
  // A file that cannot be measured cannot be run either: the job it makes has already failed, uncharged.
  if (!failure) await blobs.putFile(uploadKey(jobId), upload.path)
  try {
    const made = await submitJob(
      { database, queue, catalog, poolLimit: config.poolLimit },
      {
        jobId,
        accountId,
        accountPlan,
        format,
        extension: upload.extension,
        fileName: upload.stem,
        sourceName: upload.name,
        sourceSha256: upload.sha256,
        metrics,
        plan,
        quote: quoted,
        failure,
        idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint(upload, plan) },
      },
    )
    if (made.replayed) await blobs.delete(uploadKey(jobId))
    else service.telemetry.jobSubmitted(format.pool, quoted.quotedCredits)
    return made
  } catch (error) {
    // After a lost connection the job may stand: its file is left for the sweep to judge.
    if (!isConnectionError(error)) await blobs.delete(uploadKey(jobId))
    throw error
  }
}

/** Everything that can be refused without reading the body. */
const checkBeforeTheBody = async (
  { database }: Service,
  caller: AuthenticatedCaller,
  request: FastifyRequest,
  idempotencyKey: string | null,
): Promise<void> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  checkFileSize(caller.accountPlan, announced - MULTIPART_OVERHEAD_BYTES)
  // The first answer to this key may have taken the last credits, and is due again.
  if (idempotencyKey !== null) return
  // A small body is here before a refusal could stop it; the submission itself looks at the credits.
  if (announced > 0 && announced <= SMALL_BODY_BYTES) return
  const { totalCredits, dailyLimit, dailyUsed, resetDate } = await readEntitlements(
    database,
    caller,
    caller.accountPlan,
  )
  if (dailyLimit !== null && dailyUsed !== null && dailyUsed >= dailyLimit)
    throw new RequestError('usage.daily_limit_exceeded', { dailyLimit, dailyUsed, resetDate, required: 1 })
  if (totalCredits < 1)
    throw new RequestError('entitlements.insufficient_credits', { required: 1, available: totalCredits })
}

const takeFormat = ({ catalog }: Service, extension: string, workflow: Workflow): Format => {
  const format = findFormat(catalog, extension)
  if (format && (workflow === 'extract' || format.transcription)) return format
  throw new RequestError(
    'request.invalid_extension',
    { extension, workflow },
    extension === '' ? { detail: 'The file name has no extension, so its format is not known.' } : {},
  )
}

const resolvePlan = (
  { config }: Service,
  format: Format,
  workflow: Workflow,
  optionsText: string | undefined,
): JobPlan => {
  const plan = resolveOptions(
    format,
    workflow,
    optionsText === undefined || optionsText.trim() === '' ? undefined : parseOptionsJson(optionsText),
  )
  const problem = plan.webhook && webhookUrlProblem(plan.webhook.url, config.webhookAllowPrivate)
  if (problem) {
    throw new RequestError(
      'request.invalid_parameter',
      { path: 'options.webhookUrl' },
      { detail: `options.webhookUrl ${problem}.` },
    )
  }
  return plan
}

const refuseOtherContent = (format: Format, upload: Upload): void => {
  const detected = detectSignature(upload.head)
  if (detected !== undefined && !format.accepts.includes(detected)) {
    throw new RequestError('request.content_mismatch', { detected, extension: upload.extension })
  }
}

const measure = async (
  { sandbox }: Service,
  caller: AuthenticatedCaller,
  format: Format,
  upload: Upload,
  plan: JobPlan,
): Promise<{ metrics: Metrics; failure: JobFailure | null }> => {
  const bytes = upload.bytes
  if (!format.probe) return { metrics: { bytes }, failure: null }
  try {
    const { name, extension, path: inputPath } = upload
    const measured = await sandbox.probe(
      {
        accountId: caller.accountId,
        extension,
        inputPath,
        name,
        bytes,
        shared: sharedValues(format, plan.capabilities),
      },
      AbortSignal.timeout(PROBE_MS),
    )
    return { metrics: { ...measured, bytes }, failure: null }
  } catch (error) {
    const failure =
      error instanceof JobFailure ? error : new JobFailure('extract.timed_out', { limit: 'probe' }, { cause: error })
    return { metrics: { bytes, durationSeconds: 0, pages: 0, slides: 0, sheets: 0, frames: 0 }, failure }
  }
}
const PROBE_MS = 60_000

const readIdempotencyKey = (request: FastifyRequest): string | null => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY) return key
  throw new RequestError('request.invalid_parameter', {
    path: 'Idempotency-Key',
    allowed: { maxLength: MAX_IDEMPOTENCY_KEY },
  })
}

const fingerprint = (upload: Upload, plan: JobPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([upload.sha256, upload.name, plan]))
    .digest('hex')
