import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../../src/accounts/sessions.ts'
import { DEFAULT_PLANS, type PlanId } from '../../src/core/plans.ts'
import type { Quote } from '../../src/core/pricing.ts'
import { extractorsSchema, optionsDescriptorSchema, quoteSchema, schemaSchema } from '../../src/http/schemas.ts'
import { type Reference, referenceSchema } from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { type Answer, createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let guest: TestClient
let withKey: TestClient
beforeAll(async () => {
  service = await startTestService({
    QUARRY_PLANS: JSON.stringify({ guest: { maxFileSizeMb: 7, maxDurationMinutes: 3 } }),
    QUARRY_OPENAI_KEY: 'not-for-anyone',
  })
  guest = createClient(service.base, null)
  withKey = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

/** The headers of someone who is signed in to an account of this plan. */
const signIn = async (plan: PlanId): Promise<Record<string, string>> => {
  const { userId } = await service.account({ plan, credits: 1 })
  await service.database.query('update users set email = $2 where id = $1', [userId, `${userId}@example.org`])
  const { token } = await openSession(service.database, { userId, userAgent: 'test', address: '127.0.0.1' })
  return { cookie: `quarry_session=${token}` }
}
const estimate = <T = Quote>(format: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> =>
  guest.call<T>('POST', `/web/estimate/${format}`, { json, headers: { origin: service.base, ...headers } })

describe('what the public API says, without a key', () => {
  test.each([
    ['options/deck', optionsDescriptorSchema],
    ['options/.MP4', optionsDescriptorSchema],
    ['schema', schemaSchema],
  ])('%s', async (path, schema) => {
    const [here, there] = [await guest.get(`/web/${path}`), await withKey.get(`/extract/${path}`)]
    expect(here.status).toBe(200)
    expect(here.body).toEqual(there.body)
    schema.parse(here.body)
    expect(here.headers.get('cache-control')).toBe('private, max-age=60')
    expect(here.headers.get('vary')).toContain('cookie')
  })
  test('the OpenAPI document, which knows nothing of the routes of the website', async () => {
    const [here, there] = [
      await guest.get<object>('/web/openapi.json'),
      await withKey.get<object>('/extract/openapi.json'),
    ]
    expect(here.status).toBe(200)
    expect(here.body).toEqual(there.body)
    const { paths } = here.body as { paths: Record<string, unknown> }
    expect(Object.keys(paths)).toContain('/extract/estimate/{sourceFileExtension}')
    expect(Object.keys(paths).filter((path) => path.startsWith('/web'))).toEqual([])
  })
  test('a format that does not exist, and no answer to keep', async () => {
    const answer = await guest.get('/web/options/nothing')
    expectError(answer, 404, 'formats.not_found', { format: 'nothing' })
    expect(answer.headers.get('cache-control') ?? '').not.toContain('max-age')
  })
  test('a parameter that does not exist', async () => {
    expectError(await guest.get('/web/schema?verbose=1'), 400, 'request.unknown_field', { field: 'verbose' })
  })
})

describe('the limits are those of the visitor', () => {
  const limitsFor = async (headers?: Record<string, string>) => {
    const { status, body } = await guest.get('/web/extractors', headers)
    expect(status).toBe(200)
    const clip = extractorsSchema.parse(body).extractors.find(({ extractor }) => extractor === 'clip')
    return clip?.limits
  }
  test('a guest has those of guests, as the operator set them', async () => {
    expect(await limitsFor()).toEqual({ maxFileSizeMb: 7, maxDurationMinutes: 3 })
  })
  test.each(['free', 'pro'] as const)('a member has those of the plan %s', async (plan) => {
    const { maxFileSizeMb, maxDurationMinutes } = DEFAULT_PLANS[plan]
    expect(await limitsFor(await signIn(plan))).toEqual({ maxFileSizeMb, maxDurationMinutes })
  })
  test('a cookie of nobody is a guest', async () => {
    expect(await limitsFor({ cookie: 'quarry_session=AAAA' })).toEqual({ maxFileSizeMb: 7, maxDurationMinutes: 3 })
  })
  test('an estimate refuses what the plan does not take, and quotes what it takes', async () => {
    const file = { fileSizeMb: 8, slideCount: 6 }
    expectError(await estimate('deck', file), 413, 'request.file_too_large', { maxFileSizeMb: 7 })
    expectError(
      await estimate('clip', { fileSizeMb: 1, durationMinutes: 4 }),
      400,
      'estimate.duration_limit_exceeded',
      { maxDurationMinutes: 3 },
    )
    const answer = await estimate('deck', file, await signIn('free'))
    expect(answer.status).toBe(200)
    expect(quoteSchema.parse(answer.body).quotedCredits).toBe(2)
  })
})

describe('POST /web/estimate', () => {
  test('answers as the public route does', async () => {
    const json = { fileSizeMb: 6, slideCount: 11, options: { extraction: { includeManifest: false } } }
    const [here, there] = [
      await estimate('.Deck', json),
      await withKey.call('POST', '/extract/estimate/.Deck', { json }),
    ]
    expect({ status: here.status, body: here.body }).toEqual({ status: 200, body: there.body })
  })
  test('names the metric that is missing', async () => {
    const body = expectError(await estimate('deck', { fileSizeMb: 1 }), 422, 'estimate.exact_metrics_required', {
      fields: ['slideCount', 'documentUnitCount'],
    })
    expect(body).toMatchObject({ format: 'deck', job: 'extract.deck' })
  })
  test('without a body is told that the size is missing', async () => {
    const answer = await guest.call('POST', '/web/estimate/txt', { headers: { origin: service.base } })
    expectError(answer, 400, 'estimate.invalid_file_size')
  })
  test.each([[undefined], ['https://elsewhere.example'], ['null']])('from the origin %s is refused', async (origin) => {
    const answer = await guest.call('POST', '/web/estimate/txt', {
      json: { fileSizeMb: 1 },
      headers: origin === undefined ? {} : { origin },
    })
    expectError(answer, 403, 'session.cross_origin')
  })
  test('opens no account', async () => {
    const count = async () => (await service.database.query('select 1 from accounts')).length
    const before = await count()
    await estimate('txt', { fileSizeMb: 1 })
    expect(await count()).toBe(before)
  })
})

describe('GET /web/reference', () => {
  let reference: Reference
  beforeAll(async () => {
    const { status, body } = await guest.get('/web/reference')
    expect(status).toBe(200)
    reference = referenceSchema.parse(body)
    expect(body).toEqual(reference)
  })
  test('has every error, and tells those of the website apart', () => {
    expect(reference.errors).toContainEqual({
      code: 'api_key.required',
      status: 401,
      detail: 'Send your API key in the X-Fast-Api-Key header.',
      webOnly: false,
    })
    expect(reference.errors.filter(({ webOnly }) => webOnly).map(({ code }) => code)).toContain('session.required')
    expect(reference.failures.map(({ code }) => code)).toContain('extract.source_unreadable')
  })
  test('has the plans in force', () => {
    expect(reference.plans.map(({ id, maxFileSizeMb }) => [id, maxFileSizeMb])).toEqual([
      ['guest', 7],
      ['free', 50],
      ['pro', 1024],
    ])
  })
  test('has the settings, and of their values only the defaults', () => {
    expect(reference.settings.find(({ setting }) => setting === 'QUARRY_RETENTION_MINUTES')?.default).toBe('60')
    expect(reference.settings.find(({ setting }) => setting === 'QUARRY_OPENAI_KEY')?.default).toBe('')
    expect(JSON.stringify(reference)).not.toContain('not-for-anyone')
    expect(JSON.stringify(reference)).not.toContain(service.dataFolder)
  })
})
