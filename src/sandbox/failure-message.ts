import { JOB_FAILURES, JobFailure } from '../core/errors.ts'
import type { ChildMessage } from './protocol.ts'

const MAX_CAUSE_CHARACTERS = 8_000

/** What went wrong in a child, with code, params and detail for the client, and the cause for the log alone. */
export const toFailureMessage = (error: unknown): ChildMessage & { type: 'failed' } => {
  const failure = toJobFailure(error)
  return {
    type: 'failed',
    code: failure.code,
    params: failure.params,
    detail: failure.detail === JOB_FAILURES[failure.code] ? undefined : failure.detail.slice(0, 2_000),
    cause: describeCause(failure.cause ?? failure).slice(0, MAX_CAUSE_CHARACTERS),
  }
}

/** Turns anything thrown into the failure that the client may see. */
export const toJobFailure = (error: unknown): JobFailure => {
  if (error instanceof JobFailure) return error
  const limit = findBrokenLimit(error)
  if (limit) return new JobFailure('extract.limit_exceeded', { limit }, { cause: error })
  return new JobFailure('extract.engine_failed', {}, { cause: error })
}

/** The limits around the process show themselves as ordinary errors. */
const findBrokenLimit = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  // One large buffer is refused with an exception, where a full heap ends the process.
  if (error instanceof RangeError && /allocation failed|failed to allocate memory/i.test(error.message)) return 'memory'
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOMEM') return 'memory'
  if (code === 'EFBIG') return 'output_bytes'
  if (code === 'EMFILE') return 'open_files'
  return undefined
}

const describeCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const text = cause.stack ?? `${cause.name}: ${cause.message}`
  return cause.cause === undefined ? text : `${text}\ncaused by ${describeCause(cause.cause)}`
}
