import { expect } from 'vitest'
import type { Answer, ErrorBody } from '../support/client.ts'

/** The answer is this error, in the one envelope, and says nothing of our insides. */
export const expectError = (
  answer: Answer<unknown>,
  status: number,
  code: string,
  params: Record<string, unknown> = {},
): ErrorBody => {
  const body = answer.body as ErrorBody
  expect({ status: answer.status, code: body.code, detail: body.detail }).toMatchObject({ status, code })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toMatchObject({ error: code, code, params })
  expect(body.detail === null || body.detail.length > 0).toBe(true)
  expect(body.requestId).toMatch(/^[0-9a-f]{32}$/)
  expect(answer.headers.get('x-request-id')).toBe(body.requestId)
  expect(JSON.stringify(body)).not.toMatch(/\bselect\b.*\bfrom\b|\n\s+at |\.ts:|node_modules|\/tmp\/|relation "/)
  return body
}
