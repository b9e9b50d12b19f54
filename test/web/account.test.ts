import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { grantCredits, readBalance } from '../../src/accounts/ledger.ts'
import { addUser } from '../../src/accounts/users.ts'
import { toUuid } from '../../src/core/ids.ts'
import type { PlanId } from '../../src/core/plans.ts'
import {
  type Credits,
  creditsSchema,
  type Keys,
  keysSchema,
  type Ledger,
  ledgerSchema,
  type NewKey,
  newKeySchema,
} from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { slow } from '../jobs/deeds.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createVisitor, newEmail, PASSWORD } from './visitor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '1', QUARRY_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => service.stop())

/** Somebody signed in to a new account of a plan. */
const newMember = async (plan: PlanId = 'pro', credits = 1000) => {
  const account = await createAccount(service.database, { name: 'test', plan, credits })
  const email = newEmail()
  await addUser(service.database, { accountId: account.id, email, name: 'Ada', password: PASSWORD })
  const visitor = createVisitor(service.base)
  expect((await visitor.signIn(email)).status).toBe(200)
  const newKey = async (body: object = {}) => {
    const { status, body: made } = await visitor.post<NewKey>('/web/keys', { name: 'test', ...body })
    expect(status).toBe(201)
    return newKeySchema.parse(made)
  }
  return { ...visitor, accountId: toUuid(account.id), newKey }
}

const schemaStatus = async (key: string, headers: Record<string, string> = {}) =>
  (await createClient(service.base, key).get('/extract/schema', headers)).status

describe('keys', () => {
  test('a new key works at once, is shown only once, and is stopped at once', async () => {
    const member = await newMember()
    const { key, record } = await member.newKey({ name: '  ci  ' })
    expect(key).toMatch(/^fast_prod_[\w-]{43}$/)
    expect(record).toMatchObject({ name: 'ci', state: 'active', lastUsedAt: null, expiresAt: null, allowedCidr: null })
    expect(key.startsWith(record.hint)).toBe(true)
    expect(await schemaStatus(key)).toBe(200)

    const list = await member.get<Keys>('/web/keys')
    expect(keysSchema.parse(list.body).keys).toEqual([{ ...record, lastUsedAt: expect.any(String) }])
    expect(JSON.stringify(list.body)).not.toContain(key)
    expect((await member.delete(`/web/keys/${record.id}`)).status).toBe(204)
    expectError(await createClient(service.base, key).get('/extract/schema'), 401, 'api_key.invalid_or_ip_not_allowed')
    const after = (await member.get<Keys>('/web/keys')).body.keys[0]
    expect(after).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) })
    // Revoking twice keeps the first time.
    expect((await member.delete(`/web/keys/${record.id}`)).status).toBe(204)
    expect((await member.get<Keys>('/web/keys')).body.keys[0]).toEqual(after)
  })

  test('a key ends by itself', async () => {
    const member = await newMember()
    const { key, record } = await member.newKey({ expiresAt: '2099-01-31T12:00:00+02:00' })
    expect(record.expiresAt).toBe('2099-01-31T10:00:00.000Z')
    expect(await schemaStatus(key)).toBe(200)
    await service.database.query('update api_keys set expires_at = now() where id = $1', [record.id])
    expect(await schemaStatus(key)).toBe(401)
    expect((await member.get<Keys>('/web/keys')).body.keys[0]?.state).toBe('expired')
  })

  test('a key may be bound to a network', async () => {
    const member = await newMember()
    const { key, record } = await member.newKey({ allowedCidr: ' 203.0.113.0/24 ' })
    expect(record.allowedCidr).toBe('203.0.113.0/24')
    expect(await schemaStatus(key, { 'x-forwarded-for': '203.0.113.77' })).toBe(200)
    expect(await schemaStatus(key, { 'x-forwarded-for': '203.0.114.77' })).toBe(401)
    expect((await member.newKey({ allowedCidr: '2001:DB8::1' })).record.allowedCidr).toBe('2001:db8::1/128')
    expect((await member.newKey({ allowedCidr: '' })).record.allowedCidr).toBeNull()
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['allowedCidr', { allowedCidr: 'example.com' }],
    ['allowedCidr', { allowedCidr: '10.0.0.0/33' }],
  ])('a wrong %s is refused: %j', async (path, body) => {
    const member = await newMember()
    expectError(await member.post('/web/keys', { name: 'test', ...body }), 400, 'request.invalid_parameter', { path })
    expect((await member.get<Keys>('/web/keys')).body.keys).toEqual([])
  })

  test("another account's keys are as if they were not there", async () => {
    const [member, stranger] = [await newMember(), await newMember()]
    const { key, record } = await member.newKey()
    expectError(await stranger.delete(`/web/keys/${record.id}`), 404, 'keys.not_found')
    expectError(await stranger.delete('/web/keys/nonsense'), 404, 'keys.not_found')
    expect((await stranger.get<Keys>('/web/keys')).body.keys).toEqual([])
    expect(await schemaStatus(key)).toBe(200)
  })

  test('any plan may make keys, and a key gives no more than its plan', async () => {
    const member = await newMember('free', 0)
    const { key } = await member.newKey()
    const client = createClient(service.base, key)
    expect((await client.get('/extract/entitlements/me')).body).toMatchObject({ tier: 'free' })
    expectError(await client.submit('a.txt', 'a'), 403, 'api_key.pro_required', { currentTier: 'free' })
  })

  test('an account has only so many active keys, however fast they are made', async () => {
    const member = await newMember()
    await service.database.query(
      `insert into api_keys (id, account_id, user_id, name, hint, secret_hash)
       select gen_random_uuid(), $1, (select id from users where account_id = $1 limit 1), 'one of many', '', sha256(($1::uuid || n::text)::bytea)
       from generate_series(1, 97) n`,
      [member.accountId],
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => member.post('/web/keys', { name: 'test' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused?.body).toMatchObject({ code: 'request.invalid_parameter', params: { maxActiveKeys: 100 } })
    const id = (await member.get<Keys>('/web/keys')).body.keys[0]?.id
    await member.delete(`/web/keys/${id}`)
    expect((await member.post('/web/keys', { name: 'test' })).status).toBe(201)
  })
})

test('the pages have routes of their own, which the document of the public API leaves out', async () => {
  const client = createClient(service.base, (await service.account()).key)
  const { paths } = (await client.get<{ paths: object }>('/extract/openapi.json')).body
  expect(Object.keys(paths)).toContain('/extract/schema')
  expect(Object.keys(paths).filter((path) => path.startsWith('/web'))).toEqual([])
})

describe('credits', () => {
  test('every bucket is there, and what is held is not available', async () => {
    const member = await newMember('pro', 20)
    const grant = (bucket: 'loyalty' | 'wallet', credits: number) =>
      grantCredits(service.database, { accountId: member.accountId, bucket, credits, note: 'a present' })
    await Promise.all([grant('loyalty', 7), grant('wallet', 30)])
    const read = async () => creditsSchema.parse((await member.get<Credits>('/web/credits')).body)
    expect(await read()).toEqual({
      buckets: [
        { bucket: 'plan', available: 20, held: 0 },
        { bucket: 'loyalty', available: 7, held: 0 },
        { bucket: 'wallet', available: 30, held: 0 },
      ],
      available: 57,
      held: 0,
    })
    // The worker's one place is taken: the second job waits, and its credits with it.
    const client = createClient(service.base, (await member.newKey()).key)
    const running = await client.submit('a.mischief', slow(30))
    const waiting = await client.submit('b.mischief', slow(30))
    const held = running.body.quotedCredits + waiting.body.quotedCredits
    expect(held).toBeGreaterThan(0)
    expect(await read()).toMatchObject({
      available: 57 - held,
      held,
      buckets: [{ available: 20 - held, held }, { held: 0 }, { held: 0 }],
    })
    for (const { body } of [waiting, running]) await client.call('POST', `/extract/job/${body.id}/cancel`)
    expect(await read()).toMatchObject({ available: 57, held: 0 })
  })

  test("a plan with a daily limit has the day's allowance before the first job", async () => {
    const member = await newMember('free', 0)
    const { body } = await member.get<Credits>('/web/credits')
    expect(body).toMatchObject({ available: 100, held: 0, buckets: [{ bucket: 'plan', available: 100 }, {}, {}] })
  })
})

describe('the ledger', () => {
  test('is read page by page, the newest first, and its sum is the balance', async () => {
    const member = await newMember('pro', 100)
    const client = createClient(service.base, (await member.newKey()).key)
    const done = await client.extract('notes.txt', 'kept\n')
    const failed = await client.extract('deed.mischief', JSON.stringify({ do: 'throw' }))
    expect([done.status, failed.status]).toEqual(['succeeded', 'failed'])
    const entries: Ledger['entries'] = []
    let cursor: string | null = null
    do {
      const path: string = `/web/ledger?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
      const page = ledgerSchema.parse((await member.get<Ledger>(path)).body)
      expect(page.entries.length).toBeLessThanOrEqual(2)
      entries.push(...page.entries)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(entries.map(({ kind, jobId, note }) => [kind, jobId, note])).toEqual([
      ['release', failed.id, 'mischief'],
      ['hold', failed.id, 'mischief'],
      ['capture', done.id, 'txt'],
      ['hold', done.id, 'txt'],
      ['grant', null, 'opening credits'],
    ])
    const sign = { grant: 1, release: 1, refund: 1, hold: -1, capture: 0 }
    const sum = entries.reduce((total, { kind, credits }) => total + sign[kind] * credits, 0)
    expect(sum).toBe((await member.get<Credits>('/web/credits')).body.available)
    expect(sum).toBe((await readBalance(service.database, member.accountId)).total)

    const stranger = await newMember('pro', 5)
    expect((await stranger.get<Ledger>('/web/ledger')).body.entries).toHaveLength(1)
  })

  test.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=many'],
    ['cursor', 'cursor=first'],
    ['cursor', 'cursor=-1'],
    ['cursor', `cursor=${'9'.repeat(30)}`],
  ])('a wrong %s is refused: %s', async (path, query) => {
    const member = await newMember()
    expectError(await member.get(`/web/ledger?${query}`), 400, 'request.invalid_parameter', { path })
  })

  test('an unknown parameter is refused', async () => {
    const member = await newMember()
    expectError(await member.get('/web/ledger?account=other'), 400, 'request.unknown_field', { field: 'account' })
  })
})
