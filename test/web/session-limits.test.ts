import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectError } from '../api/expect-error.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { createMember, createVisitor, newEmail } from './visitor.ts'

// Hundreds of hashes are computed here.
vi.setConfig({ testTimeout: 300_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_TRUSTED_PROXIES: '127.0.0.1' }, 'api')
})
afterAll(() => service.stop())

const from = (address: string) => createVisitor(service.base, { 'x-forwarded-for': address })

test('one address from one network fails ten times, over all processes', async () => {
  const second = await service.start('api', { QUARRY_TRUSTED_PROXIES: '127.0.0.1' })
  const network = { 'x-forwarded-for': '203.0.113.1' }
  const [here, there] = [createVisitor(service.base, network), createVisitor(second.base, network)]
  const { email } = await createMember(service.base)
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, i) => (i % 2 ? here : there).signIn<{ code: string }>(email, 'a guess')),
  )
  const codes = Object.groupBy(answers, ({ body }) => body.code)
  expect(codes['session.invalid_credentials']).toHaveLength(10)
  expect(codes.rate_limited).toHaveLength(4)
  const refused = codes.rate_limited?.[0]
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(800)
  // Not even the right password helps now, from here; it does from elsewhere, and others sign in from here.
  expectError(await here.signIn(email), 429, 'rate_limited')
  expect((await from('203.0.113.2').signIn(email)).status).toBe(200)
  const other = await createMember(service.base)
  expect((await there.signIn(other.email)).status).toBe(200)
  // The end of the window opens the door again.
  await service.database.query('update attempts set resets_at = now()')
  expect((await there.signIn(email)).status).toBe(200)
  await second.kill('SIGTERM')
})

test('a success forgets the failures of the address and is none of the network', async () => {
  const visitor = from('203.0.113.3')
  const { email } = await createMember(service.base)
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 9; i++) expect((await visitor.signIn(email, 'a guess')).status).toBe(401)
    expect((await visitor.signIn(email)).status).toBe(200)
  }
  const rows = await service.database.query<{ count: number }>('select count from attempts where count >= 27')
  // Of the network and of the address.
  expect(rows).toEqual([{ count: 27 }, { count: 27 }])
})

test('one network fails sixty times, whatever the addresses; IPv6 counts by household', async () => {
  const tries = Array.from({ length: 60 }, (_, i) => from(`2001:db8:1:1::${(i + 1).toString(16)}`).signIn(newEmail()))
  for (const { status } of await Promise.all(tries)) expect(status).toBe(401)
  expectError(await from('2001:db8:1:1::ffff').signIn(newEmail()), 429, 'rate_limited')
  expectError(await from('2001:db8:1:2::1').signIn(newEmail()), 401, 'session.invalid_credentials')
})

test('one address fails a hundred times, whatever the networks', async () => {
  const email = newEmail()
  const tries = Array.from({ length: 100 }, (_, i) => from(`198.18.0.${i + 1}`).signIn(email))
  for (const { status } of await Promise.all(tries)) expect(status).toBe(401)
  expectError(await from('198.18.1.1').signIn(email), 429, 'rate_limited')
})

test('one network signs up twenty times an hour', async () => {
  const visitor = from('203.0.113.99')
  for (let i = 0; i < 20; i++) expect((await visitor.signUp(newEmail())).status).toBe(202)
  const answer = await visitor.signUp(newEmail())
  const { params } = expectError(answer, 429, 'rate_limited')
  expect(answer.headers.get('retry-after')).toBe(String(params.retryAfterSeconds))
})

test('nothing secret is in the log, however much is logged', async () => {
  const loud = await service.start('api', { QUARRY_LOG_LEVEL: 'trace', QUARRY_TRUSTED_PROXIES: '127.0.0.1' })
  const [visitor, email] = [createVisitor(loud.base, { 'x-forwarded-for': '203.0.113.50' }), newEmail()]
  const password = `secret ${newEmail()}`
  await visitor.signUp(email, password)
  await visitor.signIn(email, `wrong ${password}`)
  await visitor.signIn(email, password)
  const token = visitor.cookies.get('quarry_session') ?? ''
  const made = await visitor.post<{ key: string }>('/web/keys', { name: 'logged' })
  const { body } = await visitor.post<{ secret: string }>('/web/webhook-secret')
  await visitor.post('/web/password', { currentPassword: password, newPassword: `next ${password}` })
  await visitor.post('/web/sign-up', { email: 'nobody', password, more: 1 })
  await createClient(loud.base, made.body.key).get('/extract/schema')
  const log = await waitFor('the last line', () => loud.log().includes('/extract/schema') && loud.log())
  expect(log).toContain('/web/sign-in')
  for (const secret of [password, token, made.body.key, body.secret]) {
    expect(secret.length).toBeGreaterThan(20)
    expect(log).not.toContain(secret)
  }
  await loud.kill('SIGTERM')
})
