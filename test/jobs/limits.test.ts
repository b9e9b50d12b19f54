import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { ok, slow } from './deeds.ts'

const MAX_PARALLEL = 2
const MAX_QUEUED = 40
const POOL_LIMIT = 50

let service: TestService
beforeAll(async () => {
  service = await startTestService(
    {
      QUARRY_PLANS: JSON.stringify({ pro: { maxParallelJobs: MAX_PARALLEL, maxQueuedJobs: MAX_QUEUED } }),
      QUARRY_POOL_LIMIT: String(POOL_LIMIT),
      QUARRY_WORKER_JOBS: '3',
    },
    'api',
  )
})
afterAll(() => service.stop())

const newClient = async (): Promise<{ id: string; client: TestClient }> => {
  const { id, key } = await service.account()
  return { id, client: createClient(service.base, key) }
}
const submitAll = async (client: TestClient, contents: readonly string[]): Promise<string[]> =>
  (await Promise.all(contents.map((content) => client.submit('deed.mischief', content)))).map(({ status, body }) => {
    expect(status).toBe(202)
    return body.id
  })
const repeat = (count: number, content: string): string[] => Array.from({ length: count }, () => content)

/** The most jobs that each account ever had running, looked at until `isOver`. */
const watchParallel = async (isOver: () => Promise<boolean>): Promise<Map<string, number>> => {
  const most = new Map<string, number>()
  while (!(await isOver())) {
    const rows = await service.database.query<{ account: string; running: number }>(
      `select replace(account_id::text, '-', '') as account, count(*) as running
       from jobs where state = 'running' group by account_id`,
    )
    for (const { account, running } of rows) most.set(account, Math.max(most.get(account) ?? 0, running))
    await delay(10)
  }
  return most
}
const areEnded = async (ids: readonly string[]): Promise<boolean> =>
  (
    await service.database.query(`select 1 from jobs where id = any($1::uuid[]) and state in ('queued', 'running')`, [
      ids,
    ])
  ).length === 0

// First, because there is no worker yet that would take from the queue.
test('429 queue.limit_exceeded and queue.pool_saturated, and both make room again', async () => {
  const one = await newClient()
  const waiting = await submitAll(one.client, repeat(MAX_QUEUED, ok()))
  const over = await one.client.submit<{ code: string; params: object }>('notes.txt', 'one too many\n')
  expect([over.status, over.body.code, over.body.params]).toEqual([
    429,
    'queue.limit_exceeded',
    { maxQueuedJobs: MAX_QUEUED, queued: MAX_QUEUED },
  ])
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)

  const other = await newClient()
  const more = await submitAll(other.client, repeat(POOL_LIMIT - MAX_QUEUED, ok()))
  const saturated = await other.client.submit<{ code: string; params: object }>('deed.mischief', ok())
  expect([saturated.status, saturated.body.code, saturated.body.params]).toEqual([
    429,
    'queue.pool_saturated',
    { pool: 'document' },
  ])
  // Another pool has room.
  expect((await other.client.submit('book.flipbook', 'fits\n')).status).toBe(202)
  const uploads = await service.database.query('select 1 from jobs')
  expect(uploads).toHaveLength(POOL_LIMIT + 1)

  for (const id of [...waiting, ...more]) {
    const { client } = waiting.includes(id) ? one : other
    expect((await client.call('POST', `/extract/job/${id}/cancel`)).status).toBe(202)
  }
  expect((await one.client.submit('deed.mischief', ok())).status).toBe(202)
})

test('an account never runs more jobs than its plan allows, over two pools and two workers', async () => {
  await Promise.all([service.start('worker'), service.start('worker')])
  const [one, other] = [await newClient(), await newClient()]
  const books = async (client: TestClient) =>
    (await Promise.all(repeat(4, 'a frame\n').map((text) => client.submit('book.flipbook', text)))).map(
      ({ body }) => body.id,
    )
  const ids = (
    await Promise.all([
      submitAll(one.client, repeat(8, slow(0.4))),
      books(one.client),
      submitAll(other.client, repeat(8, slow(0.4))),
      books(other.client),
    ])
  ).flat()
  const most = await watchParallel(() => areEnded(ids))
  // Seen at the limit, so the limit was what held them, and never over it.
  expect([most.get(one.id), most.get(other.id)]).toEqual([MAX_PARALLEL, MAX_PARALLEL])
  const failed = await service.database.query(`select id from jobs where state = 'failed'`)
  expect(failed).toEqual([])
})

test('accounts take turns: one with thirty jobs in line does not keep one with three waiting', async () => {
  const [many, few] = [await newClient(), await newClient()]
  const long = await submitAll(many.client, repeat(30, slow(0.3, 1)))
  const short = await submitAll(few.client, repeat(3, slow(0.3, 1)))
  await waitFor('all to end', () => areEnded([...long, ...short]), 60_000)
  const [row] = await service.database.query<{ meanwhile: number; afterwards: number }>(
    `with few as (select max(created_at) as came, max(finished_at) as went from jobs where id = any($2::uuid[]))
     select count(*) filter (where finished_at between came and went) as meanwhile,
       count(*) filter (where finished_at > went) as afterwards
     from jobs, few where id = any($1::uuid[])`,
    [long, short],
  )
  // Two places each: the three take two turns, in which the other account has four, with room for a slow machine.
  expect(row?.meanwhile).toBeLessThanOrEqual(10)
  expect(row?.afterwards).toBeGreaterThan(0)
})

test('an account whose jobs wait is not starved by one that keeps sending', async () => {
  const [waiting, sending] = [await newClient(), await newClient()]
  const noisy = [await newClient(), await newClient(), await newClient()]
  let isOver = false
  const sent: string[] = []
  const senders = [sending, ...noisy].map(async ({ client }) => {
    while (!isOver) {
      const { status, body } = await client.submit('deed.mischief', slow(0.1, 1))
      if (status === 202) sent.push(body.id)
      await delay(40)
    }
  })
  await delay(300)
  const ids = await submitAll(waiting.client, repeat(5, slow(0.1, 1)))
  await waitFor('the waiting account', () => areEnded(ids), 30_000).finally(() => {
    isOver = true
  })
  await Promise.all(senders)
  const [ahead] = await service.database.query<{ served: number }>(
    `select count(*) as served from jobs where id = any($1::uuid[]) and finished_at is not null`,
    [sent],
  )
  // They were really in competition.
  expect(ahead?.served).toBeGreaterThan(5)
  await waitFor('the rest', () => areEnded(sent), 60_000)
})
