import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobListSchema } from '../../src/http/schemas.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

let service: TestService
let client: TestClient
/** Newest first: 2 waiting, 1 canceled, 2 failed, 2 succeeded. */
let ids: string[]
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = createClient(service.base, (await service.account()).key)
  const made: string[] = []
  for (const deed of ['ok', 'ok', 'nothing', 'nothing']) {
    made.push((await client.extract('a.mischief', JSON.stringify({ do: deed }))).id)
  }
  for (let count = 0; count < 3; count++) made.push((await client.submit('a.flipbook', 'frame')).body.id)
  await client.call('POST', `/extract/job/${made[4]}/cancel`)
  ids = made.reverse()
})
afterAll(() => service.stop())

type List = { jobs: JobRecord[]; nextCursor: string | null }
const list = async (query = ''): Promise<List> => {
  const { status, body } = await client.get<List>(`/extract/jobs${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(jobListSchema.parse(body)).toEqual(body)
  return body
}

test('200: the newest first, as the records of GET /job/{id}', async () => {
  const { jobs, nextCursor } = await list()
  expect(jobs.map(({ id }) => id)).toEqual(ids)
  expect(nextCursor).toBeNull()
  for (const job of jobs) expect((await client.get(`/extract/job/${job.id}`)).body).toEqual(job)
})
test.each([1, 2, 3, 6, 7, 8])('200: page by page, %d at a time', async (limit) => {
  const seen: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    expect(pages).toBeLessThan(10)
    const page: List = await list(`?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    expect(page.jobs.length).toBeLessThanOrEqual(limit)
    seen.push(...page.jobs.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(ids)
})
test.each([
  ['succeeded', 2],
  ['failed', 2],
  ['canceled', 1],
  ['queued', 2],
  ['running', 0],
])('200: status=%s', async (status, count) => {
  const { jobs } = await list(`?status=${status}`)
  expect(jobs.map((job) => job.status)).toEqual(Array.from({ length: count }, () => status))
})
test('200: an account without jobs', async () => {
  const other = createClient(service.base, (await service.account()).key)
  expect((await other.get('/extract/jobs')).body).toEqual({ jobs: [], nextCursor: null })
})
test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=many', 'limit'],
  ['limit=', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['status=cancelled', 'status'],
  ['status=', 'status'],
  ['cursor=x', 'cursor'],
  ['cursor=', 'cursor'],
  ["cursor='", 'cursor'],
])('400 request.invalid_parameter: %s', async (query, path) => {
  expectError(await client.get(`/extract/jobs?${query}`), 400, 'request.invalid_parameter', { path })
})
test('400 request.unknown_field: another parameter', async () => {
  expectError(await client.get('/extract/jobs?page=2'), 400, 'request.unknown_field', {
    field: 'page',
    allowed: ['limit', 'cursor', 'status'],
  })
})
