import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { ensureGuestAccount, findGuestAccount, hashNetwork } from './guests.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())

const KEY = randomBytes(32)
const isSame = (one: string, other: string): boolean => hashNetwork(KEY, one).equals(hashNetwork(KEY, other))

test.each([
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:0:1::1', true],
  ['::1', '::2', true],
  ['fe80::1%eth0', 'fe80::1', true],
])('%s and %s are of one network: %s', (one, other, same) => {
  expect(isSame(one, other)).toBe(same)
})

test('the hash is keyed: without the key an address cannot be looked for', () => {
  expect(hashNetwork(KEY, '192.0.2.1').equals(hashNetwork(randomBytes(32), '192.0.2.1'))).toBe(false)
})

test('many guests of one network at once open one account', async () => {
  const network = hashNetwork(KEY, '192.0.2.1')
  expect(await findGuestAccount(scene.database, network)).toBeUndefined()
  const accounts = await Promise.all(Array.from({ length: 8 }, () => ensureGuestAccount(scene.database, network)))
  const found = await findGuestAccount(scene.database, network)
  const ids = accounts.map(({ accountId }) => accountId.replaceAll('-', ''))
  expect(new Set(ids)).toEqual(new Set([found?.accountId.replaceAll('-', '')]))
  expect(await scene.database.query('select 1 from accounts')).toHaveLength(1)
})
