import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../core/errors.ts'
import type { Workflow } from '../../core/job-states.ts'
import { acceptFile, checkAnnouncedSize, checkFunds, refuseOtherBodies, type Sender } from '../accept-file.ts'
import { callerOf } from '../auth.ts'
import { errorResponses, submissionSchema } from '../schemas.ts'
import type { Service } from '../service.ts'

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

const submit = async (service: Service, request: FastifyRequest, reply: FastifyReply, workflow: Workflow) => {
  const sender: Sender = { ...callerOf(request), isGuest: false }
  const idempotencyKey = readIdempotencyKey(request)
  checkAnnouncedSize(request, sender)
  await checkFunds(service, request, sender, idempotencyKey)
  const record = await acceptFile(service, request, reply, { sender, workflow, idempotencyKey })
  return reply.code(202).header('location', `/extract/job/${record.id}`).send(record)
}

const readIdempotencyKey = (request: FastifyRequest): string | null => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY) return key
  throw new RequestError('request.invalid_parameter', {
    path: 'Idempotency-Key',
    allowed: { maxLength: MAX_IDEMPOTENCY_KEY },
  })
}
