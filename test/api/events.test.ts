import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobRecordSchema } from '../../src/http/schemas.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { until } from './multipart.ts'

let service: TestService
let account: TestAccount
let client: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  account = await service.account()
  client = createClient(service.base, account.key)
})
afterAll(() => service.stop())

/** Opens the stream; `records` grows as events come, `ended` when the service closes it. */
const watch = async (id: string, base = service.base) => {
  const abort = new AbortController()
  const response = await fetch(`${base}/extract/job/${id}/events`, {
    headers: { 'X-Fast-Api-Key': account.key },
    signal: abort.signal,
  })
  const records: JobRecord[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8')
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
        expect(name, event).toBe('job')
        records.push(jobRecordSchema.parse(JSON.parse(data ?? '')))
      }
    }
    return records
  }
  const ended = read()
  ended.catch(() => undefined)
  return { response, records, ended, close: () => abort.abort() }
}
const firstEvent = (records: JobRecord[]) =>
  until(
    () => records,
    ({ length }) => length > 0,
  )

test('200: the headers of an event stream', async () => {
  const { id } = await client.extract('a.txt', 'a')
  const { response, ended } = await watch(id)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(response.headers.has('ratelimit')).toBe(true)
  await ended
})
test('200: a job that has ended: its record, then the end', async () => {
  const { id } = await client.extract('a.txt', 'a')
  const records = await (await watch(id)).ended
  expect(records).toHaveLength(1)
  expect(records[0]).toEqual((await client.get(`/extract/job/${id}`)).body)
})
test('200: from the queue to the end, percent never going back', async () => {
  const { body } = await client.submit('a.mischief', JSON.stringify({ do: 'slow', seconds: 2.5, steps: 50 }))
  const records = await (await watch(body.id)).ended
  const states = records.map(({ status }) => status)
  expect(states.filter((state, i) => state !== states[i - 1]).join(' ')).toMatch(/^(queued )?running succeeded$/)
  const percents = records.map(({ progress }) => progress.percent)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  expect(percents.indexOf(100)).toBe(percents.length - 1)
  expect(records.at(-1)).toMatchObject({ billing: 'charged', output: { fileCount: 2 } })
})
test('200: a cancellation is told at once, and ends the stream', async () => {
  const { body } = await client.submit('a.flipbook', 'frame')
  const { records, ended } = await watch(body.id)
  await firstEvent(records)
  expect(records[0]).toMatchObject({ status: 'queued', queue: { pool: 'image' } })
  await client.call('POST', `/extract/job/${body.id}/cancel`)
  expect((await ended).map(({ status }) => status)).toEqual(['queued', 'canceled'])
})
test('200: changes made through another process are told too', async () => {
  const other = await service.start('api')
  const { body } = await client.submit('a.flipbook', 'frame')
  const { records, ended } = await watch(body.id, other.base)
  await firstEvent(records)
  await client.call('POST', `/extract/job/${body.id}/cancel`)
  expect((await ended).at(-1)?.status).toBe('canceled')
})
test('200: many watchers of one job; those that leave do not disturb the others', async () => {
  const { body } = await client.submit('a.flipbook', 'frame')
  const watchers = await Promise.all(Array.from({ length: 6 }, () => watch(body.id)))
  await Promise.all(watchers.map(({ records }) => firstEvent(records)))
  const [leaver, ...stayers] = watchers
  leaver?.close()
  await client.call('POST', `/extract/job/${body.id}/cancel`)
  for (const { ended } of stayers) expect((await ended).at(-1)?.status).toBe('canceled')
})
test('404 jobs.not_found, in JSON', async () => {
  expectError(await client.get(`/extract/job/${'0'.repeat(32)}/events`), 404, 'jobs.not_found')
})
test('the stream ends when the service stops', async () => {
  const other = await service.start('api')
  const { body } = await client.submit('a.flipbook', 'frame')
  const { records, ended } = await watch(body.id, other.base)
  await firstEvent(records)
  const [seen] = await Promise.all([ended, other.kill('SIGTERM')])
  expect(seen.map(({ status }) => status)).toEqual(['queued'])
})
