import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { listUploads } from './multipart.ts'

let service: TestService
beforeAll(async () => {
  // Nobody serves the image pool: flipbooks wait for ever.
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
})
afterAll(() => service.stop())

const newClient = async (credits = 100) => createClient(service.base, (await service.account({ credits })).key)
const submit = (
  client: TestClient,
  key: string,
  { name = 'a.flipbook', content = 'frame', options = undefined as unknown } = {},
) => client.submit(name, content, options, { headers: { 'Idempotency-Key': key } })
const countJobs = async (client: TestClient) =>
  (await client.get<{ jobs: unknown[] }>('/extract/jobs')).body.jobs.length

describe('202: the first answer again', () => {
  test('same key and same body', async () => {
    const client = await newClient()
    const first = await submit(client, 'k')
    const second = await submit(client, 'k')
    expect(second.status).toBe(202)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await countJobs(client)).toBe(1)
    expect((await client.get('/extract/entitlements/me')).body).toMatchObject({ totalCredits: 99 })
    expect(
      (await listUploads(service)).filter((name) => name !== first.body.id && !name.includes(first.body.id)),
    ).toEqual([])
  })
  test('after the job has ended', async () => {
    const client = await newClient()
    const first = await submit(client, 'k', { name: 'a.txt' })
    await client.waitForEnd(first.body.id)
    expect((await submit(client, 'k', { name: 'a.txt' })).body).toEqual(first.body)
  })
  test.each([
    ['a small file', 'frame'],
    ['a file whose sender would else be refused before it is read', 'frame\n'.repeat(100_000)],
  ])('when the first has taken the last credit: %s', async (_, content) => {
    const client = await newClient(1)
    const first = await submit(client, 'k', { name: 'a.txt', content })
    const second = await submit(client, 'k', { name: 'a.txt', content })
    expect(second).toMatchObject({ status: 202, body: first.body })
    expectError(await submit(client, 'other', { name: 'a.txt', content }), 402, 'entitlements.insufficient_credits')
  })
  test('ten at once make one job', async () => {
    const client = await newClient()
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(client, 'k')))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    expect(await countJobs(client)).toBe(1)
  })
  test('options that mean the same', async () => {
    const client = await newClient()
    const first = await submit(client, 'k')
    const spelt = { extraction: { selectedCapabilities: ['flipbook.frames'], includeManifest: true } }
    expect((await submit(client, 'k', { options: spelt })).body).toEqual(first.body)
  })
})

describe('202: another job', () => {
  test('without a key, each time', async () => {
    const client = await newClient()
    const ids = [await client.submit('a.flipbook', 'f'), await client.submit('a.flipbook', 'f')].map(
      ({ body }) => body.id,
    )
    expect(new Set(ids).size).toBe(2)
  })
  test('the same key in another account', async () => {
    const [one, other] = [await newClient(), await newClient()]
    expect((await submit(one, 'k')).body.id).not.toBe((await submit(other, 'k')).body.id)
  })
  test('the same key after a day', async () => {
    const client = await newClient()
    const first = await submit(client, 'old')
    await service.database.query(
      `update idempotency_keys set created_at = now() - interval '25 hours' where job_id = $1`,
      [first.body.id],
    )
    const second = await submit(client, 'old', { content: 'another frame' })
    expect(second.status).toBe(202)
    expect(second.body.id).not.toBe(first.body.id)
  })
  test('a refused request does not use its key up', async () => {
    const client = await newClient()
    expectError(await submit(client, 'k', { name: 'a.nope' }), 400, 'request.invalid_extension')
    expect((await submit(client, 'k')).status).toBe(202)
  })
})

describe('409 idempotency.key_reused', () => {
  test.each([
    ['another content', { content: 'another' }],
    ['another name', { name: 'b.flipbook' }],
    ['another format', { name: 'a.txt' }],
    ['other options', { options: { extraction: { includeManifest: false } } }],
  ])('%s', async (_, change) => {
    const client = await newClient()
    await submit(client, 'k')
    expectError(await submit(client, 'k', change), 409, 'idempotency.key_reused', { key: 'k' })
    expect(await countJobs(client)).toBe(1)
  })
  test('another workflow', async () => {
    const client = await newClient()
    const headers = { 'Idempotency-Key': 'k' }
    await client.submit('a.clip', '60', undefined, { headers })
    expectError(
      await client.submit('a.clip', '60', undefined, { headers, path: '/extract/transcribe' }),
      409,
      'idempotency.key_reused',
    )
  })
})

describe('400 request.invalid_parameter', () => {
  test('the key is empty, or too long', async () => {
    const client = await newClient()
    for (const key of ['', 'k'.repeat(256)]) {
      expectError(await submit(client, key), 400, 'request.invalid_parameter', { path: 'Idempotency-Key' })
    }
    expect((await submit(client, 'k'.repeat(255))).status).toBe(202)
  })
})
