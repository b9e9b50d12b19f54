import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETTINGS } from '../../src/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { PROJECT } from '../support/paths.ts'
import { KEPT_ENV, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { slow } from './deeds.ts'

let service: TestService
let account: TestAccount
let client: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '1' })
  account = await service.account({ credits: 50 })
  client = createClient(service.base, account.key)
})
afterAll(() => service.stop())

type Outcome = { code: number; stdout: string; stderr: string }
/** Runs the real command line beside the running service. */
const quarry = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...KEPT_ENV, ...service.env } as NodeJS.ProcessEnv
    execFile(process.execPath, ['src/main.ts', ...args], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
/** The one JSON value on stdout; anything else there makes this throw. */
const ask = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await quarry(...args, '--json')
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  expect(stdout.endsWith('\n') && stdout.trim().split('\n').length).toBe(1)
  return JSON.parse(stdout) as T
}

test('account create, list, show and set-plan', async () => {
  const made = await ask<{ id: string }>('account', 'create', '--plan', 'pro', '--credits', '1000', '--name', 'Ada')
  expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), plan: 'pro', credits: 1000 })
  const [list, shown] = await Promise.all([
    ask<{ id: string; name: string }[]>('account', 'list'),
    ask('account', 'show', made.id),
  ])
  expect(list.find(({ id }) => id === made.id)).toMatchObject({ name: 'Ada', plan: 'pro' })
  expect(shown).toMatchObject({
    id: made.id,
    webhookSecret: expect.stringMatching(/^whsec_/),
    entitlements: { totalCredits: 1000, tier: 'pro' },
    keys: [],
  })
  expect(await ask('account', 'set-plan', made.id, 'free')).toEqual({ id: made.id, plan: 'free' })
  expect(await ask('account', 'show', made.id.replaceAll('-', ''))).toMatchObject({ plan: 'free' })
})

test('key create, list and revoke: a new key works at once, a revoked one no longer', async () => {
  const made = await ask<{ id: string; key: string }>('key', 'create', '--account', account.id, '--name', 'second')
  expect(made.key).toMatch(/^fast_prod_[\w-]{43}$/)
  const byKey = createClient(service.base, made.key)
  expect((await byKey.get('/extract/entitlements/me')).status).toBe(200)
  const bound = await ask<{ key: string }>('key', 'create', '--account', account.id, '--ip', '203.0.113.0/24')
  expect((await createClient(service.base, bound.key).get('/extract/entitlements/me')).status).toBe(401)
  const past = ['--expires', '2020-01-01T00:00:00Z']
  const expired = await ask<{ key: string }>('key', 'create', '--account', account.id, ...past)
  expect((await createClient(service.base, expired.key).get('/extract/entitlements/me')).status).toBe(401)

  const list = await ask<{ id: string; name: string }[]>('key', 'list', '--account', account.id)
  expect(list).toHaveLength(4)
  expect(JSON.stringify(list)).not.toContain(made.key)
  expect(await ask('key', 'revoke', made.id)).toMatchObject({ revoked: true })
  expect((await byKey.get('/extract/entitlements/me')).status).toBe(401)
})

test('credits grant, balance and ledger', async () => {
  const granted = await ask('credits', 'grant', '--account', account.id, '--credits', '7', '--bucket', 'loyalty')
  expect(granted).toMatchObject({ granted: 7, bucket: 'loyalty', balance: { plan: 50, loyalty: 7, total: 57 } })
  const [balance, entries] = await Promise.all([
    ask('credits', 'balance', '--account', account.id),
    ask<object[]>('credits', 'ledger', '--account', account.id, '--limit', '1'),
  ])
  expect(balance).toMatchObject({ plan: 50, loyalty: 7, wallet: 0, total: 57, held: 0 })
  expect(entries).toEqual([expect.objectContaining({ kind: 'grant', bucket: 'loyalty', credits: 7 })])
})

test('job list, show and cancel', async () => {
  const running = await client.submit('deed.mischief', slow(30, 30))
  const waiting = await client.submit('deed.mischief', slow(30, 30))
  const [list, shown] = await Promise.all([
    ask<{ id: string }[]>('job', 'list', '--account', account.id),
    ask('job', 'show', waiting.body.id),
  ])
  expect(list.map(({ id }) => id)).toEqual([waiting.body.id, running.body.id])
  expect(shown).toMatchObject({ id: waiting.body.id, status: 'queued', attempt: 0 })
  for (const { body } of [waiting, running]) {
    expect(await ask('job', 'cancel', body.id)).toMatchObject({ status: 'canceled', billing: 'released' })
    expect(await client.waitForEnd(body.id)).toMatchObject({ status: 'canceled' })
  }
  expect(await ask<object[]>('job', 'list', '--status', 'canceled', '--limit', '1')).toHaveLength(1)
})

test('job refund gives the credits back once, and no second time', async () => {
  const before = await ask<{ total: number }>('credits', 'balance', '--account', account.id)
  const { id } = await client.extract('notes.txt', 'to be refunded\n')
  expect(await ask('job', 'refund', id, '--note', 'sorry')).toMatchObject({
    id,
    billing: 'refunded',
    status: 'succeeded',
  })
  expect(await ask('credits', 'balance', '--account', account.id)).toMatchObject({ total: before.total })
  const again = await quarry('job', 'refund', id, '--json')
  expect([again.code, again.stdout]).toEqual([2, ''])
  expect(again.stderr).toContain('refunded, not charged')
  expect(await ask('credits', 'balance', '--account', account.id)).toMatchObject({ total: before.total })
  // The result is the client's all the same.
  expect((await client.download(id)).status).toBe(200)

  const failed = await client.extract('deed.mischief', JSON.stringify({ do: 'throw' }))
  const refused = await quarry('job', 'refund', failed.id, '--json')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('released, not charged')])
})

test('doctor and config', async () => {
  const [doctor, config] = await Promise.all([
    quarry('doctor', '--ledger', '--json'),
    ask<{ setting: string; value: string }[]>('config'),
  ])
  const found = JSON.parse(doctor.stdout) as Record<string, unknown>
  expect(found).toMatchObject({
    database: { embedded: false, version: expect.any(String) },
    blobs: 'filesystem',
    isolation: expect.any(Object),
    ledger: { ok: true, problems: [] },
  })
  expect(config.map(({ setting }) => setting)).toEqual(Object.values(SETTINGS).map(({ env }) => env))
  // A URL of a database may hold a password.
  expect(config.find(({ setting }) => setting === 'DATABASE_URL')?.value).toBe('***')
})

test.each([
  [['account', 'show', 'nonsense'], 'name the account by its id'],
  [['account', 'show', '00000000000000000000000000000000'], 'there is no account'],
  [['account', 'create', '--plan', 'gold'], 'the plan must be one of'],
  [['credits', 'grant', '--account', 'ACCOUNT', '--credits', '0'], '--credits must be a whole number'],
  [['credits', 'grant', '--account', 'ACCOUNT', '--credits', '1.5'], '--credits must be a whole number'],
  [['key', 'create', '--account', 'ACCOUNT', '--ip', 'here'], '--ip must be'],
  [['key', 'revoke', '00000000000000000000000000000000'], 'there is no key'],
  [['job', 'show', '00000000000000000000000000000000'], 'there is no such job'],
  [['job', 'list', '--status', 'lost'], '--status must be one of'],
  [['account', 'create', '--color', 'red'], "Unknown option '--color'"],
  [['dance'], 'Usage: quarry'],
])('%j is refused with a reason, on stderr alone', async (args, reason) => {
  const { code, stdout, stderr } = await quarry(...args.map((arg) => (arg === 'ACCOUNT' ? account.id : arg)), '--json')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(reason)
})
