import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPlan } from '../../src/accounts/accounts.ts'
import { createKey, KEY_PREFIX, parseCidr, revokeKey } from '../../src/accounts/keys.ts'
import { type Answer, createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

let service: TestService
/** One more API, on every address, that believes a proxy at 127.0.0.1. */
let proxied: RunningProcess
let owner: TestAccount
const keys = {} as Record<Caller, string | null>
const jobs = new Map<string, string>()

/** The routes, who may call them, and what a Pro account gets for its own job. */
const ROUTES = [
  { name: 'POST /extract', tier: 'pro', success: 202 },
  { name: 'POST /extract/transcribe', tier: 'pro', success: 202 },
  { name: 'POST /extract/estimate/txt', tier: 'key', success: 200 },
  { name: 'GET /extract/options/txt', tier: 'key', success: 200 },
  { name: 'GET /extract/extractors', tier: 'key', success: 200 },
  { name: 'GET /extract/extractors/txt', tier: 'key', success: 200 },
  { name: 'GET /extract/schema', tier: 'key', success: 200 },
  { name: 'GET /extract/entitlements/me', tier: 'key', success: 200 },
  { name: 'GET /extract/openapi.json', tier: 'key', success: 200 },
  { name: 'GET /extract/jobs', tier: 'pro', success: 200 },
  { name: 'GET /extract/job/{id}', tier: 'pro', success: 200 },
  { name: 'GET /extract/job/{id}/download', tier: 'pro', success: 200 },
  { name: 'GET /extract/job/{id}/events', tier: 'pro', success: 200 },
  { name: 'POST /extract/job/{id}/cancel', tier: 'pro', success: 202 },
  { name: 'DELETE /extract/job/{id}', tier: 'pro', success: 204 },
] as const
type Route = (typeof ROUTES)[number]

const REFUSED = ['malformed', 'unknown', 'revoked', 'expired', 'wrong address'] as const
type Refused = (typeof REFUSED)[number]
type Caller = 'no key' | Refused | 'guest' | 'free' | 'pro' | "another account's job"

type Cell = { status: number; code?: string }
const expectedOf = ({ tier, success, name }: Route, caller: Caller): Cell => {
  if (caller === 'no key') return { status: 401, code: 'api_key.required' }
  if (REFUSED.includes(caller as Refused)) return { status: 401, code: 'api_key.invalid_or_ip_not_allowed' }
  if ((caller === 'free' || caller === 'guest') && tier === 'pro') return { status: 403, code: 'api_key.pro_required' }
  if (caller === "another account's job" && name.includes('{id}')) return { status: 403, code: 'jobs.forbidden' }
  return { status: success }
}

const call = (route: Route, key: string | null, jobId: string): Promise<Answer<ErrorBody>> => {
  const client = createClient(service.base, key)
  const [method = '', path = ''] = route.name.split(' ')
  const target = path.replace('{id}', jobId)
  if (path === '/extract') return client.submit<ErrorBody>('a.txt', 'a')
  if (path === '/extract/transcribe') return client.submit<ErrorBody>('a.clip', '60', undefined, { path })
  return client.call(method, target, path.includes('estimate') ? { json: { fileSizeBytes: 1 } } : {})
}

beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  proxied = await service.start('api', { HOST: '::', QUARRY_TRUSTED_PROXIES: '127.0.0.1' })
  owner = await service.account()
  const other = await service.account()
  const revoked = await createKey(service.database, { accountId: owner.id, userId: owner.userId, name: 'revoked' })
  await revokeKey(service.database, revoked.id)
  Object.assign(keys, {
    'no key': null,
    malformed: 'not-a-key',
    unknown: `${KEY_PREFIX}${'A'.repeat(43)}`,
    revoked: revoked.key,
    expired: (await newKey(owner, { expiresAt: new Date(Date.now() - 1000) })).key,
    'wrong address': (await newKey(owner, { cidr: '192.0.2.0/24' })).key,
    guest: (await service.account({ plan: 'guest' })).key,
    free: (await service.account({ plan: 'free' })).key,
    pro: owner.key,
    "another account's job": other.key,
  } satisfies typeof keys)
  const client = createClient(service.base, owner.key)
  for (const { name } of ROUTES.filter((route) => route.name.includes('{id}'))) {
    // Nobody serves the image pool, so what is to be canceled still waits.
    if (name.endsWith('cancel')) jobs.set(name, (await client.submit('a.flipbook', 'frame')).body.id)
    else jobs.set(name, (await client.extract('a.txt', 'a')).id)
  }
})
afterAll(() => service.stop())

const newKey = (account: TestAccount, { cidr, expiresAt }: { cidr?: string; expiresAt?: Date } = {}) =>
  createKey(service.database, {
    accountId: account.id,
    userId: account.userId,
    name: 'test',
    // As the operator's command line stores it.
    allowedCidr: cidr === undefined ? null : (parseCidr(cidr) ?? expect.fail(`${cidr} is not a CIDR`)),
    expiresAt: expiresAt ?? null,
  })

describe.each(ROUTES)('$name', (route) => {
  const callers: Caller[] = ['no key', ...REFUSED, 'guest', 'free', "another account's job", 'pro']
  const cells = callers.map((caller) => ({ caller, ...expectedOf(route, caller) }))
  test.each(cells.map((cell) => ({ ...cell, what: cell.code ?? 'success' })))(
    '$status $what: $caller',
    async ({ caller, status, code }) => {
      const answer = await call(route, keys[caller], jobs.get(route.name) ?? '')
      if (code) expectError(answer, status, code)
      else expect(answer.status).toBe(status)
      if (code === 'api_key.pro_required') {
        expect(answer.body.params).toEqual({ requiredTier: 'pro', currentTier: caller })
      }
    },
  )
})

describe('refused keys', () => {
  test('401 api_key.invalid_or_ip_not_allowed: the answers cannot be told apart', async () => {
    const answers = await Promise.all(
      REFUSED.map((caller) => createClient(service.base, keys[caller]).get('/extract/schema')),
    )
    const shown = answers.map(({ status, headers, body: { requestId: _, ...body } }) => {
      const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(headers)
      return { status, body, headers: Object.keys(rest).sort() }
    })
    for (const one of shown) expect(one).toEqual(shown[0])
  })
  test.each([
    ['an empty key', ''],
    ['blanks', '  '],
  ])('401 api_key.required: %s', async (_, key) => {
    expectError(await createClient(service.base, key).get('/extract/schema'), 401, 'api_key.required')
  })
  test.each([
    ['the prefix alone', KEY_PREFIX],
    ['another prefix', `fast_test_${'A'.repeat(43)}`],
    ['a very long key', KEY_PREFIX + 'A'.repeat(8000)],
    ['two keys in one header', 'TWICE'],
    ['a key in another letter case', 'UPPER'],
    ['a key with its last character missing', 'SHORT'],
  ])('401 api_key.invalid_or_ip_not_allowed: %s', async (_, text) => {
    const made = { TWICE: `${owner.key}, ${owner.key}`, UPPER: owner.key.toUpperCase(), SHORT: owner.key.slice(0, -1) }
    const key = made[text as keyof typeof made] ?? text
    expectError(await createClient(service.base, key).get('/extract/schema'), 401, 'api_key.invalid_or_ip_not_allowed')
  })
  test('401 api_key.required: a key in Authorization or in the query is not looked at', async () => {
    const nobody = createClient(service.base, null)
    const authorization = { authorization: `Bearer ${owner.key}` }
    expectError(await nobody.get('/extract/schema', authorization), 401, 'api_key.required')
    expectError(await nobody.get(`/extract/schema?key=${owner.key}`), 401, 'api_key.required')
  })
})

describe('changes take effect with the very next request', () => {
  test('revoked: 200, then 401', async () => {
    const { id, key } = await newKey(owner)
    const client = createClient(service.base, key)
    expect((await client.get('/extract/schema')).status).toBe(200)
    await revokeKey(service.database, id)
    expectError(await client.get('/extract/schema'), 401, 'api_key.invalid_or_ip_not_allowed')
    expect((await createClient(service.base, owner.key).get('/extract/schema')).status).toBe(200)
  })
  test('expired: 200, then 401', async () => {
    const { id, key } = await newKey(owner, { expiresAt: new Date(Date.now() + 3_600_000) })
    const client = createClient(service.base, key)
    expect((await client.get('/extract/schema')).status).toBe(200)
    await service.database.query('update api_keys set expires_at = now() where id = $1', [id])
    expectError(await client.get('/extract/schema'), 401, 'api_key.invalid_or_ip_not_allowed')
  })
  test('plan changed: 202, then 403 api_key.pro_required, then 202', async () => {
    const account = await service.account()
    const client = createClient(service.base, account.key)
    const job = await client.extract('a.txt', 'a')
    await setPlan(service.database, account.id, 'free')
    expectError(await client.submit('a.txt', 'a'), 403, 'api_key.pro_required', { currentTier: 'free' })
    expectError(await client.get(`/extract/job/${job.id}`), 403, 'api_key.pro_required')
    expectError(await client.get(`/extract/job/${job.id}/download`), 403, 'api_key.pro_required')
    expect((await client.get('/extract/schema')).status).toBe(200)
    await setPlan(service.database, account.id, 'pro')
    expect((await client.submit('a.txt', 'a')).status).toBe(202)
  })
})

describe('job routes of another account', () => {
  test('404 jobs.not_found: ids that are not ids, and ids of nothing', async () => {
    const client = createClient(service.base, owner.key)
    for (const id of ['x', '0'.repeat(31), `${'0'.repeat(32)}0`, '0'.repeat(32), '%00', "'; drop table jobs"]) {
      for (const more of ['', '/download', '/events']) {
        expectError(await client.get(`/extract/job/${encodeURIComponent(id)}${more}`), 404, 'jobs.not_found')
      }
    }
  })
  test('200: the id with dashes, and in capitals, is the same job', async () => {
    const client = createClient(service.base, owner.key)
    const { id } = await client.extract('a.txt', 'a')
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    for (const spelling of [dashed, id.toUpperCase()]) {
      expect(await client.get(`/extract/job/${spelling}`)).toMatchObject({ status: 200, body: { id } })
    }
  })
  test('200: any key of the account reaches its jobs', async () => {
    const { id } = await createClient(service.base, owner.key).extract('a.txt', 'a')
    const { key } = await newKey(owner)
    expect((await createClient(service.base, key).get(`/extract/job/${id}`)).status).toBe(200)
  })
  test('200: the list holds no job of another account', async () => {
    const account = await service.account()
    const { body } = await createClient(service.base, account.key).get<{ jobs: unknown[] }>('/extract/jobs')
    expect(body.jobs).toEqual([])
  })
})

/** The status that a key gets from a certain address of this machine. */
const ask = (base: string, key: string, more: { from?: string; headers?: Record<string, string> } = {}) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'X-Fast-Api-Key': key, ...more.headers }
    const options = { headers, agent: false, ...(more.from ? { localAddress: more.from } : {}) }
    const asked = request(`${base}/extract/schema`, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })

describe('addresses', () => {
  const cases: [string, { v4: number; elsewhere4: number; v6: number }][] = [
    ['127.0.0.1', { v4: 200, elsewhere4: 401, v6: 401 }],
    ['127.0.0.0/8', { v4: 200, elsewhere4: 200, v6: 401 }],
    ['127.0.0.0/31', { v4: 200, elsewhere4: 401, v6: 401 }],
    ['127.7.0.0/16', { v4: 401, elsewhere4: 200, v6: 401 }],
    ['::ffff:127.0.0.1', { v4: 200, elsewhere4: 401, v6: 401 }],
    ['::ffff:7f00:1', { v4: 200, elsewhere4: 401, v6: 401 }],
    ['::ffff:127.0.0.0/104', { v4: 200, elsewhere4: 200, v6: 401 }],
    ['0.0.0.0/0', { v4: 200, elsewhere4: 200, v6: 401 }],
    ['::1', { v4: 401, elsewhere4: 401, v6: 200 }],
    ['0:0:0:0:0:0:0:1', { v4: 401, elsewhere4: 401, v6: 200 }],
    ['::/64', { v4: 401, elsewhere4: 401, v6: 200 }],
    ['::2/128', { v4: 401, elsewhere4: 401, v6: 401 }],
    ['2001:db8::/32', { v4: 401, elsewhere4: 401, v6: 401 }],
  ]
  test.each(cases)('a key for %s', async (cidr, expected) => {
    const { key } = await newKey(owner, { cidr })
    const six = proxied.base.replace('127.0.0.1', '[::1]')
    expect({
      v4: await ask(service.base, key),
      elsewhere4: await ask(service.base, key, { from: '127.7.7.7' }),
      v6: await ask(six, key),
    }).toEqual(expected)
    // The socket on every address sees IPv4 callers as mapped ones.
    expect({
      v4: await ask(proxied.base, key),
      elsewhere4: await ask(proxied.base, key, { from: '127.7.7.7' }),
    }).toEqual({
      v4: expected.v4,
      elsewhere4: expected.elsewhere4,
    })
  })

  test('X-Forwarded-For is not believed by itself', async () => {
    const { key } = await newKey(owner, { cidr: '203.0.113.0/24' })
    for (const [name, value] of [
      ['X-Forwarded-For', '203.0.113.7'],
      ['Forwarded', 'for=203.0.113.7'],
      ['X-Real-IP', '203.0.113.7'],
    ] as const) {
      expect(await ask(service.base, key, { headers: { [name]: value } })).toBe(401)
    }
    const local = await newKey(owner, { cidr: '127.0.0.1' })
    expect(await ask(service.base, local.key, { headers: { 'X-Forwarded-For': '203.0.113.7' } })).toBe(200)
  })
  test('X-Forwarded-For is believed from a trusted proxy, its last stranger only', async () => {
    const { key } = await newKey(owner, { cidr: '203.0.113.0/24' })
    const through = (forwarded: string, from?: string) =>
      ask(proxied.base, key, { headers: { 'X-Forwarded-For': forwarded }, ...(from ? { from } : {}) })
    expect(await through('203.0.113.7')).toBe(200)
    expect(await through('203.0.113.7, 127.0.0.1')).toBe(200)
    expect(await through('::ffff:203.0.113.7')).toBe(200)
    // What the caller wrote itself stands before what the proxy saw.
    expect(await through('203.0.113.7, 198.51.100.1')).toBe(401)
    expect(await through('203.0.113.7', '127.7.7.7')).toBe(401)
    expect(await ask(proxied.base, key)).toBe(401)
  })
})

describe('last use', () => {
  test('is written down with the first request', async () => {
    const { id, key } = await newKey(owner)
    const client: TestClient = createClient(service.base, key)
    await client.get('/extract/schema')
    const [row] = await service.database.query<{ last_used_at: Date | null }>(
      'select last_used_at from api_keys where id = $1',
      [id],
    )
    expect(row?.last_used_at).toBeInstanceOf(Date)
  })
  test('is not written down for a refused request', async () => {
    const { id, key } = await newKey(owner, { cidr: '192.0.2.1' })
    await createClient(service.base, key).get('/extract/schema')
    const [row] = await service.database.query('select last_used_at from api_keys where id = $1', [id])
    expect(row).toEqual({ last_used_at: null })
  })
})
