import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { newId } from '../core/ids.ts'
import { createAccount } from './accounts.ts'
import { grantCredits } from './ledger.ts'
import { readUsage } from './usage.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())

const NOW = new Date('2031-03-02T00:30:00Z')

test('a job counts on the day of its hold, in UTC, with all its buckets and its refund', async () => {
  const { id: accountId } = await createAccount(scene.database, { name: 'test', plan: 'pro', credits: 1000 })
  await grantCredits(scene.database, { accountId, bucket: 'wallet', credits: 1000, note: '' })
  const enter = (jobId: string, bucket: string, kind: string, credits: number, at: string, note = 'pdf') =>
    scene.database.query(
      `insert into ledger_entries (account_id, bucket, kind, credits, job_id, created_at, note) values ($1, $2, $3, $4, $5, $6, $7)`,
      [accountId, bucket, kind, credits, jobId, at, note],
    )
  const [split, refunded, released, open, old] = [newId(), newId(), newId(), newId(), newId()]
  // Held before midnight of one day, captured after it: a job of two buckets is one job, on the day of its hold.
  for (const bucket of ['plan', 'wallet']) {
    await enter(split, bucket, 'hold', 5, '2031-02-28T23:59:59Z')
    await enter(split, bucket, 'capture', 5, '2031-03-01T00:00:10Z')
  }
  await enter(refunded, 'plan', 'hold', 3, '2031-03-01T01:00:00+02:00', 'mp4')
  await enter(refunded, 'plan', 'capture', 3, '2031-03-01T02:00:00Z', 'mp4')
  await enter(refunded, 'plan', 'refund', 3, '2031-03-01T03:00:00Z', 'sorry')
  await enter(released, 'plan', 'hold', 9, '2031-03-01T12:00:00Z', 'mp4')
  await enter(released, 'plan', 'release', 9, '2031-03-01T12:01:00Z', 'mp4')
  await enter(open, 'plan', 'hold', 4, '2031-03-02T00:10:00Z', '')
  await enter(old, 'plan', 'hold', 2, '2031-02-26T12:00:00Z')
  await enter(old, 'plan', 'capture', 2, '2031-02-28T12:00:00Z')

  expect(await readUsage(scene.database, accountId, 4, NOW)).toEqual({
    days: [
      { date: '2031-02-27', jobs: 0, succeeded: 0, credits: 0 },
      { date: '2031-02-28', jobs: 2, succeeded: 2, credits: 10 },
      { date: '2031-03-01', jobs: 1, succeeded: 0, credits: 0 },
      { date: '2031-03-02', jobs: 1, succeeded: 0, credits: 0 },
    ],
    formats: [
      { format: 'pdf', jobs: 1, succeeded: 1, credits: 10 },
      { format: 'mp4', jobs: 2, succeeded: 1, credits: 0 },
      { format: 'unknown', jobs: 1, succeeded: 0, credits: 0 },
    ],
  })
  const whole = await readUsage(scene.database, accountId, 366, NOW)
  expect(whole.days).toHaveLength(366)
  expect(whole.days.reduce((sum, { credits }) => sum + credits, 0)).toBe(12)
})

test('an account without jobs has its days all the same', async () => {
  const { id } = await createAccount(scene.database, { name: 'new', plan: 'free' })
  expect(await readUsage(scene.database, id, 1, NOW)).toEqual({
    days: [{ date: '2031-03-02', jobs: 0, succeeded: 0, credits: 0 }],
    formats: [],
  })
})
