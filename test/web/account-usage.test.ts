import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount, webhookSecretOf } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { addUser } from '../../src/accounts/users.ts'
import { type Usage, usageSchema, type Webhooks, webhooksSchema } from '../../src/http/web/contract.ts'
import { refundJob } from '../../src/jobs/refund.ts'
import { expectError } from '../api/expect-error.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { createVisitor, newEmail, PASSWORD } from './visitor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => service.stop())

/** Somebody signed in to a new Pro account, with a client of its API. */
const newMember = async () => {
  const { id, userId } = await createAccount(service.database, { name: 'test', plan: 'pro', credits: 1000 })
  const { key } = await createKey(service.database, { accountId: id, userId, name: 'test' })
  const email = newEmail()
  await addUser(service.database, { accountId: id, email, name: 'Ada', password: PASSWORD })
  const visitor = createVisitor(service.base)
  expect((await visitor.signIn(email)).status).toBe(200)
  return { ...visitor, accountId: id, client: createClient(service.base, key) }
}

const FAILS = JSON.stringify({ do: 'throw' })

describe('usage', () => {
  test('is told by day and by format, and does not change when a job is deleted', async () => {
    const { client, get } = await newMember()
    const read = async (query = '') => usageSchema.parse((await get<Usage>(`/web/usage${query}`)).body)
    const empty = await read()
    expect([empty.days.length, empty.formats]).toEqual([30, []])
    const kept = await client.extract('a.txt', 'kept\n')
    const refunded = await client.extract('b.txt', 'to be refunded\n')
    await client.extract('c.md', '# A heading\n')
    await client.extract('d.mischief', FAILS)
    const before = await read('?days=7')
    expect(before.days).toHaveLength(7)
    expect(before.days.slice(0, -1)).toEqual(
      before.days.slice(0, -1).map(({ date }) => ({ date, jobs: 0, succeeded: 0, credits: 0 })),
    )
    expect(before.days.map(({ date }) => date)).toEqual(before.days.map(({ date }) => date).sort())
    expect(before.days.at(-1)).toMatchObject({ jobs: 4, succeeded: 3, credits: 3 })
    expect(before.formats).toEqual([
      { format: 'txt', jobs: 2, succeeded: 2, credits: 2 },
      { format: 'md', jobs: 1, succeeded: 1, credits: 1 },
      { format: 'mischief', jobs: 1, succeeded: 0, credits: 0 },
    ])
    await refundJob(service.database, refunded.id, 'sorry')
    const after = await read('?days=7')
    expect(after.days.at(-1)).toMatchObject({ jobs: 4, succeeded: 3, credits: 2 })
    for (const { id } of [kept, refunded]) expect((await client.call('DELETE', `/extract/job/${id}`)).status).toBe(204)
    expect(await read('?days=7')).toEqual(after)
    expect((await read('?days=1')).days).toEqual([after.days.at(-1)])

    const stranger = await newMember()
    expect((await stranger.get<Usage>('/web/usage')).body.formats).toEqual([])
  })

  test.each(['days=0', 'days=367', 'days=week'])('%s is refused', async (query) => {
    const member = await newMember()
    expectError(await member.get(`/web/usage?${query}`), 400, 'request.invalid_parameter', { path: 'days' })
  })
})

describe('webhooks', () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/gone' ? 410 : 204).end())
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  test('deliveries are listed, the newest first, without what must stay secret', async () => {
    const { client, get, post, accountId } = await newMember()
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const secret = `whsec_${Buffer.from('a secret of at least twenty-four bytes').toString('base64')}`
    const submit = (url: string, more: object = {}) =>
      client.extract('a.txt', 'a\n', { webhookUrl: `${base}${url}`, webhookEvents: ['job.succeeded'], ...more })
    const [taken, gone, last] = [
      await submit('/taken'),
      await submit('/gone', { webhookSecret: secret }),
      await submit('/taken'),
    ]
    const { body } = await waitFor('three tries', async () => {
      const answer = await get<Webhooks>('/web/webhooks')
      return answer.body.deliveries.every(({ lastStatus }) => lastStatus !== null) && answer
    })
    const { deliveries } = webhooksSchema.parse(body)
    expect(deliveries.map(({ jobId }) => jobId)).toEqual([last.id, gone.id, taken.id])
    expect(deliveries[2]).toMatchObject({
      event: 'job.succeeded',
      url: `${base}/taken`,
      state: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      deliveredAt: expect.any(String),
      nextAttemptAt: null,
    })
    expect(deliveries[1]).toMatchObject({
      state: 'pending',
      lastStatus: 410,
      lastError: 'answered 410',
      deliveredAt: null,
      nextAttemptAt: expect.any(String),
    })
    const own = await webhookSecretOf(service.database, accountId)
    expect(JSON.stringify(body)).not.toContain('whsec_')

    const first = (await get<Webhooks>('/web/webhooks?limit=2')).body
    const second = (await get<Webhooks>(`/web/webhooks?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.deliveries, ...second.deliveries].map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id))
    expect(second.nextCursor).toBeNull()
    expectError(await get('/web/webhooks?cursor=first'), 400, 'request.invalid_parameter', { path: 'cursor' })

    expect((await post('/web/webhook-secret')).body).toEqual({ secret: own })
    expectError(await get('/web/webhook-secret'), 405, 'route.method_not_allowed')
    expectError(await get('/web/nothing'), 404, 'route.not_found')
    const stranger = await newMember()
    expect((await stranger.get<Webhooks>('/web/webhooks')).body).toEqual({ deliveries: [], nextCursor: null })
  })
})
