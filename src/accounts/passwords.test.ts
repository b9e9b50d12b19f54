import { expect, test } from 'vitest'
import { checkPassword, hashPassword, makePassword } from './passwords.ts'

test('the right password passes and no other does', async () => {
  const hash = await hashPassword('correct horse battery')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await checkPassword(hash, 'correct horse battery')).toBe(true)
  expect(await checkPassword(hash, 'correct horse batterY')).toBe(false)
  expect(await checkPassword(hash, '')).toBe(false)
  expect(await hashPassword('correct horse battery')).not.toBe(hash)
})

test('without a hash nothing passes', async () => {
  expect(await checkPassword(null, '')).toBe(false)
  expect(await checkPassword(null, 'correct horse battery')).toBe(false)
})

test('letters count, not the code points they were typed as', async () => {
  const hash = await hashPassword('caf\u00e9 au lait')
  expect(await checkPassword(hash, 'cafe\u0301 au lait')).toBe(true)
})

test('many at once are all answered, each rightly', async () => {
  const hash = await hashPassword('the one')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => checkPassword(hash, i % 3 ? 'another' : 'the one')),
  )
  expect(answers).toEqual(Array.from({ length: 12 }, (_, i) => i % 3 === 0))
})

test('a hash that cannot be read fails alone', async () => {
  await expect(checkPassword('no hash', 'a')).rejects.toThrow()
  const hash = await hashPassword('the one')
  expect(await checkPassword(hash, 'the one')).toBe(true)
})

test('made passwords are long and differ', () => {
  expect(makePassword()).toMatch(/^[\w-]{20}$/)
  expect(makePassword()).not.toBe(makePassword())
})
