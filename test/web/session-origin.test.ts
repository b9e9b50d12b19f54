import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Me, Sessions } from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createMember, createVisitor, newEmail, PASSWORD } from './visitor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_TRUSTED_PROXIES: '127.0.0.1' }, 'api')
})
afterAll(() => service.stop())

const send = (headers: Record<string, string>) =>
  fetch(`${service.base}/web/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: newEmail(), password: PASSWORD }),
  }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { code: string },
  }))

test.each([
  ['none', {}],
  ['a foreign one', { origin: 'https://evil.example' }],
  ['null', { origin: 'null' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['another scheme', { origin: 'https://127.0.0.1' }],
])('%s is refused before anything is done', async (_name, headers) => {
  expectError(await send(headers as Record<string, string>), 403, 'session.cross_origin')
})

test('of a signed-in visitor it is looked at too', async () => {
  const member = await createMember(service.base)
  const made = await member.post('/web/keys', { name: 'stolen' }, { origin: 'https://evil.example' })
  expectError(made, 403, 'session.cross_origin')
  expectError(
    await member.call('DELETE', `/web/sessions/${'0'.repeat(32)}`, { headers: { origin: 'null' } }),
    403,
    'session.cross_origin',
  )
  expect((await member.get<Me>('/web/me')).body.user).not.toBeNull()
})

test('the own one is taken', async () => {
  expectError(await send({ origin: service.base }), 401, 'session.invalid_credentials')
})

test('behind a trusted proxy it is the one that the browser sees, and the cookie is bound to it', async () => {
  const proxied = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'quarry.example',
    'x-forwarded-for': '198.51.100.20',
    origin: 'https://quarry.example',
  }
  const [visitor, email] = [createVisitor(service.base, proxied), newEmail()]
  expect((await visitor.signUp(email)).status).toBe(202)
  const answer = await visitor.signIn(email)
  const [pair = '', ...flags] = answer.headers.getSetCookie()[0]?.split('; ') ?? []
  expect(pair).toMatch(/^__Host-quarry_session=[\w-]{43}$/)
  expect(flags).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax']))
  expect(flags.join()).not.toContain('Domain')
  expect((await visitor.get<Me>('/web/me')).body.user?.email).toBe(email)
  const { body } = await visitor.get<Sessions>('/web/sessions')
  expect(body.sessions[0]?.address).toBe('198.51.100.20')
  expectError(await visitor.post('/web/sign-out', {}, { origin: service.base }), 403, 'session.cross_origin', {
    expected: 'https://quarry.example',
  })
  // A cookie without the prefix, as any other site of the domain could plant it, is not looked at.
  const planted = createVisitor(service.base, { ...proxied, cookie: pair.replace('__Host-', '') })
  expect((await planted.get<Me>('/web/me')).body.user).toBeNull()
  expect((await visitor.post('/web/sign-out')).headers.getSetCookie()[0]).toMatch(/^__Host-quarry_session=; .*Secure/)
})

test('a proxy that is not trusted cannot say who comes or where from', async () => {
  const strict = await service.start('api', { QUARRY_TRUSTED_PROXIES: '192.0.2.1' })
  const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'quarry.example', 'x-forwarded-for': '8.8.8.8' }
  const member = createVisitor(strict.base, forged)
  expectError(
    await member.post('/web/sign-in', { email: newEmail(), password: '' }, { origin: 'https://quarry.example' }),
    403,
    'session.cross_origin',
  )
  const email = newEmail()
  await member.signUp(email)
  await member.signIn(email)
  const { body } = await member.get<Sessions>('/web/sessions')
  expect(body.sessions[0]?.address).toBe('127.0.0.1')
  await strict.kill('SIGTERM')
})
