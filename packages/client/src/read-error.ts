import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CLIENT_ERRORS,
  ConflictError,
  FileTooLargeError,
  ForbiddenError,
  InsufficientCreditsError,
  MetricsRequiredError,
  NotFoundError,
  RateLimitError,
  ResultExpiredError,
  ServiceError,
} from './errors.ts'
import type { RequestErrorCode } from './generated.ts'
import type { ErrorParams } from './records.ts'

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: ResultExpiredError,
  413: FileTooLargeError,
  422: MetricsRequiredError,
  429: RateLimitError,
}

/** The error that an answer stands for. */
export const toApiError = (status: number, headers: Headers, text: string): ApiError => {
  const envelope = readEnvelope(text)
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServiceError : ApiError)
  const code = envelope?.error ?? envelope?.code
  return new Kind((code ?? 'client.unexpected_answer') as RequestErrorCode, {
    detail: envelope?.detail ?? (code ? code : `${CLIENT_ERRORS['client.unexpected_answer']} Its status is ${status}.`),
    params: envelope?.params ?? {},
    status,
    requestId: envelope?.requestId ?? headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  })
}

type Envelope = { error?: string; code?: string; detail?: string | null; params?: ErrorParams; requestId?: string }

const readEnvelope = (text: string): Envelope | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Envelope) : null
  } catch {
    return null // A proxy before the service answers in its own words.
  }
}

/** Seconds, or a date. */
const readRetryAfter = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}
