import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../core/errors.ts'
import { isConnectionError } from '../storage/database.ts'

/** The one envelope of every error. */
export const toEnvelope = (error: RequestError, requestId: string) => ({
  error: error.code,
  code: error.code,
  detail: error.detail,
  params: error.params,
  requestId,
  // The contract wants these two beside the code as well.
  ...(error.code === 'estimate.exact_metrics_required' ? { format: error.params.format, job: error.params.job } : {}),
})

const RETRY_AFTER_SECONDS: Partial<Record<RequestError['code'], number>> = {
  'queue.limit_exceeded': 5,
  'queue.pool_saturated': 30,
  'service.unavailable': 5,
}

/** Answers with the error's envelope, and writes to the log what the client must not see. */
export const replyWithError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = toRequestError(error, request)
  if (known.status >= 500) request.log.error({ err: known.cause ?? error }, known.code)
  const retryAfter = known.params.retryAfterSeconds ?? RETRY_AFTER_SECONDS[known.code]
  if (retryAfter !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter)
  return reply.code(known.status).type('application/json; charset=utf-8').send(toEnvelope(known, request.id))
}

/** Whatever was thrown, as one of the codes of the closed table. */
export const toRequestError = (error: unknown, request: FastifyRequest): RequestError => {
  if (error instanceof RequestError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return toValidationError(error as never, request)
  if (isConnectionError(error) || (error as { code?: string }).code === 'ENOSPC') {
    return new RequestError('service.unavailable', {}, { cause: error })
  }
  const { code, statusCode } = error as Partial<FastifyError>
  // PostgreSQL keeps no text with a NUL in it.
  if (code === '22021') return new RequestError('request.malformed', {}, { cause: error })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new RequestError('request.invalid_content_type', { allowed: ['application/json'] })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RequestError('request.malformed', {}, { cause: error })
  }
  return new RequestError('internal', {}, { cause: error })
}

/** What a schema has against a request: the kind of fault, where it lies as a JSON pointer, and facts about it. */
type Finding = {
  keyword: string
  instancePath: string
  message?: string
  params: { keys?: string[]; values?: unknown[] }
}

/** Fields that no answer repeats. */
const SECRET = /password/i

const toValidationError = (
  { validation, validationContext }: { validation: Finding[]; validationContext?: string },
  request: FastifyRequest,
): RequestError => {
  const finding = validation[0]
  const [sent, schema] =
    validationContext === 'querystring'
      ? [request.query, request.routeOptions.schema?.querystring]
      : [request.body, request.routeOptions.schema?.body]
  if (finding?.keyword === 'unrecognized_keys') {
    const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    return new RequestError('request.unknown_field', { field: finding.params.keys?.[0] ?? null, allowed })
  }
  const steps = finding?.instancePath.split('/').filter((step) => step !== '') ?? []
  const path = steps.join('.')
  const value = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], sent)
  return new RequestError(
    'request.invalid_parameter',
    {
      path,
      value: SECRET.test(path) ? null : (value ?? null),
      ...(finding?.params.values ? { allowed: finding.params.values } : {}),
    },
    { detail: `${path === '' ? 'The body' : path}: ${finding?.message ?? 'is not valid'}.` },
  )
}
