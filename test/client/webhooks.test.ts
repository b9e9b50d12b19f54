import './own-formats.ts'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, verifyWebhook, WebhookVerificationError } from '../../packages/client/src/index.ts'
import { ok } from '../jobs/deeds.ts'
import { startTestService, type TestService } from '../support/service.ts'

const SECRET = `whsec_${Buffer.from('a secret of at least twenty-four bytes').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another one of at least as many bytes').toString('base64')}`
type Delivery = { headers: IncomingHttpHeaders; body: Buffer }

let service: TestService
let delivery: Delivery
let jobId: string
beforeAll(async () => {
  const delivered = Promise.withResolvers<Delivery>()
  const receiver = createServer(async (request, response) => {
    delivered.resolve({ headers: request.headers, body: await buffer(request) })
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  service = await startTestService({ QUARRY_WEBHOOK_ALLOW_PRIVATE: 'true', QUARRY_WORKER_POOLS: 'document' })
  const { key } = await service.account()
  const client = createClient({ baseUrl: `${service.base}/extract`, apiKey: key })
  const submission = await client.extract(new File([ok('Grüße\n')], 'Übung.mischief'), {
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    webhookSecret: SECRET,
    webhookEvents: ['job.succeeded'],
  })
  jobId = submission.id
  delivery = await delivered.promise
  receiver.close()
}, 120_000)
afterAll(() => service.stop())

const refuses = (...args: Parameters<typeof verifyWebhook>) =>
  expect(() => verifyWebhook(...args)).toThrow(WebhookVerificationError)

test('a webhook of the service is believed, as bytes and as text, with headers of either kind', () => {
  const { body, headers } = delivery
  const event = verifyWebhook(body, headers, SECRET)
  expect(event).toMatchObject({ type: 'job.succeeded', data: { id: jobId, status: 'succeeded', fileName: 'Übung' } })
  expect(verifyWebhook(body.toString('utf8'), headers, SECRET)).toEqual(event)
  expect(verifyWebhook(body, new Headers(Object.entries(headers).map(([k, v]) => [k, String(v)])), SECRET)).toEqual(
    event,
  )
  const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect(verifyWebhook(body, shouted, SECRET)).toEqual(event)
})
test('one signature among several is enough', () => {
  const signature = `v1,${Buffer.alloc(32).toString('base64')} v2,zzz ${delivery.headers['webhook-signature']}`
  expect(verifyWebhook(delivery.body, { ...delivery.headers, 'webhook-signature': signature }, SECRET).data.id).toBe(
    jobId,
  )
})
test('another secret, another payload, another id or time is not believed', () => {
  const { body, headers } = delivery
  refuses(body, headers, OTHER)
  refuses(`${body} `, headers, SECRET)
  refuses(body.toString('utf8').replace('succeeded', 'cancelled'), headers, SECRET)
  refuses(body, { ...headers, 'webhook-id': 'msg_other' }, SECRET)
  refuses(body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, SECRET)
  for (const signature of ['', 'v1,', 'v1', 'v1,AAAA', String(headers['webhook-signature']).replace('v1,', 'v2,')])
    refuses(body, { ...headers, 'webhook-signature': signature }, SECRET)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    refuses(body, { ...headers, [name]: undefined }, SECRET)
})
test('five minutes to either side, and no more', () => {
  const { body, headers } = delivery
  const sentMs = Number(headers['webhook-timestamp']) * 1000
  for (const seconds of [-299, 0, 299]) verifyWebhook(body, headers, SECRET, { nowMs: sentMs + seconds * 1000 })
  for (const seconds of [-301, 301]) refuses(body, headers, SECRET, { nowMs: sentMs + seconds * 1000 })
})
test('a secret that is none is a mistake of the program, not a webhook to refuse', () => {
  for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=']) {
    expect(() => verifyWebhook(delivery.body, delivery.headers, secret)).toThrow(TypeError)
  }
})
test('what is signed and no job is refused; a cancelled of two l is read as the other', () => {
  const sign = (body: string) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  }
  for (const body of ['', 'null', '{}', 'not JSON']) refuses(body, sign(body), SECRET)
  const { data } = JSON.parse(delivery.body.toString('utf8')) as { data: object }
  const canceled = JSON.stringify({ type: 'job.cancelled', timestamp: '', data: { ...data, status: 'cancelled' } })
  expect(verifyWebhook(canceled, sign(canceled), SECRET)).toMatchObject({
    type: 'job.canceled',
    data: { status: 'canceled' },
  })
})
