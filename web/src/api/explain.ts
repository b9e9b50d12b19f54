import { formatTime } from '../design/format.ts'
import { ApiError } from './client.ts'

type Params = ApiError['params']

/** Where the service's own words are meant for programs, ours for people. */
const WORDS: Readonly<Record<string, (params: Params) => string>> = {
  'usage.daily_limit_exceeded': ({ dailyLimit, dailyUsed, required, resetDate }) =>
    `This needs ${required} of the ${dailyLimit} credits of a day, and ${dailyUsed} are used. The limit starts anew at ${formatTime(String(resetDate))}.`,
  'entitlements.insufficient_credits': ({ required, available }) =>
    `This costs ${required} credits and the account has ${available}.`,
  'request.file_too_large': ({ maxFileSizeMb }) => `Files may have at most ${maxFileSizeMb} MB on this plan.`,
  'estimate.duration_limit_exceeded': ({ maxDurationMinutes }) =>
    `Recordings may last at most ${maxDurationMinutes} minutes on this plan.`,
  'request.content_mismatch': ({ detected, extension }) =>
    `The file is named .${extension}, but what is in it is ${detected}.`,
  'request.invalid_extension': ({ extension }) =>
    extension ? `Files of the kind .${extension} are not supported.` : 'The file name has no extension.',
  rate_limited: ({ retryAfterSeconds }) =>
    retryAfterSeconds ? `Too many tries. Try again in ${retryAfterSeconds} seconds.` : 'Too many tries. Wait a moment.',
}

/** What went wrong, in a sentence for the person in front of the screen. */
export const explainError = (error: unknown): string => {
  if (error instanceof ApiError) {
    const words = WORDS[error.code]?.(error.params) ?? error.detail
    return error.status >= 500 && error.requestId ? `${words} Request ${error.requestId}.` : words
  }
  if (error instanceof TypeError) return 'The service could not be reached. Check the connection and try again.'
  return error instanceof Error ? error.message : 'Something went wrong.'
}
