import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBalance } from '../../src/accounts/ledger.ts'
import { resultKey } from '../../src/jobs/files.ts'
import { createClient } from '../support/client.ts'
import { listProcessesIn } from '../support/processes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { slow } from './deeds.ts'
import { listKeys, waitForState } from './store.ts'

const HEARTBEAT_MS = 10_000
// The supervisor looks every two seconds and the poll every second; the rest is for a busy machine.
const COMES_BACK_MS = HEARTBEAT_MS + 10_000

/** An API on a database of its own, so that each case loses its own workers. */
const startCase = async () => {
  const service = await startTestService({ QUARRY_WORKER_JOBS: '2' }, 'api')
  const account = await service.account()
  return { service, account, client: createClient(service.base, account.key) }
}
type Case = Awaited<ReturnType<typeof startCase>>

const withCase = async (work: (found: Case) => Promise<void>): Promise<void> => {
  const found = await startCase()
  try {
    await work(found)
  } finally {
    await stopService(found.service)
  }
}

const stopService = async (service: TestService): Promise<void> => {
  await service.stop()
  await waitFor('the processes to go', () => listProcessesIn(service.dataFolder).length === 0, 20_000).catch(
    () => undefined,
  )
  expect(listProcessesIn(service.dataFolder)).toEqual([])
}

const readAttempt = async (service: TestService, jobId: string): Promise<number> =>
  (await service.database.query<{ attempt: number }>('select attempt from jobs where id = $1', [jobId]))[0]?.attempt ??
  0

const readSettlements = async (service: TestService, jobId: string): Promise<string[]> =>
  (
    await service.database.query<{ kind: string }>('select kind from ledger_entries where job_id = $1 order by id', [
      jobId,
    ])
  ).map(({ kind }) => kind)

describe.concurrent('a lost worker', () => {
  test(
    'killed once: the job comes back after the heartbeat, runs again and is charged once',
    {
      timeout: 90_000,
    },
    () =>
      withCase(async ({ service, account, client }) => {
        const worker = await service.start('worker')
        const { body } = await client.submit('deed.mischief', slow(3))
        await waitForState(service, body.id, 'running')
        await worker.kill('SIGKILL')
        const killedAt = Date.now()
        await service.start('worker')
        await waitFor(
          'the second attempt',
          async () => (await readAttempt(service, body.id)) === 2,
          COMES_BACK_MS + 10_000,
        )
        expect(Date.now() - killedAt).toBeLessThan(COMES_BACK_MS)
        expect(await client.waitForEnd(body.id)).toMatchObject({ status: 'succeeded', billing: 'charged' })
        expect(await readSettlements(service, body.id)).toEqual(['hold', 'capture'])
        expect(await readBalance(service.database, account.id)).toMatchObject({ total: 999, held: 0 })
        expect((await client.download(body.id)).status).toBe(200)
        expect(await listKeys(service, 'results/')).toEqual([resultKey(body.id, 2)])
        expect(await listKeys(service, 'uploads/')).toEqual([])
      }),
  )

  test(
    'killed twice: the job fails with extract.worker_lost and nothing is charged',
    {
      timeout: 120_000,
    },
    () =>
      withCase(async ({ service, account, client }) => {
        let worker = await service.start('worker')
        const { body } = await client.submit('deed.mischief', slow(600, 600))
        for (const attempt of [1, 2]) {
          await waitFor(`attempt ${attempt}`, async () => (await readAttempt(service, body.id)) === attempt, 40_000)
          await delay(200)
          await worker.kill('SIGKILL')
          worker = await service.start('worker')
        }
        expect(await client.waitForEnd(body.id, 40_000)).toMatchObject({
          status: 'failed',
          billing: 'released',
          error: { code: 'extract.worker_lost' },
          metrics: { chargedCredits: 0 },
        })
        expect(await readSettlements(service, body.id)).toEqual(['hold', 'release'])
        expect(await readBalance(service.database, account.id)).toMatchObject({ total: 1000, held: 0 })
        await waitFor('the upload to be gone', async () => (await listKeys(service, 'uploads/')).length === 0)
        expect(await service.database.query('select id from queue.job')).toEqual([])
      }),
  )

  test(
    'only paused: what it brings when it wakes up is thrown away, and one attempt is charged',
    {
      timeout: 120_000,
    },
    () =>
      withCase(async ({ service, account, client }) => {
        const paused = await service.start('worker')
        const { body } = await client.submit('deed.mischief', slow(4))
        await waitForState(service, body.id, 'running')
        paused.pause()
        try {
          await service.start('worker')
          await waitFor('the second attempt', async () => (await readAttempt(service, body.id)) === 2, 40_000)
        } finally {
          // Its child has long finished: the result is the first thing it hears of.
          paused.resume()
        }
        expect(await client.waitForEnd(body.id)).toMatchObject({ status: 'succeeded', billing: 'charged' })
        expect(await readAttempt(service, body.id)).toBe(2)
        expect(await readSettlements(service, body.id)).toEqual(['hold', 'capture'])
        expect(await readBalance(service.database, account.id)).toMatchObject({ total: 999, held: 0 })
        await waitFor('the late worker to notice', () =>
          /"msg":"(?:job stopped|job had ended elsewhere)"/.test(paused.log()),
        )
        await waitFor('one result', async () => (await listKeys(service, 'results/')).join() === resultKey(body.id, 2))
        // It is a worker like any other again.
        expect(await client.extract('notes.txt', 'after the pause\n')).toMatchObject({ status: 'succeeded' })
      }),
  )

  test('paused alone: it gets its own job back and ends it once', { timeout: 120_000 }, () =>
    withCase(async ({ service, account, client }) => {
      const worker = await service.start('worker')
      const { body } = await client.submit('deed.mischief', slow(16, 16))
      await waitForState(service, body.id, 'running')
      worker.pause()
      await delay(HEARTBEAT_MS + 2000)
      worker.resume()
      expect(await client.waitForEnd(body.id, 60_000)).toMatchObject({ status: 'succeeded', billing: 'charged' })
      expect(await readSettlements(service, body.id)).toEqual(['hold', 'capture'])
      expect(await readBalance(service.database, account.id)).toMatchObject({ total: 999, held: 0 })
      await waitFor('one result', async () => (await listKeys(service, 'results/')).length === 1)
    }),
  )
})

describe('a worker that is asked to end', () => {
  let found: Case
  beforeAll(async () => {
    found = await startCase()
  })
  afterAll(() => stopService(found.service))

  test('finishes a short job, and leaves the queue as it is', async () => {
    const { service, client } = found
    const worker = await service.start('worker', { QUARRY_WORKER_JOBS: '1' })
    const running = await client.submit('deed.mischief', slow(4))
    await waitForState(service, running.body.id, 'running')
    const queued = await client.submit('deed.mischief', slow(0.1))
    await worker.kill('SIGTERM')
    expect(worker.process.exitCode).toBe(0)
    expect(await client.waitForEnd(running.body.id, 1000)).toMatchObject({ status: 'succeeded' })
    await waitForState(service, queued.body.id, 'queued', 1000)
    expect(await readAttempt(service, queued.body.id)).toBe(0)
    expect((await client.call('POST', `/extract/job/${queued.body.id}/cancel`)).status).toBe(202)
  })

  test('gives a long job back, which the next worker takes at once and which does not count as lost', async () => {
    const { service, client } = found
    const limits = { QUARRY_SHUTDOWN_SECONDS: '1' }
    const { body } = await client.submit('deed.mischief', slow(3))
    // Twice, because a second loss would be the end of it.
    for (const attempt of [1, 2]) {
      const worker = await service.start('worker', limits)
      await waitFor(`attempt ${attempt}`, async () => (await readAttempt(service, body.id)) === attempt)
      await worker.kill('SIGTERM')
      expect(worker.process.exitCode).toBe(0)
      await waitForState(service, body.id, 'queued', 1000)
      expect(await listKeys(service, 'results/')).not.toContain(resultKey(body.id, attempt))
    }
    await service.start('worker', limits)
    expect(await client.waitForEnd(body.id)).toMatchObject({ status: 'succeeded', billing: 'charged' })
    expect(await readAttempt(service, body.id)).toBe(3)
    expect(await readSettlements(service, body.id)).toEqual(['hold', 'capture'])
  })

  test('hears a cancel while it waits for its last job', async () => {
    const { service, client } = found
    const worker = await service.start('worker')
    const { body } = await client.submit('deed.mischief', slow(60, 60))
    await waitForState(service, body.id, 'running')
    const ended = worker.kill('SIGTERM')
    await delay(300)
    expect((await client.call('POST', `/extract/job/${body.id}/cancel`)).status).toBe(202)
    await ended
    expect(await client.waitForEnd(body.id)).toMatchObject({ status: 'canceled', billing: 'released' })
  })
})
