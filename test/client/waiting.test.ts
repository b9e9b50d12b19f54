import './own-formats.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, type JobRecord, NotFoundError } from '../../packages/client/src/index.ts'
import { pollDelay } from '../../packages/client/src/wait.ts'
import { ok, slow } from '../jobs/deeds.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { type Deed, startGateway } from './gateway.ts'

let service: TestService
let account: TestAccount
let client: Client
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  account = await service.account()
  client = clientOf(service.base)
})
afterAll(() => service.stop())

const clientOf = (base: string, more: { maxRetries?: number } = {}) =>
  createClient({ baseUrl: `${base}/extract`, apiKey: account.key, ...more })
const mischief = (text: string) => new File([text], 'deed.mischief')

/** A client whose requests go through a gateway. */
const through = async (
  decide: (path: string, count: number) => Deed,
  work: (client: Client, paths: () => string[]) => Promise<void>,
) => {
  const gateway = await startGateway(service.base, (request, count) => decide(request.url ?? '', count))
  try {
    await work(clientOf(gateway.base), () => gateway.seen.map(({ path }) => path))
  } finally {
    await gateway.close()
  }
}

describe('events', () => {
  test('each record comes once, progress only forward, the last one is the end', async () => {
    const { id } = await client.extract(mischief(slow(2)))
    const seen: JobRecord[] = []
    for await (const job of client.jobs.events(id)) seen.push(job)
    expect(seen.at(-1)).toEqual(await client.jobs.get(id))
    const percents = seen.map(({ progress }) => progress.percent)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(new Set(seen.map((job) => JSON.stringify(job))).size).toBe(seen.length)
  })
  test('a stream that breaks is opened again', async () => {
    let opened = 0
    const decide = (path: string): Deed => {
      if (!path.endsWith('/events')) return 'pass'
      opened += 1
      return opened === 1
        ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': hello\n\n' }
        : 'pass'
    }
    await through(decide, async (own) => {
      const { id } = await own.extract(mischief(ok()))
      const seen: string[] = []
      for await (const { status } of own.jobs.events(id)) seen.push(status)
      expect(seen.at(-1)).toBe('succeeded')
      expect(opened).toBe(2)
    })
  })
  test('whoever leaves the loop lets go of the stream', async () => {
    const { id } = await client.extract(new File(['frame'], 'a.flipbook'))
    for await (const { status } of client.jobs.events(id)) {
      expect(status).toBe('queued')
      break
    }
    await client.jobs.cancel(id)
  })
  test('a signal ends the stream with its reason', async () => {
    const { id } = await client.extract(new File(['frame'], 'a.flipbook'))
    const stop = new AbortController()
    const reason = new Error('enough')
    const read = async () => {
      for await (const _ of client.jobs.events(id, { signal: stop.signal })) stop.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
    await client.jobs.cancel(id)
  })
})

describe('wait', () => {
  test('listens, and tells of changes', async () => {
    await through(
      () => 'pass',
      async (own, paths) => {
        const { id } = await own.extract(mischief(slow(1)))
        const updates: string[] = []
        const job = await own.jobs.wait(id, { onUpdate: ({ status }) => updates.push(status) })
        expect(job.status).toBe('succeeded')
        expect(updates.at(-1)).toBe('succeeded')
        expect(paths()).toEqual(['/extract', `/extract/job/${id}/events`])
      },
    )
  })
  test.each<[string, Deed]>([
    ['is refused', { status: 404, body: '{"error":"route.not_found","code":"route.not_found"}' }],
    ['is no stream of events', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' }],
    ['is lost', 'lose-answer'],
    ['ends early', { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': hello\n\n' }],
  ])('polls where the stream of events %s', async (_, deed) => {
    await through(
      (path) => (path.endsWith('/events') ? deed : 'pass'),
      async (own, paths) => {
        const { id } = await own.extract(mischief(ok()))
        expect((await own.jobs.wait(id)).status).toBe('succeeded')
        expect(paths().filter((path) => path.endsWith('/events'))).toHaveLength(1)
        expect(paths().at(-1)).toBe(`/extract/job/${id}`)
      },
    )
  })
  test('polls at once where that is wanted', async () => {
    await through(
      () => 'pass',
      async (own, paths) => {
        const { id } = await own.extract(mischief(slow(2)))
        expect((await own.jobs.wait(id, { transport: 'polling' })).status).toBe('succeeded')
        expect(paths().some((path) => path.endsWith('/events'))).toBe(false)
        // Asked every second or two, not all the time.
        expect(paths().length).toBeLessThan(20)
      },
    )
  })
  test('a cancelled of two l is an end like the other', async () => {
    const { id } = await client.extract(new File(['frame'], 'a.flipbook'))
    const record = await client.jobs.cancel(id)
    const sent = JSON.stringify({ ...record, status: 'Cancelled' })
    const deed: Deed = { status: 200, headers: { 'content-type': 'application/json' }, body: sent }
    await through(
      () => deed,
      async (own) => {
        expect((await own.jobs.get(id)).status).toBe('canceled')
        await expect(own.jobs.wait(id, { transport: 'polling' })).rejects.toMatchObject({
          name: 'JobCanceledError',
          code: 'jobs.canceled',
        })
      },
    )
  })
  test('a job that is not there is told', async () => {
    await expect(client.jobs.wait('0'.repeat(32))).rejects.toBeInstanceOf(NotFoundError)
  })
  test.each(['events', 'polling'] as const)('a signal ends the waiting by %s, not the job', async (transport) => {
    const { id } = await client.extract(new File(['frame'], 'a.flipbook'))
    const stop = new AbortController()
    const reason = new Error('enough')
    const onUpdate = () => setTimeout(() => stop.abort(reason), 50)
    await expect(client.jobs.wait(id, { signal: stop.signal, transport, onUpdate })).rejects.toBe(reason)
    await expect(client.jobs.wait(id, { signal: stop.signal, transport })).rejects.toBe(reason)
    expect((await client.jobs.get(id)).status).toBe('queued')
    await client.jobs.cancel(id)
  })
  test('a service that stops while somebody waits is not the end of the wait', async () => {
    const second = await service.start('api')
    let target = second.base
    const gateway = await startGateway(
      () => target,
      () => 'pass',
    )
    const own = clientOf(gateway.base)
    const { id } = await own.extract(new File(['frame'], 'a.flipbook'))
    const listening = Promise.withResolvers<void>()
    const waiting = own.jobs.wait(id, { onUpdate: () => listening.resolve() }).catch((error: unknown) => error)
    await listening.promise
    target = service.base
    await second.kill('SIGTERM')
    await waitFor('a question after the stream', () => gateway.seen.at(-1)?.path === `/extract/job/${id}`)
    await client.jobs.cancel(id)
    expect(await waiting).toMatchObject({ name: 'JobCanceledError', job: { id, status: 'canceled' } })
    await gateway.close()
  })
  test('the pause between two questions is one to two seconds, then longer, and has an end', () => {
    for (let unchanged = 0; unchanged < 40; unchanged++) {
      const delayMs = pollDelay(unchanged)
      expect(delayMs).toBeGreaterThanOrEqual(1000)
      expect(delayMs).toBeLessThanOrEqual(unchanged <= 5 ? 2000 : 15_000)
    }
    expect(pollDelay(40)).toBe(15_000)
  })
})
