import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from './accounts.ts'
import { endOtherSessions, findMember, listSessions, openSession, SESSION_DAYS, sweepSessions } from './sessions.ts'
import { addUser } from './users.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())

const DAY_MS = 86_400_000
const later = (days: number): Date => new Date(Date.now() + days * DAY_MS)

const newUser = async (email: string): Promise<string> => {
  const { id: accountId } = await createAccount(scene.database, { name: 'test', plan: 'free' })
  return (await addUser(scene.database, { accountId, email, name: 'Ada', password: 'a long enough password' })).id
}
const open = (userId: string) => openSession(scene.database, { userId, userAgent: 'x'.repeat(1000), address: '::1' })

test('a session lives as long as it is used, and ends when it is not', async () => {
  const userId = await newUser('used@example.com')
  const { token } = await open(userId)
  const find = (days: number) => findMember(scene.database, token, later(days))
  expect(await find(0)).toMatchObject({ userId, email: 'used@example.com', plan: 'free', isAdmin: false })
  expect(await find(SESSION_DAYS - 1)).toBeDefined()
  expect(await find(2 * SESSION_DAYS - 2)).toBeDefined()
  expect(await find(3 * SESSION_DAYS)).toBeUndefined()
  expect(await findMember(scene.database, `${token}x`)).toBeUndefined()
})

test('what a browser says of itself is kept only so far', async () => {
  const userId = await newUser('long@example.com')
  await open(userId)
  const [session] = await listSessions(scene.database, userId)
  expect(session?.userAgent).toHaveLength(300)
})

test('all sessions end but the one that is kept, and those of others stay', async () => {
  const [userId, otherId] = [await newUser('many@example.com'), await newUser('other@example.com')]
  const kept = await open(userId)
  await Promise.all([open(userId), open(userId), open(otherId)])
  expect(await endOtherSessions(scene.database, userId, kept.id)).toBe(2)
  expect((await listSessions(scene.database, userId)).map(({ id }) => id)).toEqual([kept.id])
  expect(await endOtherSessions(scene.database, userId, null)).toBe(1)
  expect(await listSessions(scene.database, otherId)).toHaveLength(1)
})

test('sessions that are over are swept', async () => {
  const userId = await newUser('swept@example.com')
  const [over, alive] = [await open(userId), await open(userId)]
  await scene.database.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [over.id])
  await sweepSessions(scene.database)
  const rows = await scene.database.query<{ id: string }>(
    `select replace(id::text, '-', '') as id from sessions where user_id = $1`,
    [userId],
  )
  expect(rows).toEqual([{ id: alive.id }])
})
