import './own-formats.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { slow } from '../jobs/deeds.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { type Deed, startGateway } from './gateway.ts'

let service: TestService
let account: TestAccount
beforeAll(async () => {
  service = await startTestService({
    QUARRY_WORKER_POOLS: 'document,video',
    QUARRY_PLANS: JSON.stringify({ pro: { maxQueuedJobs: 1, maxParallelJobs: 1 } }),
  })
  account = await service.account()
})
afterAll(() => service.stop())

const clientOf = (base: string, maxRetries?: number) =>
  createClient({ baseUrl: `${base}/extract`, apiKey: account.key, ...(maxRetries === undefined ? {} : { maxRetries }) })
const envelope = (error: string, retryAfter?: string, status = 503): Deed => ({
  status,
  headers: { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': retryAfter } : {}) },
  body: JSON.stringify({ error, code: error, detail: 'later', params: {}, requestId: 'r' }),
})
/** How many requests it takes when the first ones are met with a deed, and what comes of it. */
const meet = async (deeds: readonly Deed[], work: (client: ReturnType<typeof createClient>) => Promise<unknown>) => {
  const gateway = await startGateway(service.base, (_, count) => deeds[count - 1] ?? 'pass')
  try {
    const result = await work(clientOf(gateway.base)).catch((error: unknown) => error)
    return { result, requests: gateway.seen.length }
  } finally {
    await gateway.close()
  }
}
const flipbook = () => new File(['frame'], 'a.flipbook')

test('a full queue is waited for, as long as the service says', async () => {
  const client = clientOf(service.base, 20)
  const running = await client.extract(new File([slow(2)], 'a.mischief'))
  const jobs = await Promise.all([1, 2].map(() => client.extract(new File([slow(0.1)], 'b.mischief'))))
  for (const job of [running, ...jobs]) expect((await client.jobs.wait(job)).status).toBe('succeeded')
}, 180_000)

describe('what is tried again', () => {
  test.each<[string, Deed[]]>([
    ['503 with a time', [envelope('service.unavailable', '1')]],
    ['503 without', [envelope('service.unavailable')]],
    ['429', [envelope('rate_limited', '1', 429), envelope('rate_limited', new Date().toUTCString(), 429)]],
    ['502 of a gateway', [{ status: 502, body: '<h1>Bad gateway</h1>' }]],
    ['a connection that breaks', ['lose-answer', 'lose-answer']],
  ])('a read: %s', async (_, deeds) => {
    const { result, requests } = await meet(deeds, (client) => client.schema())
    expect(result).toHaveProperty('formats')
    expect(requests).toBe(deeds.length + 1)
  })
  test('an estimate and a submission whose answers were lost', async () => {
    const price = await meet(['lose-answer'], (client) => client.estimate('csv', { fileSizeMb: 1 }))
    expect(price).toMatchObject({ result: { quotedCredits: 1 }, requests: 2 })
    const sent = await meet([envelope('service.unavailable', '1'), 'lose-answer'], (client) =>
      client.extract(flipbook()),
    )
    expect(sent).toMatchObject({ result: { status: 'Queued' }, requests: 3 })
    const { id } = sent.result as { id: string }
    const canceled = await meet(['lose-answer'], (client) => client.jobs.cancel(id))
    expect(canceled).toMatchObject({ result: { status: 'canceled' }, requests: 2 })
  })
})

describe('what is not', () => {
  test('more often than was said', async () => {
    const { result, requests } = await meet(Array(9).fill('lose-answer'), (client) => client.schema())
    expect(result).toMatchObject({ name: 'ConnectionError', code: 'client.connection_failed', status: null })
    expect(requests).toBe(3)
  })
  test('what would be answered only much later', async () => {
    const { result, requests } = await meet([envelope('rate_limited', '3600', 429)], (client) => client.schema())
    expect(result).toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      retryAfterSeconds: 3600,
      requestId: 'r',
    })
    expect(requests).toBe(1)
  })
  test('a fault of the service, a wrong request, a redirect', async () => {
    const deeds: [Deed, object][] = [
      [envelope('internal', undefined, 500), { name: 'ServiceError', code: 'internal', status: 500 }],
      [envelope('request.malformed', undefined, 400), { name: 'BadRequestError', status: 400 }],
      [
        { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
        { code: 'client.unexpected_answer', status: 302 },
      ],
      [
        { status: 200, body: '<p>Hello</p>' },
        { code: 'client.unexpected_answer', status: 200 },
      ],
    ]
    for (const [deed, expected] of deeds) {
      const { result, requests } = await meet([deed], (client) => client.schema())
      expect(result).toMatchObject(expected)
      expect(requests).toBe(1)
    }
  })
  test('a delete whose answer was lost: nobody knows whether it was done', async () => {
    const client = clientOf(service.base)
    const { id } = await client.extract(flipbook())
    await client.jobs.cancel(id)
    const { result, requests } = await meet(['lose-answer'], (own) => own.jobs.delete(id))
    expect(result).toMatchObject({ code: 'client.connection_failed' })
    expect(requests).toBe(1)
  })
  test('what the caller no longer wants', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const { result, requests } = await meet([envelope('service.unavailable', '30')], (client) => {
      setTimeout(() => stop.abort(reason), 500)
      return client.schema({ signal: stop.signal })
    })
    expect(result).toBe(reason)
    expect(requests).toBeLessThanOrEqual(1)
  })
})
