import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webhookSecretOf } from '../../src/accounts/accounts.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { ok, slow } from './deeds.ts'

type Delivery = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

/** A receiver of webhooks: what it answers is said by its path, `/500,200` for example. */
const startReceiver = async () => {
  const deliveries: Delivery[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const earlier = deliveries.filter((delivery) => delivery.path === path).length
      deliveries.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), at: Date.now() })
      const answers = (path.split('/').at(-1) ?? '').split(',').map(Number)
      response.writeHead(answers[Math.min(earlier, answers.length - 1)] ?? 200, { location: '/redirected/200' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { base, deliveries, to: (path: string) => deliveries.filter((one) => one.path === path), server }
}

/** The scheme of standardwebhooks.com, written down again from its text. */
const verify = ({ headers, body }: Delivery, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed, 'utf8').digest()
  const isFresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300
  return (
    isFresh &&
    String(headers['webhook-signature'])
      .split(' ')
      .some((one) => {
        const [version, signature = ''] = one.split(',')
        const given = Buffer.from(signature, 'base64')
        return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
      })
  )
}

const SECRET = `whsec_${Buffer.from('a secret of at least twenty-four bytes').toString('base64')}`

describe('deliveries', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let service: TestService
  let worker: RunningProcess
  let account: TestAccount
  let client: TestClient
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startTestService({ QUARRY_WEBHOOK_ALLOW_PRIVATE: 'true' }, 'api')
    account = await service.account()
    client = createClient(service.base, account.key)
  })
  afterAll(async () => {
    await service.stop()
    receiver.server.close()
  })
  const arrived = (path: string, count = 1, timeoutMs = 20_000) =>
    waitFor(`${count} at ${path}`, () => (receiver.to(path).length >= count ? receiver.to(path) : undefined), timeoutMs)

  // First: no worker has been started yet.
  test('what was settled while nobody could deliver is delivered by the next worker', async () => {
    const webhookUrl = `${receiver.base}/canceled/200`
    const { body } = await client.submit('deed.mischief', ok(), { webhookUrl, webhookSecret: SECRET })
    expect((await client.call('POST', `/extract/job/${body.id}/cancel`)).status).toBe(202)
    await delay(300)
    expect(receiver.deliveries).toEqual([])
    worker = await service.start('worker')
    const [delivery] = await arrived('/canceled/200')
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ type: 'job.canceled', data: { id: body.id } })
  })

  test('a signed record of the job arrives once', async () => {
    const webhookUrl = `${receiver.base}/signed/204`
    const { body } = await client.submit('deed.mischief', ok(), { webhookUrl, webhookSecret: SECRET })
    const [delivery] = await arrived('/signed/204')
    if (!delivery) throw new Error('no delivery')
    expect(verify(delivery, SECRET)).toBe(true)
    expect(verify({ ...delivery, body: `${delivery.body} ` }, SECRET)).toBe(false)
    expect(verify(delivery, `whsec_${Buffer.from('another secret of many bytes').toString('base64')}`)).toBe(false)
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(delivery.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/)
    const message = JSON.parse(delivery.body) as { type: string; timestamp: string; data: JobRecord }
    const { body: record } = await client.get<JobRecord>(`/extract/job/${body.id}`)
    expect(message).toEqual({ type: 'job.succeeded', timestamp: record.finishedAt, data: record })
    await delay(500)
    expect(receiver.to('/signed/204')).toHaveLength(1)
    expect(await readDelivery(body.id)).toMatchObject({ state: 'delivered', attempts: 1, secret: '' })
    // The secret is nowhere to be read once it has done its work.
    const [row] = await service.database.query<{ text: string }>('select plan::text as text from jobs where id = $1', [
      body.id,
    ])
    expect(row?.text).not.toContain(SECRET)
  })

  test('without a secret of its own a job is signed with that of its account', async () => {
    const webhookUrl = `${receiver.base}/account/200`
    await client.submit('deed.mischief', JSON.stringify({ do: 'fail:extract.source_unreadable' }), { webhookUrl })
    const [delivery] = await arrived('/account/200')
    const secret = await webhookSecretOf(service.database, account.id)
    expect(delivery && verify(delivery, secret)).toBe(true)
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
      type: 'job.failed',
      data: { error: { code: 'extract.source_unreadable' }, billing: 'released' },
    })
  })

  test('a job that fails in the probe tells so too', async () => {
    await client.submit('empty.deck', '\n', { webhookUrl: `${receiver.base}/probe/200` })
    const [delivery] = await arrived('/probe/200')
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ type: 'job.failed' })
  })

  test('only the events that were asked for', async () => {
    const wanted = { webhookUrl: `${receiver.base}/failed-only/200`, webhookEvents: ['job.failed'] }
    const succeeded = await client.submit('deed.mischief', ok(), wanted)
    await client.waitForEnd(succeeded.body.id)
    const failed = await client.submit('deed.mischief', JSON.stringify({ do: 'throw' }), wanted)
    const [delivery] = await arrived('/failed-only/200')
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ type: 'job.failed', data: { id: failed.body.id } })
    expect(receiver.to('/failed-only/200')).toHaveLength(1)
    expect(await readDelivery(succeeded.body.id)).toBeUndefined()
  })

  test('a redirect is not followed, and counts as a refusal', async () => {
    const { body } = await client.submit('deed.mischief', ok(), { webhookUrl: `${receiver.base}/moved/302` })
    await arrived('/moved/302')
    await waitFor('the note', async () => (await readDelivery(body.id))?.last_status === 302)
    expect(receiver.to('/redirected/200')).toEqual([])
  })

  test('an answer of 500 is tried again after five seconds, by another worker when the first was killed', async () => {
    const webhookUrl = `${receiver.base}/again/500,200`
    const { body } = await client.submit('deed.mischief', slow(0.1), { webhookUrl, webhookSecret: SECRET })
    await arrived('/again/500,200')
    await waitFor('the note', async () => (await readDelivery(body.id))?.last_status === 500)
    await worker.kill('SIGKILL')
    worker = await service.start('worker')
    const [first, second] = await arrived('/again/500,200', 2)
    if (!first || !second) throw new Error('no second delivery')
    expect(second.at - first.at).toBeGreaterThanOrEqual(4900)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(second.body).toBe(first.body)
    expect(verify(second, SECRET)).toBe(true)
    await waitFor('the note', async () => (await readDelivery(body.id))?.state === 'delivered')
    expect(await readDelivery(body.id)).toMatchObject({ attempts: 2, last_status: 200, last_error: null })
  })

  const readDelivery = async (jobId: string) =>
    (
      await service.database.query<{
        state: string
        attempts: number
        secret: string
        last_status: number | null
        last_error: string | null
      }>('select state, attempts, secret, last_status, last_error from webhook_deliveries where job_id = $1', [jobId])
    )[0]
})

describe('where private addresses are not allowed', () => {
  let service: TestService
  let client: TestClient
  beforeAll(async () => {
    service = await startTestService({}, 'api')
    client = createClient(service.base, (await service.account()).key)
  })
  afterAll(() => service.stop())

  test.each([
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://127.1/hook',
    'https://2130706433/hook',
    'https://0x7f.0.0.1/hook',
    'https://0/hook',
    'https://localhost/hook',
    'https://LOCALHOST./hook',
    'https://service.localhost/hook',
    'https://printer.local/hook',
    'https://metadata.google.internal/hook',
    'https://10.1.2.3/hook',
    'https://172.31.0.1/hook',
    'https://192.168.1.1/hook',
    'https://100.64.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hook',
    'https://[::]/hook',
    'https://[::ffff:127.0.0.1]/hook',
    'https://[::ffff:7f00:1]/hook',
    'https://[64:ff9b::7f00:1]/hook',
    'https://[2002:7f00:1::]/hook',
    'https://[fe80::1]/hook',
    'https://[fd00::1]/hook',
    'https://user:password@example.com/hook',
    'ftp://example.com/hook',
    'file:///etc/passwd',
    'not a url',
  ])('400: a webhook to %s', async (webhookUrl) => {
    const answer = await client.submit<ErrorBody>('notes.txt', 'text\n', { webhookUrl })
    expect([answer.status, answer.body.code, answer.body.params.path]).toEqual([
      400,
      'request.invalid_parameter',
      'options.webhookUrl',
    ])
  })

  test('202: a webhook to a public name or address', async () => {
    for (const webhookUrl of [
      'https://example.com/hook',
      'https://93.184.215.14/hook',
      'https://[2606:2800::1]/hook',
    ]) {
      expect((await client.submit('notes.txt', 'text\n', { webhookUrl })).status).toBe(202)
    }
  })
})
