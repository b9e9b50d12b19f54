/**
 * Every code a client can meet. Request errors answer a request with a status; job failures are written on the job
 * record. The tables are closed: the docs, the OpenAPI document and the SDK are generated from them.
 */
export const API_ERRORS = {
  'api_key.required': { status: 401, detail: 'Send your API key in the X-Fast-Api-Key header.' },
  'api_key.invalid_or_ip_not_allowed': {
    status: 401,
    detail: 'The API key is not valid, or may not be used from this address.',
  },
  'api_key.pro_required': { status: 403, detail: 'This route needs a key from a Pro account.' },
  'estimate.unsupported_format': { status: 400, detail: 'This source extension is not supported.' },
  'estimate.invalid_file_size': { status: 400, detail: 'Send fileSizeBytes or fileSizeMb, greater than zero.' },
  'estimate.duration_limit_exceeded': { status: 400, detail: 'The duration is over the limit of your plan.' },
  'estimate.exact_metrics_required': { status: 422, detail: 'A metric that this format is priced on is missing.' },
  'request.no_files': { status: 400, detail: 'Send exactly one file in the form field "file".' },
  'request.multiple_files': { status: 400, detail: 'Send exactly one file; this request has more than one.' },
  'request.empty_file': { status: 400, detail: 'The file has no bytes.' },
  'request.invalid_content_type': { status: 400, detail: 'The content type is not the one this route takes.' },
  'request.malformed': { status: 400, detail: 'The body could not be read.' },
  'request.unknown_field': { status: 400, detail: 'The request has a field that is not documented.' },
  'request.invalid_parameter': { status: 400, detail: 'A parameter has a value that is not allowed.' },
  'request.constraint_violated': { status: 400, detail: 'The chosen capabilities break a constraint of the format.' },
  'request.invalid_extension': { status: 400, detail: 'Files with this extension are not supported.' },
  'request.content_mismatch': { status: 400, detail: 'The content is plainly not what the extension says.' },
  'formats.not_found': { status: 404, detail: 'No such format.' },
  'entitlements.insufficient_credits': { status: 402, detail: 'The account has too few credits for this job.' },
  'usage.daily_limit_exceeded': { status: 402, detail: 'The daily limit of the plan is used up.' },
  'jobs.forbidden': { status: 403, detail: 'This job belongs to another account.' },
  'jobs.not_found': { status: 404, detail: 'No such job.' },
  'route.not_found': { status: 404, detail: 'No such route.' },
  'route.method_not_allowed': { status: 405, detail: 'This route does not take that method.' },
  'jobs.not_ready': { status: 409, detail: 'The job has not finished yet.' },
  'jobs.failed': { status: 409, detail: 'The job failed and has no result.' },
  'jobs.canceled': { status: 409, detail: 'The job was canceled and has no result.' },
  'jobs.not_cancellable': { status: 409, detail: 'The job has ended and can no longer be canceled.' },
  'jobs.not_deletable': { status: 409, detail: 'Cancel the job, or wait for its end, before you delete it.' },
  'idempotency.key_reused': { status: 409, detail: 'This Idempotency-Key was used with another request.' },
  'jobs.result_expired': { status: 410, detail: 'The result was deleted at the end of its retention.' },
  'request.file_too_large': { status: 413, detail: 'The file is over the size limit of your plan.' },
  rate_limited: { status: 429, detail: 'Too many requests; wait and try again.' },
  'queue.limit_exceeded': { status: 429, detail: 'The account has too many jobs waiting.' },
  'queue.pool_saturated': { status: 429, detail: 'The service has too many jobs waiting; try again later.' },
  internal: { status: 500, detail: 'Something went wrong on our side; the request id finds it in the log.' },
  'service.unavailable': { status: 503, detail: 'The service cannot take this request now; try again shortly.' },
} as const satisfies Record<string, { status: number; detail: string }>

/** Codes that only the website's own routes, under `/web`, answer with. */
export const WEB_ERRORS = {
  'session.required': { status: 401, detail: 'Sign in first.' },
  'session.invalid_credentials': { status: 401, detail: 'The e-mail address or the password is not right.' },
  'session.admin_required': { status: 403, detail: 'This page is for operators.' },
  'session.sign_up_closed': { status: 403, detail: 'New accounts are opened by the operator of this service.' },
  'session.cross_origin': { status: 403, detail: 'Changes are taken only from the pages of this site.' },
  'accounts.not_found': { status: 404, detail: 'No such account.' },
  'sessions.not_found': { status: 404, detail: 'No such session.' },
  'keys.not_found': { status: 404, detail: 'No such key.' },
  'files.not_found': { status: 404, detail: 'The result holds no such file.' },
  'jobs.not_refundable': { status: 409, detail: 'Only a job that was charged, and not refunded, can be refunded.' },
  'quote.exceeded': { status: 409, detail: 'The job costs more than was agreed to; nothing was charged.' },
  'uploads.expired': { status: 410, detail: 'The measured file is no longer kept; send it again.' },
} as const satisfies Record<string, { status: number; detail: string }>

export const REQUEST_ERRORS = { ...API_ERRORS, ...WEB_ERRORS } as const
export type RequestErrorCode = keyof typeof REQUEST_ERRORS

/** Codes on the record of a failed job. None of them is charged. */
export const JOB_FAILURES = {
  'extract.pdf.no_markdown_content_found': 'The selection of the PDF holds only structural markers.',
  'extract.pdf.no_ocr_text_found': 'OCR found no readable text.',
  'extract.audio_transcription.provider_not_configured': 'No engine can serve this transcription mode now.',
  'extract.source_unreadable': 'The file is damaged, or not what its extension says.',
  'extract.source_encrypted': 'The file is encrypted; send its password in the options.',
  'extract.limit_exceeded': 'The file needs more than the limits of the service allow.',
  'extract.timed_out': 'The extraction took too long, or made no progress, and was stopped.',
  'extract.output_empty': 'Nothing that was asked for is in the file.',
  'extract.engine_failed': 'An extraction engine failed on this file.',
  'extract.worker_lost': 'The worker was lost twice while it ran this job.',
  'transcribe.no_audio': 'The file has no audio.',
  'transcribe.no_speech': 'No speech was found in the audio.',
} as const satisfies Record<string, string>
export type JobFailureCode = keyof typeof JOB_FAILURES

export type ErrorParams = Readonly<Record<string, unknown>>

/** Refuses a request. The client sees code, detail and params; the log also sees the cause. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode
  readonly params: ErrorParams
  readonly detail: string
  constructor(code: RequestErrorCode, params: ErrorParams = {}, more: { detail?: string; cause?: unknown } = {}) {
    super(more.detail ?? REQUEST_ERRORS[code].detail, { cause: more.cause })
    this.code = code
    this.params = params
    this.detail = this.message
  }
  get status(): number {
    return REQUEST_ERRORS[this.code].status
  }
}

/** Ends a job as failed, uncharged. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly code: JobFailureCode
  readonly params: ErrorParams
  readonly detail: string
  constructor(code: JobFailureCode, params: ErrorParams = {}, more: { detail?: string; cause?: unknown } = {}) {
    super(more.detail ?? JOB_FAILURES[code], { cause: more.cause })
    this.code = code
    this.params = params
    this.detail = this.message
  }
}

export const isJobFailureCode = (code: string): code is JobFailureCode => Object.hasOwn(JOB_FAILURES, code)
