import type { JobFailureCode, RequestErrorCode } from './generated.ts'
import type { ErrorParams, JobRecord } from './records.ts'

/** What can go wrong on this side of the wire, or between. */
export const CLIENT_ERRORS = {
  'client.connection_failed': 'The connection failed.',
  'client.timed_out': 'Nothing moved for too long.',
  'client.unexpected_answer': 'The answer is not one of this service.',
  'client.result_damaged': 'The result does not have the SHA-256 that its record names.',
  'client.webhook_invalid': 'The webhook is not from the holder of the secret, or not fresh.',
} as const
/** A code of `CLIENT_ERRORS`. */
export type ClientErrorCode = keyof typeof CLIENT_ERRORS

/** Every code that an error of this package can have. A newer service may know more: keep a default branch. */
export type ErrorCode = RequestErrorCode | JobFailureCode | ClientErrorCode

/** What every error has to say besides its code. */
export type ErrorFacts = {
  detail: string
  params?: ErrorParams
  status?: number | null
  requestId?: string | null
  cause?: unknown
}

/** The root of everything this package throws, but for misuse (`TypeError`) and the reason of an aborted signal. */
export class QuarryError extends Error {
  readonly code: ErrorCode
  /** A sentence for people. Branch on `code`. */
  readonly detail: string
  readonly params: ErrorParams
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** Finds the request in the log of the service. */
  readonly requestId: string | null
  constructor(code: ErrorCode, { detail, params, status, requestId, cause }: ErrorFacts) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.detail = detail
    this.params = params ?? {}
    this.status = status ?? null
    this.requestId = requestId ?? null
  }
}

/** The service refused a request. */
export class ApiError extends QuarryError {
  declare readonly code: RequestErrorCode | 'client.unexpected_answer'
  declare readonly status: number
  /** Seconds to wait before the next try, where the service said so. */
  readonly retryAfterSeconds: number | null
  constructor(
    code: RequestErrorCode | 'client.unexpected_answer',
    { retryAfterSeconds = null, ...facts }: ErrorFacts & { retryAfterSeconds?: number | null },
  ) {
    super(code, facts)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
/** 400: the request is wrong; `params` names what. */
export class BadRequestError extends ApiError {}
/** 401: no key, or one that is not valid from here. */
export class AuthenticationError extends ApiError {}
/** 402: too few credits, or the daily limit is used up. */
export class InsufficientCreditsError extends ApiError {}
/** 403: not a Pro account, or the job of another account. */
export class ForbiddenError extends ApiError {}
/** 404: no such job or format. */
export class NotFoundError extends ApiError {}
/** 409: the state of the job does not allow it, or an idempotency key was used for something else. */
export class ConflictError extends ApiError {}
/** 410: the result is past its retention. */
export class ResultExpiredError extends ApiError {}
/** 413: the file is over the size limit of the plan. */
export class FileTooLargeError extends ApiError {}
/** 422: an estimate lacks a metric; `params.fields` names what to send. */
export class MetricsRequiredError extends ApiError {}
/** 429: too many requests, or too many jobs waiting. */
export class RateLimitError extends ApiError {}
/** 500 and above: the service, or something before it, cannot answer now. */
export class ServiceError extends ApiError {}

/** No answer came: the connection failed, or nothing moved for too long. */
export class ConnectionError extends QuarryError {
  declare readonly code: 'client.connection_failed' | 'client.timed_out'
  constructor(code: 'client.connection_failed' | 'client.timed_out', facts: Partial<ErrorFacts> = {}) {
    super(code, { detail: CLIENT_ERRORS[code], ...facts })
  }
}

/** What was downloaded is not what the record of the job names. */
export class ResultDamagedError extends QuarryError {
  declare readonly code: 'client.result_damaged'
  constructor(params: ErrorParams) {
    super('client.result_damaged', { detail: CLIENT_ERRORS['client.result_damaged'], params })
  }
}

/** A webhook that must not be believed. */
export class WebhookVerificationError extends QuarryError {
  declare readonly code: 'client.webhook_invalid'
  constructor(detail: string, cause?: unknown) {
    super('client.webhook_invalid', { detail, cause })
  }
}

/** The job that was waited for has failed; it was not charged. */
export class JobFailedError extends QuarryError {
  declare readonly code: JobFailureCode
  readonly job: JobRecord
  constructor(job: JobRecord) {
    super(job.error?.code ?? 'extract.engine_failed', {
      detail: job.error?.detail ?? 'The job failed.',
      params: job.error?.params ?? {},
    })
    this.job = job
  }
}

/** The job that was waited for has been canceled; it was not charged. */
export class JobCanceledError extends QuarryError {
  declare readonly code: 'jobs.canceled'
  readonly job: JobRecord
  constructor(job: JobRecord) {
    super('jobs.canceled', { detail: 'The job was canceled.' })
    this.job = job
  }
}
