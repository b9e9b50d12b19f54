import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../../src/accounts/ledger.ts'
import { entitlementsSchema } from '../../src/http/schemas.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document' })
})
afterAll(() => service.stop())

type Entitlements = ReturnType<typeof entitlementsSchema.parse>
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const read = async ({ key }: TestAccount): Promise<Entitlements> => {
  const { status, body } = await createClient(service.base, key).get<Entitlements>('/extract/entitlements/me')
  expect(status).toBe(200)
  expect(entitlementsSchema.parse(body)).toEqual(body)
  return body
}

test('200: both shapes of the contract in one object', async () => {
  const account = await service.account({ credits: 1000 })
  expect(await read(account)).toEqual({
    userId: account.userId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    organizationId: account.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    planId: 'pro',
    planName: 'Pro',
    accessDisplayName: 'Pro access',
    totalCredits: 1000,
    planCredits: 1000,
    loyaltyCredits: 0,
    walletCredits: 0,
    source: 'quarry',
    tier: 'pro',
    dailyLimit: null,
    dailyUsed: null,
    resetDate: null,
    service: 'extract',
    credits: { available: 1000, isUnlimited: false },
    limits: { maxFileSizeMb: 1024, maxDurationMinutes: 300, maxQueuedJobs: 1000, maxParallelJobs: 6 },
  })
})

test('200: ids are UUIDs', async () => {
  const { userId, organizationId } = await read(await service.account())
  expect(userId).toMatch(UUID)
  expect(organizationId).toMatch(UUID)
})

test.each([
  ['free', 100, { maxFileSizeMb: 50, maxDurationMinutes: 10, maxQueuedJobs: 50, maxParallelJobs: 2 }],
  ['guest', 20, { maxFileSizeMb: 50, maxDurationMinutes: 10, maxQueuedJobs: 10, maxParallelJobs: 1 }],
] as const)('200: %s has a daily limit, its use and the date of its reset', async (plan, dailyLimit, limits) => {
  const entitlements = await read(await service.account({ plan, credits: 0 }))
  expect(entitlements).toMatchObject({ tier: plan, planId: plan, dailyLimit, dailyUsed: 0, limits })
  const reset = new Date(entitlements.resetDate ?? '')
  expect(reset.toISOString()).toMatch(/T00:00:00\.000Z$/)
  expect(reset.getTime() - Date.now()).toBeGreaterThan(0)
  expect(reset.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000)
  expect(entitlements).toMatchObject({ totalCredits: dailyLimit, credits: { available: dailyLimit } })
})

test('200: the total is the sum of the buckets, holds taken off', async () => {
  const account = await service.account({ credits: 5 })
  for (const [bucket, credits] of [
    ['loyalty', 20],
    ['wallet', 300],
  ] as const) {
    await grantCredits(service.database, { accountId: account.id, bucket, credits, note: 'test' })
  }
  expect(await read(account)).toMatchObject({
    planCredits: 5,
    loyaltyCredits: 20,
    walletCredits: 300,
    totalCredits: 325,
    credits: { available: 325 },
  })
  // Nobody serves the image pool, so the hold stays.
  await createClient(service.base, account.key).submit('a.flipbook', 'frame\n\n'.repeat(70))
  expect(await read(account)).toMatchObject({
    planCredits: 0,
    loyaltyCredits: 18,
    walletCredits: 300,
    totalCredits: 318,
  })
})

test('200: a key adds neither credits nor access', async () => {
  const account = await service.account({ plan: 'free', credits: 0 })
  const before = await read(account)
  expect(await read(account)).toEqual(before)
  expect(before.tier).toBe('free')
})
