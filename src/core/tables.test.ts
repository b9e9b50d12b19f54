import { expect, test } from 'vitest'
import {
  isJobFailureCode,
  JOB_FAILURES,
  JobFailure,
  REQUEST_ERRORS,
  RequestError,
  type RequestErrorCode,
} from './errors.ts'
import { newId, parseId, toUuid } from './ids.ts'
import { isTerminal, JOB_STATES, TRANSITIONS } from './job-states.ts'
import { detectSignature } from './signatures.ts'

test('an error carries the status and the words of its row', () => {
  for (const [code, row] of Object.entries(REQUEST_ERRORS)) {
    const error = new RequestError(code as RequestErrorCode)
    expect(error).toMatchObject({ code, status: row.status, detail: row.detail, params: {} })
  }
})

test('the two tables of codes do not overlap', () => {
  expect(Object.keys(JOB_FAILURES).filter((code) => code in REQUEST_ERRORS)).toEqual([])
  expect(isJobFailureCode('extract.timed_out')).toBe(true)
  expect(isJobFailureCode('toString')).toBe(false)
  expect(new JobFailure('extract.timed_out', { limit: 'wall' }).params).toEqual({ limit: 'wall' })
})

test('ids are UUIDv7, sort by time, and read back in either spelling', () => {
  const ids = [1, 2, 3].map((second) => newId(1_700_000_000_000 + second * 1000))
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    expect(parseId(toUuid(id))).toBe(id)
    expect(parseId(id.toUpperCase())).toBe(id)
  }
  for (const wrong of ['', 'x', `${ids[0]}0`, '../../etc']) expect(parseId(wrong)).toBeUndefined()
})

test('a job that has ended stays so', () => {
  for (const state of JOB_STATES) expect(TRANSITIONS[state].length === 0).toBe(isTerminal(state))
})

test.each([
  ['%PDF-1.7', 'pdf'],
  ['PK\x03\x04rest', 'zip'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['RIFF\x01\x02\x03\x04WAVEfmt ', 'riff'],
  [`${'x'.repeat(257)}ustar`, 'tar'],
  ['\x1f\x8b\x08', 'gzip'],
])('%j is known by its first bytes', (head, name) => {
  expect(detectSignature(Buffer.from(head, 'latin1'))).toBe(name)
})

test.each(['', 'P', 'BM is how this text starts', 'RIFFs in music', 'GIF of the week', '{"a":1}', '# PDF', 'II*'])(
  'text %j is nothing special',
  (head) => {
    expect(detectSignature(Buffer.from(head))).toBeUndefined()
  },
)
