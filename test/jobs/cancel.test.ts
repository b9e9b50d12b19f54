import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBalance } from '../../src/accounts/ledger.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { isAlive, listTree } from '../../src/sandbox/process-tree.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { ok, slow } from './deeds.ts'
import { listKeys, listScratch, waitForState } from './store.ts'

let service: TestService
let worker: RunningProcess
let account: TestAccount
let client: TestClient
/** The same account at another API process than the first. */
let elsewhere: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '2' }, 'api')
  const [second, running] = await Promise.all([service.start('api'), service.start('worker')])
  worker = running
  account = await service.account()
  client = createClient(service.base, account.key)
  elsewhere = createClient(second.base, account.key)
})
afterAll(() => service.stop())

const cancel = (id: string, by = client) => by.call<JobRecord>('POST', `/extract/job/${id}/cancel`)
/** What a deed has started beside itself: the plainest sign that it is at work. */
const findGrandchildren = (): number[] =>
  listTree(worker.process.pid as number).filter((pid) => readCommand(pid).includes('setInterval'))
const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}
const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])

const expectNothingLeft = async () => {
  expect(await listKeys(service, 'uploads/')).toEqual([])
  await waitFor('the scratch folder to be empty', () => listScratch(service).length === 0)
}

test('a running job is stopped through another API process: its process is dead within a second', async () => {
  const before = await readBalance(service.database, account.id)
  const { body } = await client.submit('deed.mischief', JSON.stringify({ do: 'grandchild', seconds: 60 }))
  await waitForState(service, body.id, 'running')
  // The deed starts a process of its own: that one and the sandbox it lives in must go.
  const grandchildren = await waitFor('the deed', () =>
    findGrandchildren().length > 0 ? findGrandchildren() : undefined,
  )
  const parents = grandchildren.map(parentOf)
  const answer = await cancel(body.id, elsewhere)
  const canceledAt = Date.now()
  expect(answer.status).toBe(202)
  expect(answer.headers.get('location')).toBe(`/extract/job/${body.id}`)
  expect(answer.body).toMatchObject({ id: body.id, status: 'canceled', billing: 'released' })
  await waitFor('the processes to be gone', () => [...grandchildren, ...parents].every((pid) => !isAlive(pid)), 5000, 5)
  expect(Date.now() - canceledAt).toBeLessThan(1000)
  expect(await readBalance(service.database, account.id)).toEqual(before)
  await expectNothingLeft()
  expect(await listKeys(service, 'results/')).toEqual([])

  const again = await cancel(body.id)
  expect([again.status, again.body.status]).toEqual([202, 'canceled'])
  const download = await client.download(body.id)
  expect([download.status, JSON.parse(download.bytes.toString()).code]).toEqual([409, 'jobs.canceled'])
})

test('a queued job is taken out of the line, and those behind it move up', async () => {
  const before = await readBalance(service.database, account.id)
  const busy = await Promise.all([0, 1].map(() => client.submit('deed.mischief', slow(60, 60))))
  for (const { body } of busy) await waitForState(service, body.id, 'running')
  const first = await client.submit('deed.mischief', ok())
  const second = await client.submit('deed.mischief', ok())
  expect([first.body.queue.position, second.body.queue.position]).toEqual([1, 2])
  expect((await cancel(first.body.id)).body).toMatchObject({ status: 'canceled', billing: 'released', startedAt: null })
  const { body } = await client.get<JobRecord>(`/extract/job/${second.body.id}`)
  expect(body.queue?.position).toBe(1)
  for (const { body } of busy) await cancel(body.id)
  expect((await client.waitForEnd(second.body.id)).status).toBe('succeeded')
  expect(await readBalance(service.database, account.id)).toMatchObject({ total: before.total - 1, held: 0 })
  expect(await service.database.query('select id from queue.job')).toEqual([])
  await expectNothingLeft()
})

test('a job that has ended cannot be canceled', async () => {
  const { id } = await client.extract('deed.mischief', ok())
  const answer = await client.call('POST', `/extract/job/${id}/cancel`)
  expect([answer.status, answer.body.code, answer.body.params]).toEqual([
    409,
    'jobs.not_cancellable',
    { status: 'succeeded' },
  ])
})

test('canceling in the moment of success ends the job one way: charged with a result, or released without', async () => {
  const before = await readBalance(service.database, account.id)
  const ends = { succeeded: 0, canceled: 0 }
  // From far too early to far too late, so that the moment itself is among them whatever the machine.
  for (let round = 0; round < 60; round++) {
    const { body } = await client.submit('deed.mischief', ok())
    await delay(round * 3)
    const answers = await Promise.all([cancel(body.id), cancel(body.id, elsewhere)])
    const job = await client.waitForEnd(body.id)
    const statuses = answers.map(({ status }) => status)
    if (job.status === 'canceled') {
      ends.canceled++
      expect([statuses, job.billing, job.metrics.chargedCredits]).toEqual([[202, 202], 'released', 0])
      expect((await client.download(body.id)).status).toBe(409)
    } else {
      ends.succeeded++
      expect([statuses, job.status, job.billing, job.metrics.chargedCredits]).toEqual([
        [409, 409],
        'succeeded',
        'charged',
        1,
      ])
      expect((await client.download(body.id)).status).toBe(200)
    }
  }
  expect(await readBalance(service.database, account.id)).toMatchObject({
    total: before.total - ends.succeeded,
    held: 0,
  })
  expect(ends.canceled).toBeGreaterThan(0)
  expect(ends.succeeded).toBeGreaterThan(0)
  await expectNothingLeft()
  const [row] = await service.database.query<{ results: number }>(
    'select count(*) as results from jobs where result_key is not null',
  )
  await waitFor('results of canceled attempts to be gone', async () => {
    return (await listKeys(service, 'results/')).length === row?.results
  })
})
