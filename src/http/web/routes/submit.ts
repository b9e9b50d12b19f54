import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { countAttempt } from '../../../accounts/attempts.ts'
import { makeProof } from '../../../accounts/proofs.ts'
import { RequestError } from '../../../core/errors.ts'
import type { Workflow } from '../../../core/job-states.ts'
import { uploadKey } from '../../../jobs/files.ts'
import { describeMetrics, findJob } from '../../../jobs/records.ts'
import type { SubmissionRecord } from '../../../jobs/submit.ts'
import {
  acceptFile,
  checkAnnouncedSize,
  checkFunds,
  makeJob,
  measureFile,
  quoteFile,
  type ReceivedFile,
  receiveFile,
  refuseOtherBodies,
  resolvePlan,
  type Sender,
  takeFormat,
} from '../../accept-file.ts'
import type { Service } from '../../service.ts'
import { type Measured, measuredJobBody, measureQuery, type Submitted, submitQuery } from '../contract.ts'
import { makeTicket, readTicket, TICKET_MINUTES } from '../tickets.ts'
import { ensureActor, visitorOf } from '../visitor.ts'

const GUEST_FILES = { limit: 60, windowSeconds: 600 }
/** A proof outlives the result: it still shows what became of the job. */
const PROOF_EXTRA_MINUTES = 24 * 60
const multipart = { hide: true, consumes: ['multipart/form-data'] }

/** The ways to send a file from the website: at once, or first measured and then, with its ticket, made a job. */
export const webSubmitRoutes = (fastify: FastifyInstance, service: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.post('/web/jobs', {
    config: { access: 'visitor', query: ['workflow', 'maxCredits'] },
    schema: { ...multipart, querystring: submitQuery },
    preParsing: refuseOtherBodies,
    handler: async (request, reply) => {
      const { workflow, maxCredits = null } = request.query
      const sender = await takeSender(service, request, 'submit')
      checkAnnouncedSize(request, sender)
      await checkFunds(service, request, sender)
      const record = await acceptFile(service, request, reply, { sender, workflow, maxCredits })
      return replySubmitted(service, reply, sender, record)
    },
  })
  app.post('/web/measure', {
    config: { access: 'visitor', query: ['workflow'] },
    schema: { ...multipart, querystring: measureQuery },
    preParsing: refuseOtherBodies,
    handler: async (request, reply) => {
      const sender = await takeSender(service, request, 'measure')
      checkAnnouncedSize(request, sender)
      return receiveFile(service, request, reply, { sender, workflow: request.query.workflow }, (file) =>
        measure(service, sender, file),
      )
    },
  })
  app.post('/web/jobs/measured', {
    config: { access: 'visitor', query: [] },
    schema: { hide: true, body: measuredJobBody },
    handler: async (request, reply) => {
      const sender = await takeSender(service, request, 'submit')
      const record = await submitMeasured(service, request, sender, request.body)
      return replySubmitted(service, reply, sender, record)
    },
  })
}

/** The account that the visitor sends for; a guest's network may send only so many files in a while. */
const takeSender = async (service: Service, request: FastifyRequest, kind: 'submit' | 'measure'): Promise<Sender> => {
  const visitor = visitorOf(request)
  const isGuest = !visitor.member
  if (isGuest) {
    const { limit, windowSeconds } = GUEST_FILES
    await countAttempt(service.database, kind, visitor.network.toString('hex'), limit, windowSeconds)
  }
  return { ...(await ensureActor(service, visitor)), isGuest }
}

const replySubmitted = (
  { config, signingKey }: Service,
  reply: FastifyReply,
  { isGuest }: Sender,
  job: SubmissionRecord,
): FastifyReply => {
  const goodFor = (config.retentionMinutes + PROOF_EXTRA_MINUTES) * 60_000
  const proof = isGuest ? makeProof(signingKey, job.id, new Date(Date.now() + goodFor)) : null
  return reply
    .code(202)
    .header('location', `/web/jobs/${job.id}`)
    .send({ job, proof } satisfies Submitted)
}

/** Measures and quotes a file, and keeps it for as long as its ticket is good. */
const measure = async (service: Service, sender: Sender, file: ReceivedFile): Promise<Measured> => {
  const { blobs, signingKey } = service
  const { source, path, format, plan } = file
  const { name, extension, bytes } = source
  const known = { name, extension, category: format.category, bytes }
  const { metrics, failure } = await measureFile(service, sender, file)
  if (failure) {
    const { code, detail } = failure
    const nothing = { metrics: describeMetrics({ bytes }), quote: null, ticket: null, expiresAt: null }
    return { ...known, ...nothing, failure: { code, detail } }
  }
  const quoted = quoteFile(sender, { source, format, plan, metrics })
  await blobs.putFile(uploadKey(source.jobId), path)
  const expiresAt = Date.now() + TICKET_MINUTES * 60_000
  return {
    ...known,
    metrics: describeMetrics(metrics),
    quote: quoted,
    ticket: makeTicket(signingKey, { ...source, accountId: sender.accountId, metrics, expiresAt }),
    expiresAt: new Date(expiresAt).toISOString(),
    failure: null,
  }
}

/** Makes the job of a measured file. A ticket makes one job: used again the same way, it gets the same answer. */
const submitMeasured = async (
  service: Service,
  request: FastifyRequest,
  sender: Sender,
  body: z.infer<typeof measuredJobBody>,
): Promise<SubmissionRecord> => {
  const workflow: Workflow = body.workflow
  const {
    metrics,
    accountId: _account,
    expiresAt: _end,
    ...source
  } = readTicket(service.signingKey, body.ticket, sender.accountId)
  const format = takeFormat(service, source.extension, workflow)
  const plan = resolvePlan(service, sender, format, workflow, body.options)
  const quoted = quoteFile(sender, { source, format, plan, metrics }, body.maxCredits ?? null)
  // Once its job has run, the file is gone and the answer still due.
  if (!(await isKept(service, source.jobId)) && !(await findJob(service.database, source.jobId))) {
    throw new RequestError('uploads.expired')
  }
  try {
    const job = { source, format, plan, metrics, quoted, failure: null, idempotencyKey: `ticket ${source.jobId}` }
    return (await makeJob(service, request, sender, job)).record
  } catch (error) {
    // The file went into a job with other options, and there is no second one.
    const isUsed = error instanceof RequestError && error.code === 'idempotency.key_reused'
    throw isUsed ? new RequestError('uploads.expired') : error
  }
}

const isKept = async ({ blobs }: Service, jobId: string): Promise<boolean> => {
  const stream = await blobs.open(uploadKey(jobId), { start: 0, end: 0 })
  stream?.destroy()
  return stream !== undefined
}
