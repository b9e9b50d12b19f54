import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEntries, readBalance } from '../../src/accounts/ledger.ts'
import { newId } from '../../src/core/ids.ts'
import { RESULTS, resultKey, uploadKey } from '../../src/jobs/files.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { sweepExpired, sweepOrphans } from '../../src/jobs/retention.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { ok, slow } from './deeds.ts'
import { blobsOf, listKeys, listScratch, waitForState } from './store.ts'

const log = pino({ level: 'silent' })
let service: TestService
let account: TestAccount
let client: TestClient
let worker: RunningProcess
beforeAll(async () => {
  // The API alone: what is queued stays queued until the first test starts a worker.
  service = await startTestService({ QUARRY_WORKER_JOBS: '1' }, 'api')
  account = await service.account()
  client = createClient(service.base, account.key)
})
afterAll(() => service.stop())

const read = async (id: string): Promise<JobRecord> => (await client.get<JobRecord>(`/extract/job/${id}`)).body
const context = () => ({ database: service.database, blobs: blobsOf(service), log })

test('jobs wait in line, fall forward place by place, run and succeed', async () => {
  const ids: string[] = []
  for (const content of [slow(0.8, 8), ok(), ok(), ok()]) {
    const { body } = await client.submit('deed.mischief', content)
    ids.push(body.id)
    expect(body.queue).toEqual({ pool: 'document', position: ids.length })
  }
  expect((await read(ids[2] as string)).queue).toEqual({ pool: 'document', position: 3 })
  worker = await service.start('worker')

  const seen = new Map<string, { statuses: string[]; positions: number[]; percents: number[] }>(
    ids.map((id) => [id, { statuses: [], positions: [], percents: [] }]),
  )
  await waitFor('all to end', async () => {
    const records = await Promise.all(ids.map(read))
    for (const record of records) {
      const history = seen.get(record.id)
      if (history?.statuses.at(-1) !== record.status) history?.statuses.push(record.status)
      if (record.queue) history?.positions.push(record.queue.position)
      history?.percents.push(record.progress.percent)
      expect(record.status === 'queued').toBe(record.queue !== null)
      expect(record.startedAt === null).toBe(record.status === 'queued')
      expect(record.progress.percent === 100).toBe(record.status === 'succeeded')
    }
    return records.every(({ status }) => status === 'succeeded')
  })
  for (const { statuses, positions, percents } of seen.values()) {
    expect(['queued,running,succeeded', 'queued,succeeded', 'running,succeeded', 'succeeded']).toContain(
      statuses.join(),
    )
    expect(positions).toEqual(positions.toSorted((a, b) => b - a))
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  }
  expect(seen.get(ids[0] as string)?.statuses).toContain('running')
  expect(await readBalance(service.database, account.id)).toMatchObject({ total: 996, held: 0 })
})

test('a job that comes while the worker is idle is picked up by notification, not by the poll', async () => {
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    await delay(130)
    const job = await client.extract('deed.mischief', ok())
    waits.push(Date.parse(job.startedAt ?? '') - Date.parse(job.createdAt))
  }
  // The poll comes once a second: without the notification the median would be half of that.
  expect(waits.toSorted((a, b) => a - b)[4]).toBeLessThan(300)
})

test.each([
  ['a deck without slides', 'empty.deck', '\n\n', 'extract.source_unreadable'],
  ['a blank scroll', 'blank.scroll', ' \n', 'extract.source_unreadable'],
  ['a probe that crashes', 'crash.mischief', '{"do":"crash","inProbe":true}', 'extract.engine_failed'],
])('%s is accepted, recorded as failed and not charged', async (_what, name, content, code) => {
  const before = await readBalance(service.database, account.id)
  const answer = await client.submit(name, content)
  expect(answer.status).toBe(202)
  expect(await read(answer.body.id)).toMatchObject({
    status: 'failed',
    billing: 'released',
    error: { error: code, code },
    queue: null,
    metrics: { chargedCredits: 0 },
    output: null,
  })
  expect(await readBalance(service.database, account.id)).toEqual(before)
  expect(await listKeys(service, 'uploads/')).toEqual([])
  expect(listScratch(service)).toEqual([])
  expect((await client.download(answer.body.id)).status).toBe(409)
})

test('after the retention the bytes are gone, the record stays, and the download says 410', async () => {
  const { id } = await client.extract('notes.txt', 'kept for a while\n')
  const kept = await client.extract('notes.txt', 'kept longer\n')
  expect(await sweepExpired(context())).toBe(0)
  await service.database.query(`update jobs set expires_at = now() - interval '1 second' where id = $1`, [id])
  const early = await client.download(id)
  expect(early.status).toBe(410)
  expect(await sweepExpired(context())).toBe(1)
  const late = await client.download(id)
  expect([late.status, JSON.parse(late.bytes.toString())]).toMatchObject([410, { code: 'jobs.result_expired' }])
  expect(await read(id)).toMatchObject({ status: 'succeeded', billing: 'charged' })
  expect(await listKeys(service, 'results/')).not.toContain(resultKey(id, 1))
  expect((await client.download(kept.id)).status).toBe(200)
})

test('what a short memory holds is forgotten: idempotency keys after a day, old webhook deliveries after a week', async () => {
  const headers = { 'idempotency-key': 'a day old' }
  const first = await client.submit('notes.txt', 'again\n', undefined, { headers })
  await client.waitForEnd(first.body.id)
  await service.database.query(
    `insert into webhook_deliveries (id, account_id, job_id, event, url, secret, body, state, created_at)
     values ($1, $2, $3, 'job.succeeded', 'http://x', '', '', 'delivered', now() - interval '8 days'),
            ($4, $2, $3, 'job.succeeded', 'http://x', '', '', 'given_up', now() - interval '1 day')`,
    [newId(), account.id, first.body.id, newId()],
  )
  await service.database.query(`update idempotency_keys set created_at = now() - interval '25 hours'`)
  await sweepExpired(context())
  expect(await service.database.query('select state from webhook_deliveries')).toEqual([{ state: 'given_up' }])
  expect(await service.database.query('select key from idempotency_keys')).toEqual([])
  const second = await client.submit('notes.txt', 'again\n', undefined, { headers })
  expect(second.body.id).not.toBe(first.body.id)
  await client.waitForEnd(second.body.id)
})

test('the orphan sweep deletes what no job refers to, and nothing else', async () => {
  const blobs = blobsOf(service)
  const put = (key: string) =>
    blobs.putStream(
      key,
      (async function* () {
        yield Buffer.from('orphan')
      })(),
    )
  const done = await client.extract('notes.txt', 'refers to its result\n')
  const running = await client.submit('deed.mischief', slow(4))
  await waitForState(service, running.body.id, 'running')
  worker.pause()
  const queued = await client.submit('deed.mischief', ok())
  const orphans = [
    uploadKey(newId()),
    uploadKey(done.id),
    resultKey(newId(), 1),
    resultKey(done.id, 2),
    resultKey(queued.body.id, 1),
    `${RESULTS}not-an-id.zip`,
  ]
  for (const key of orphans) await put(key)
  // A running attempt may be writing its result this moment.
  await put(resultKey(running.body.id, 1))
  const unfinished = join(service.dataFolder, 'blobs', orphans[0] as string)
  await utimes(unfinished, new Date(), new Date(Date.now() + 60_000))
  expect(await sweepOrphans(context(), 900_000)).toBe(0)
  await utimes(unfinished, new Date(), new Date(Date.now() - 1000))

  expect(await sweepOrphans(context(), 0)).toBe(orphans.length)
  expect(await listKeys(service, 'uploads/')).toEqual([uploadKey(running.body.id), uploadKey(queued.body.id)].sort())
  expect(await listKeys(service, 'results/')).toContain(resultKey(running.body.id, 1))
  expect((await client.download(done.id)).status).toBe(200)
  worker.resume()
  for (const id of [running.body.id, queued.body.id]) {
    expect(await client.waitForEnd(id)).toMatchObject({ status: 'succeeded' })
    expect((await client.download(id)).status).toBe(200)
  }
})

test('a deleted job takes its files with it; what it cost stays in the ledger', async () => {
  const { id } = await client.extract('notes.txt', 'to be deleted\n')
  const balance = await readBalance(service.database, account.id)
  expect((await client.call('DELETE', `/extract/job/${id}`)).status).toBe(204)
  expect((await client.get(`/extract/job/${id}`)).status).toBe(404)
  expect((await client.call('DELETE', `/extract/job/${id}`)).status).toBe(404)
  expect((await listKeys(service, 'results/')).filter((key) => key.includes(id))).toEqual([])
  const entries = (await listEntries(service.database, account.id, 10)).filter(({ jobId }) => jobId === id)
  expect(entries.map(({ kind }) => kind)).toEqual(['capture', 'hold'])
  expect(await readBalance(service.database, account.id)).toEqual(balance)

  worker.pause()
  const running = await client.submit('deed.mischief', ok())
  const refused = await client.call('DELETE', `/extract/job/${running.body.id}`)
  worker.resume()
  expect([refused.status, refused.body.code]).toEqual([409, 'jobs.not_deletable'])
  await client.waitForEnd(running.body.id)
})

test('a result lost before its retention ended is refunded once, and says so', async () => {
  const before = await readBalance(service.database, account.id)
  const { id } = await client.extract('notes.txt', 'to be lost\n')
  await blobsOf(service).delete(resultKey(id, 1))
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.download(id)))
  expect(answers.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410])
  expect(await read(id)).toMatchObject({ status: 'succeeded', billing: 'refunded', metrics: { refundedCredits: 1 } })
  expect(await readBalance(service.database, account.id)).toEqual(before)
})

test('twenty submissions at once with one Idempotency-Key make one job and one hold', async () => {
  const before = await readBalance(service.database, account.id)
  const headers = { 'idempotency-key': 'twenty at once' }
  const submit = () => client.submit('deed.mischief', ok(), undefined, { headers })
  worker.pause()
  const answers = await Promise.all(Array.from({ length: 20 }, submit))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  const id = answers[0]?.body.id as string
  const other = await client.submit<{ code: string }>('deed.mischief', ok('other\n'), undefined, { headers })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency.key_reused'])
  expect(await listKeys(service, 'uploads/')).toEqual([uploadKey(id)])
  worker.resume()
  await client.waitForEnd(id)
  expect((await submit()).body.id).toBe(id)
  expect(await readBalance(service.database, account.id)).toMatchObject({ total: before.total - 1, held: 0 })
  expect(await listKeys(service, 'uploads/')).toEqual([])
  expect(listScratch(service)).toEqual([])
  // Another account's key of the same text is another key.
  const stranger = createClient(service.base, (await service.account()).key)
  const theirs = await stranger.submit('deed.mischief', ok(), undefined, { headers })
  expect(theirs.status).toBe(202)
  await stranger.waitForEnd(theirs.body.id)
})
