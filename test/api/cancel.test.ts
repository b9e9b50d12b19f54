import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobRecordSchema } from '../../src/http/schemas.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { listUploads, until } from './multipart.ts'

let service: TestService
let client: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

const cancel = (id: string) => client.call<JobRecord>('POST', `/extract/job/${id}/cancel`)
const credits = async () => (await client.get<{ totalCredits: number }>('/extract/entitlements/me')).body.totalCredits
const start = async (deed: object): Promise<string> => {
  const { body } = await client.submit('a.mischief', JSON.stringify(deed))
  await until(
    async () => (await client.get<JobRecord>(`/extract/job/${body.id}`)).body.status,
    (status) => status === 'running',
  )
  return body.id
}

test('202: a queued job, its credits given back and its upload deleted', async () => {
  const before = await credits()
  const { body } = await client.submit('a.flipbook', 'frame')
  expect(await credits()).toBe(before - 1)
  const answer = await cancel(body.id)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('location')).toBe(`/extract/job/${body.id}`)
  expect(jobRecordSchema.parse(answer.body)).toEqual(answer.body)
  expect(answer.body).toMatchObject({ id: body.id, status: 'canceled', billing: 'released', queue: null })
  expect(await credits()).toBe(before)
  expect((await listUploads(service)).filter((name) => name.startsWith(body.id))).toEqual([])
})

test('202: a running job stops within a second, and stays canceled', async () => {
  const before = await credits()
  // Busy for ever: only a kill ends it.
  const id = await start({ do: 'hang' })
  expect(await cancel(id)).toMatchObject({ status: 202, body: { status: 'canceled', billing: 'released' } })
  // By the word of the cancel, or by the next look at the lease, whichever is there first.
  const stopped = () =>
    new RegExp(`"jobId":"${id}","attempt":1,"reason":"[a-z ]+","msg":"job stopped"`).test(service.first.log())
  await until(stopped, Boolean)
  expect((await client.get<JobRecord>(`/extract/job/${id}`)).body).toMatchObject({
    status: 'canceled',
    finishedAt: expect.any(String),
    startedAt: expect.any(String),
  })
  expect(await credits()).toBe(before)
})

test('202: canceling a canceled job changes nothing', async () => {
  const { body } = await client.submit('a.flipbook', 'frame')
  const first = await cancel(body.id)
  const second = await cancel(body.id)
  expect(second.status).toBe(202)
  expect(second.headers.get('location')).toBe(`/extract/job/${body.id}`)
  expect(second.body).toEqual(first.body)
})

test('202: five at once are one cancellation', async () => {
  const before = await credits()
  const { body } = await client.submit('a.flipbook', 'frame')
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(body.id)))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
  expect(await credits()).toBe(before)
})

test.each([
  ['no body and no type', {}],
  ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
  ['an empty object', { json: {} }],
  [
    'an empty form, as curl -d sends it',
    { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
])('202: %s', async (_, init) => {
  const { body } = await client.submit('a.flipbook', 'frame')
  expect((await client.call('POST', `/extract/job/${body.id}/cancel`, init)).status).toBe(202)
})

test('409 jobs.not_cancellable: it has succeeded', async () => {
  const { id } = await client.extract('a.txt', 'a')
  expectError(await cancel(id), 409, 'jobs.not_cancellable', { status: 'succeeded' })
  expect((await client.get<JobRecord>(`/extract/job/${id}`)).body).toMatchObject({
    status: 'succeeded',
    billing: 'charged',
  })
})
test('409 jobs.not_cancellable: it has failed', async () => {
  const { id } = await client.extract('a.mischief', JSON.stringify({ do: 'nothing' }))
  expectError(await cancel(id), 409, 'jobs.not_cancellable', { status: 'failed' })
})
test('404 jobs.not_found: no such job, or deleted', async () => {
  expectError(await cancel('0'.repeat(32)), 404, 'jobs.not_found')
  const { id } = await client.extract('a.txt', 'a')
  await client.call('DELETE', `/extract/job/${id}`)
  expectError(await cancel(id), 404, 'jobs.not_found')
})
test('405 route.method_not_allowed: GET', async () => {
  const answer = await client.get(`/extract/job/${'0'.repeat(32)}/cancel`)
  expectError(answer, 405, 'route.method_not_allowed', { allowed: ['POST'] })
})
