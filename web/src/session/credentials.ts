import { PASSWORD_LENGTH } from '../../../src/core/password-length.ts'
import { ApiError } from '../api/client.ts'
import type { Problems } from '../design/form.tsx'

export const PASSWORD_RULE = `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters. A few words you can remember are a good password.`

/** What is wrong with an e-mail address, in words; undefined when nothing is. */
export const checkEmail = (email: string): string | undefined => {
  if (email === '') return 'Enter your e-mail address.'
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : 'This is not an e-mail address.'
}

/** What is wrong with a password somebody chooses. */
export const checkNewPassword = (password: string): string | undefined => {
  if (password === '') return 'Choose a password.'
  if (password.length < PASSWORD_LENGTH.min) return `Use at least ${PASSWORD_LENGTH.min} characters.`
  return password.length > PASSWORD_LENGTH.max ? `Use at most ${PASSWORD_LENGTH.max} characters.` : undefined
}

/** The field that the service found fault with, where it names one of ours. */
export const findProblem = (error: unknown, words: Readonly<Record<string, string>>): Problems | undefined => {
  if (!(error instanceof ApiError) || error.code !== 'request.invalid_parameter') return undefined
  const path = String(error.params.path)
  return Object.hasOwn(words, path) ? { [path]: words[path] } : undefined
}
