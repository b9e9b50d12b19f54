import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { until } from './multipart.ts'

let service: TestService
let client: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

const remove = (id: string) => client.call('DELETE', `/extract/job/${id}`)
const results = () => readdir(join(service.dataFolder, 'blobs/results')).catch((): string[] => [])
const deed = (what: string) => JSON.stringify({ do: what })

test('204: the record and the result are gone, what it cost is not', async () => {
  const { id } = await client.extract('a.txt', 'a')
  const credits = (await client.get('/extract/entitlements/me')).body
  expect((await results()).some((name) => name.startsWith(id))).toBe(true)
  const answer = await remove(id)
  expect(answer.status).toBe(204)
  expect(answer.body).toBe('')
  expect(answer.headers.has('content-type')).toBe(false)
  expect((await results()).some((name) => name.startsWith(id))).toBe(false)
  for (const path of ['', '/download', '/events']) {
    expectError(await client.get(`/extract/job/${id}${path}`), 404, 'jobs.not_found')
  }
  expect((await client.get<{ jobs: { id: string }[] }>('/extract/jobs')).body.jobs.map((job) => job.id)).not.toContain(
    id,
  )
  expect((await client.get('/extract/entitlements/me')).body).toEqual(credits)
  expectError(await remove(id), 404, 'jobs.not_found')
})
test('204: a failed job', async () => {
  const { id } = await client.extract('a.mischief', deed('nothing'))
  expect((await remove(id)).status).toBe(204)
})
test('204: a canceled job', async () => {
  const { body } = await client.submit('a.flipbook', 'frame')
  await client.call('POST', `/extract/job/${body.id}/cancel`)
  expect((await remove(body.id)).status).toBe(204)
})
test('204: with a content type, as some clients send it', async () => {
  const { id } = await client.extract('a.txt', 'a')
  const headers = { 'content-type': 'application/json' }
  expect((await client.call('DELETE', `/extract/job/${id}`, { headers })).status).toBe(204)
})
test('204 once: five at once delete it once', async () => {
  const { id } = await client.extract('a.txt', 'a')
  const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)))
  for (const { status } of answers) expect([204, 404]).toContain(status)
  expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThan(0)
})
test('409 jobs.not_deletable: it waits', async () => {
  const { body } = await client.submit('a.flipbook', 'frame')
  expectError(await remove(body.id), 409, 'jobs.not_deletable', { status: 'queued' })
  expect((await client.get(`/extract/job/${body.id}`)).status).toBe(200)
})
test('409 jobs.not_deletable: it runs', async () => {
  const { body } = await client.submit('a.mischief', JSON.stringify({ do: 'slow', seconds: 30, steps: 30 }))
  const read = async () => (await client.get<{ status: string }>(`/extract/job/${body.id}`)).body.status
  await until(read, (status) => status === 'running')
  expectError(await remove(body.id), 409, 'jobs.not_deletable', { status: 'running' })
  await client.call('POST', `/extract/job/${body.id}/cancel`)
  expect((await remove(body.id)).status).toBe(204)
})
test('404 jobs.not_found: no such job', async () => {
  expectError(await remove('0'.repeat(32)), 404, 'jobs.not_found')
})
