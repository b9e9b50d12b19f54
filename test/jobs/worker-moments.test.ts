import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelJob } from '../../src/jobs/cancel.ts'
import { RESULTS } from '../../src/jobs/files.ts'
import { findJob, type Job } from '../../src/jobs/records.ts'
import { settle } from '../../src/jobs/settle.ts'
import { startWorker, type Worker } from '../../src/jobs/worker.ts'
import type { Database } from '../../src/storage/database.ts'
import { delay, waitFor } from '../support/wait.ts'
import { type Bench, openBench } from './bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.endAtAbort(true))
afterAll(() => bench.close())

const LOST = { error: 'extract.worker_lost', code: 'extract.worker_lost', params: {}, detail: 'lost' }

const withWorker = async (worker: Promise<Worker>, work: (worker: Worker) => Promise<void>): Promise<void> => {
  const started = await worker
  try {
    await work(started)
  } finally {
    await started.stop()
  }
}

/** The database, but what a query answers is first shown to `watch`. */
const watchQueries = (database: Database, watch: (text: string) => Promise<void>): Database => ({
  ...database,
  query: async (text, values) => {
    const rows = await database.query(text, values)
    await watch(text)
    return rows as never
  },
})

test('a job that starts while leases are being checked is not taken for a lost one', async () => {
  let second: string | undefined
  const database = watchQueries(bench.database, async (text) => {
    if (!/from jobs where id = any/.test(text) || second !== undefined) return
    second = await bench.submit()
    await bench.extractionOf(second)
  })
  await withWorker(startWorker({ ...bench.context, database }), async () => {
    const first = await bench.submit()
    const running = await bench.extractionOf(first)
    const other = await waitFor('the second job', () => second)
    await delay(100)
    const extraction = await bench.extractionOf(other)
    expect(extraction.signal.reason).toBeUndefined()
    extraction.finish()
    running.finish()
    expect([await bench.ended(first), await bench.ended(other)]).toMatchObject([
      { state: 'succeeded', attempt: 1 },
      { state: 'succeeded', attempt: 1 },
    ])
  })
})

test('a worker that gets its own lost job back keeps its heart beating for the new attempt', async () => {
  bench.endAtAbort(false)
  await withWorker(startWorker(bench.context), async () => {
    const jobId = await bench.submit()
    const first = await bench.extractionOf(jobId, 0)
    await bench.queue.abandon('document', jobId)
    const second = await bench.extractionOf(jobId, 1)
    await waitFor('the first attempt to be told', () => first.signal.aborted)
    first.giveUp()
    await delay(300)
    const readBeat = async () =>
      (
        await bench.database.query<{ beat: Date }>('select heartbeat_on as beat from queue.job where id = $1', [jobId])
      )[0]?.beat.getTime() ?? 0
    const before = await readBeat()
    await waitFor('another heartbeat', async () => (await readBeat()) > before, 5000)
    expect(second.signal.aborted).toBe(false)
    await cancelJob(bench.context, (await findJob(bench.database, jobId)) as Job)
    await waitFor('the cancel to be heard', () => second.signal.aborted, 2000)
    second.giveUp()
  })
})

test('a job claimed in the moment of the shutdown goes back to the queue', async () => {
  const claimed = Promise.withResolvers<void>()
  const database: Database = {
    ...bench.database,
    transaction: async (work) => {
      const result = await bench.database.transaction(work)
      if ((result as Partial<Job> | undefined)?.state === 'running') {
        claimed.resolve()
        await delay(300)
      }
      return result
    },
  }
  const worker = await startWorker({ ...bench.context, database })
  const jobId = await bench.submit()
  await claimed.promise
  await worker.stop()
  expect(await findJob(bench.database, jobId)).toMatchObject({ state: 'queued', startedAt: null })
  await withWorker(startWorker(bench.context), async () => {
    const started = () => bench.extractions.find((one) => one.jobId === jobId && !one.signal.aborted)
    ;(await waitFor('the job to start again', started)).finish()
    expect(await bench.ended(jobId)).toMatchObject({ state: 'succeeded', attempt: 2 })
  })
})

test('a result that comes after the job was given up for lost is deleted', async () => {
  const blobs: Bench['blobs'] = {
    ...bench.blobs,
    putStream: async (key, stream) => {
      const put = await bench.blobs.putStream(key, stream)
      const jobId = key.slice(RESULTS.length, RESULTS.length + 32)
      await settle(bench.context, { jobId }, { state: 'failed', error: LOST, warnings: [] })
      return put
    },
  }
  await withWorker(startWorker({ ...bench.context, blobs }), async () => {
    const jobId = await bench.submit()
    ;(await bench.extractionOf(jobId)).finish()
    expect(await bench.ended(jobId)).toMatchObject({ state: 'failed', error: { code: 'extract.worker_lost' } })
    await waitFor('the worker to clean up', async () => {
      const left = await Array.fromAsync(bench.blobs.list(RESULTS))
      return left.every(({ key }) => !key.includes(jobId))
    })
  })
})

test('a cancel between the extraction and the first byte of the ZIP ends the job, not the worker', async () => {
  const blobs: Bench['blobs'] = {
    ...bench.blobs,
    putStream: async (key, stream) => {
      const jobId = key.slice(RESULTS.length, RESULTS.length + 32)
      await cancelJob(bench.context, (await findJob(bench.database, jobId)) as Job)
      await delay(100)
      return bench.blobs.putStream(key, stream)
    },
  }
  await withWorker(startWorker({ ...bench.context, blobs }), async () => {
    const jobId = await bench.submit()
    ;(await bench.extractionOf(jobId)).finish()
    expect(await bench.ended(jobId)).toMatchObject({ state: 'canceled', billing: 'released' })
    await delay(300)
    expect((await Array.fromAsync(bench.blobs.list(RESULTS))).filter(({ key }) => key.includes(jobId))).toEqual([])
  })
})

test('a queue entry without an open job does not stand in the way of the others', async () => {
  const { accountId } = { accountId: bench.account.id }
  await withWorker(startWorker(bench.context), async () => {
    const done = await bench.submit()
    ;(await bench.extractionOf(done)).finish()
    await bench.ended(done)
    // As after a lease that ran out in the instant of the settlement; first in line.
    await bench.queue.send(bench.database, { jobId: done, accountId, pool: 'document', fairTag: -1000 })
    await bench.queue.send(bench.database, {
      jobId: '0197a0e05d2b7c3e8000000000000000',
      accountId,
      pool: 'document',
      fairTag: -1000,
    })
    const next = await bench.submit()
    ;(await bench.extractionOf(next)).finish()
    expect(await bench.ended(next)).toMatchObject({ state: 'succeeded' })
    expect(await bench.database.query('select id from queue.job where id = $1', [done])).toEqual([])
  })
})
