import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { clearAttempts, countAttempt, returnAttempt, sweepAttempts } from './attempts.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())

const attempt = (subject: string, limit = 3, windowSeconds = 600) =>
  countAttempt(scene.database, 'knock', subject, limit, windowSeconds).then(
    () => null,
    (error: { code: string; params: { retryAfterSeconds: number } }) => error,
  )

test('lets the limit through and refuses what comes after, however much comes at once', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => attempt('crowd')))
  const refused = results.filter((result) => result !== null)
  expect(refused).toHaveLength(17)
  for (const { code, params } of refused) {
    expect(code).toBe('rate_limited')
    expect(params.retryAfterSeconds).toBeGreaterThan(0)
    expect(params.retryAfterSeconds).toBeLessThanOrEqual(600)
  }
  expect(await attempt('somebody else')).toBeNull()
  await expect(countAttempt(scene.database, 'ring', 'crowd', 3, 600)).resolves.toBeUndefined()
})

test('a window that is over begins anew', async () => {
  for (let i = 0; i < 4; i++) await attempt('patient')
  expect(await attempt('patient')).not.toBeNull()
  await scene.database.query('update attempts set resets_at = now()')
  for (let i = 0; i < 3; i++) expect(await attempt('patient')).toBeNull()
  expect(await attempt('patient')).not.toBeNull()
})

test('a try that is taken back leaves room for one', async () => {
  for (let i = 0; i < 3; i++) await attempt('honest')
  await returnAttempt(scene.database, 'knock', 'honest')
  expect(await attempt('honest')).toBeNull()
  expect(await attempt('honest')).not.toBeNull()
  await clearAttempts(scene.database, 'knock', 'honest')
  expect(await attempt('honest')).toBeNull()
})

test('what is over is swept, what is not stays, and neither names anybody', async () => {
  await scene.database.query("update attempts set resets_at = now() - interval '1 second'")
  await attempt('just now')
  await sweepAttempts(scene.database)
  const rows = await scene.database.query<{ who: Buffer; count: number }>('select who, count from attempts')
  expect(rows).toEqual([{ who: expect.any(Buffer), count: 1 }])
  expect(rows[0]?.who).toHaveLength(32)
})
