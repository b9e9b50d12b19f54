import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { addUser } from '../../src/accounts/users.ts'
import { DEFAULT_PLANS } from '../../src/core/plans.ts'
import type { Me, Sessions } from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createMember, createVisitor, newEmail, PASSWORD } from './visitor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_TRUSTED_PROXIES: '127.0.0.1' }, 'api')
})
afterAll(() => service.stop())

/** Each from an address of its own, so that no test uses up the tries of another. */
let lastAddress = 0
const newAddress = () => ({ 'x-forwarded-for': `192.0.2.${++lastAddress}` })
const from = () => createVisitor(service.base, newAddress())
const newMember = () => createMember(service.base, newAddress())

describe('signing up', () => {
  test('opens a free account, signs nobody in, and lets its user sign in', async () => {
    const [visitor, email] = [from(), newEmail()]
    const answer = await visitor.post('/web/sign-up', { email, password: PASSWORD, name: '  Ada ' })
    expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([202, {}, []])
    const me = await visitor.signIn(email.toUpperCase())
    expect(me.status).toBe(200)
    expect(me.body.user).toEqual({ id: expect.any(String), name: 'Ada', email, isAdmin: false })
    expect(me.body.entitlements).toMatchObject({ tier: 'free', totalCredits: 100, dailyLimit: 100, dailyUsed: 0 })
    expect(await visitor.get<Me>('/web/me')).toMatchObject({ status: 200, body: me.body })
  })

  test('says the same of an address that is taken, and leaves its owner alone', async () => {
    const [visitor, email] = [from(), newEmail()]
    const first = await visitor.signUp(email)
    const second = await visitor.signUp(email.toUpperCase(), 'quite another password')
    expect([second.status, second.body]).toEqual([first.status, first.body])
    const names = (headers: Headers) => [...headers.keys()].sort()
    expect(names(second.headers)).toEqual(names(first.headers))
    expect((await visitor.signIn(email, 'quite another password')).status).toBe(401)
    expect((await visitor.signIn(email)).status).toBe(200)
    const found = await service.database.query('select 1 from users where lower(email) = $1', [email])
    expect(found).toHaveLength(1)
  })

  test('many at once with one address make one account', async () => {
    const [visitor, email] = [from(), newEmail()]
    const before = await service.database.query('select id from accounts')
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.signUp(email)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    expect(await service.database.query('select id from accounts')).toHaveLength(before.length + 1)
  })

  test.each([
    ['email', { email: 'nobody', password: PASSWORD }],
    ['email', { password: PASSWORD }],
    ['password', { email: 'ada@example.com', password: 'too short' }],
    ['password', { email: 'ada@example.com', password: 'x'.repeat(201) }],
    ['name', { email: 'ada@example.com', password: PASSWORD, name: 'x'.repeat(101) }],
  ])('refuses a wrong %s', async (path, body) => {
    const answer = await from().post('/web/sign-up', body)
    expectError(answer, 400, 'request.invalid_parameter', { path })
    if (path === 'password') expect(JSON.stringify(answer.body)).not.toContain(body.password)
  })

  test('refuses unknown fields, broken JSON and text that cannot be stored', async () => {
    const body = { email: newEmail(), password: PASSWORD }
    expectError(await from().post('/web/sign-up', { ...body, plan: 'pro' }), 400, 'request.unknown_field', {
      field: 'plan',
    })
    expectError(await from().post('/web/sign-up?plan=pro', body), 400, 'request.unknown_field', { field: 'plan' })
    expectError(await from().post('/web/sign-up', { ...body, name: 'a\0b' }), 400, 'request.malformed')
    expectError(await from().signIn('a\0b@example.com'), 400, 'request.malformed')
  })

  test('can be closed by the operator, who still adds users', async () => {
    const closed = await service.start('api', { QUARRY_SIGN_UP: 'closed' })
    const visitor = createVisitor(closed.base)
    expect((await visitor.get<Me>('/web/me')).body.signUpOpen).toBe(false)
    expectError(await visitor.signUp(newEmail()), 403, 'session.sign_up_closed')
    const account = await createAccount(service.database, { name: 'by hand', plan: 'pro', credits: 5 })
    const email = newEmail()
    await addUser(service.database, { accountId: account.id, email, name: 'Bob', password: PASSWORD })
    expect((await visitor.signIn(email)).body.entitlements).toMatchObject({ tier: 'pro', totalCredits: 5 })
    await closed.kill('SIGTERM')
  })
})

describe('signing in', () => {
  test('an unknown address and a wrong password are answered alike', async () => {
    const { email } = await newMember()
    const wrong = expectError(await from().signIn(email, 'not the password'), 401, 'session.invalid_credentials')
    const unknown = expectError(await from().signIn(newEmail()), 401, 'session.invalid_credentials')
    const { requestId: _, ...rest } = wrong
    expect(unknown).toMatchObject(rest)
    const account = await service.account()
    await service.database.query('update users set email = $2 where id = $1', [account.userId, `no-password-${email}`])
    expectError(await from().signIn(`no-password-${email}`, ''), 401, 'session.invalid_credentials')
  })

  test('the cookie is for the server alone, for this site alone, and new each time', async () => {
    const [visitor, email] = [from(), newEmail()]
    await visitor.signUp(email)
    const answer = await visitor.signIn(email)
    const [line = '', ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    const [pair = '', ...flags] = line.split('; ')
    expect(pair).toMatch(/^quarry_session=[\w-]{43}$/)
    expect(flags.sort()).toEqual(['HttpOnly', `Max-Age=${400 * 86_400}`, 'Path=/', 'SameSite=Lax'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const again = await visitor.signIn(email)
    expect(again.headers.getSetCookie()[0]).not.toContain(pair)
    // The browser's old session is over: one is left.
    const { body } = await visitor.get<Sessions>('/web/sessions')
    expect(body.sessions).toHaveLength(1)
    const old = createVisitor(service.base, { cookie: pair })
    expect((await old.get<Me>('/web/me')).body.user).toBeNull()
  })

  test('a token that somebody else planted is not taken over', async () => {
    const [visitor, email] = [from(), newEmail()]
    await visitor.signUp(email)
    const planted = 'p'.repeat(43)
    visitor.cookies.set('quarry_session', planted)
    await visitor.signIn(email)
    expect(visitor.cookies.get('quarry_session')).not.toBe(planted)
    const thief = createVisitor(service.base, { cookie: `quarry_session=${planted}` })
    expect((await thief.get<Me>('/web/me')).body.user).toBeNull()
  })

  test('only a hash of the token and of the password is stored', async () => {
    const [visitor, email] = [from(), newEmail()]
    await visitor.signUp(email)
    await visitor.signIn(email)
    const token = visitor.cookies.get('quarry_session') ?? ''
    const sessions = await service.database.query<{ text: string }>('select s::text as text from sessions s')
    const users = await service.database.query<{ hash: string; text: string }>(
      'select password_hash as hash, u::text as text from users u where email = $1',
      [email],
    )
    expect(sessions.map(({ text }) => text).join('\n')).not.toContain(token)
    expect(users[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(users[0]?.text).not.toContain(PASSWORD)
  })

  test('signing out ends the session at once and deletes the cookie', async () => {
    const member = await newMember()
    const token = member.cookies.get('quarry_session')
    const answer = await member.post('/web/sign-out')
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect(answer.headers.getSetCookie()[0]).toMatch(/^quarry_session=; .*Expires=Thu, 01 Jan 1970/)
    const replay = createVisitor(service.base, { cookie: `quarry_session=${token}` })
    expect((await replay.get<Me>('/web/me')).body.user).toBeNull()
    expectError(await replay.get('/web/keys'), 401, 'session.required')
    // Whoever is not signed in may sign out.
    expect((await member.post('/web/sign-out')).status).toBe(204)
  })

  test('a session that was not used for long is over', async () => {
    const member = await newMember()
    await service.database.query('update sessions set expires_at = now() where user_id = $1', [member.me.user?.id])
    expectError(await member.get('/web/sessions'), 401, 'session.required')
  })
})

describe('the password and the sessions', () => {
  test('a new password needs the current one and ends every other session', async () => {
    const member = await newMember()
    const other = createVisitor(service.base)
    await other.signIn(member.email)
    const change = (currentPassword: string, newPassword: string) =>
      member.post('/web/password', { currentPassword, newPassword })
    expectError(await change('not the password', 'the next password'), 401, 'session.invalid_credentials')
    expectError(await change(PASSWORD, 'short'), 400, 'request.invalid_parameter', { path: 'newPassword', value: null })
    expect((await other.get<Me>('/web/me')).body.user).not.toBeNull()
    expect((await change(PASSWORD, 'the next password')).status).toBe(204)
    expect((await other.get<Me>('/web/me')).body.user).toBeNull()
    expect((await member.get<Me>('/web/me')).body.user).not.toBeNull()
    expect((await other.signIn(member.email)).status).toBe(401)
    expect((await other.signIn(member.email, 'the next password')).status).toBe(200)
  })

  test('passwords may be tried only so often', async () => {
    const member = await newMember()
    const guess = () => member.post('/web/password', { currentPassword: 'a guess', newPassword: 'the next password' })
    for (let i = 0; i < 10; i++) expectError(await guess(), 401, 'session.invalid_credentials')
    const refused = expectError(await guess(), 429, 'rate_limited')
    expect(refused.params.retryAfterSeconds).toBeGreaterThan(800)
  })

  test('sessions are listed with where they are, and end one by one', async () => {
    const member = await newMember()
    const other = createVisitor(service.base, { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '::ffff:198.51.100.7' })
    await other.signIn(member.email)
    const { body } = await member.get<Sessions>('/web/sessions')
    expect(body.sessions).toHaveLength(2)
    const theirs = body.sessions.find((session) => !session.isCurrent)
    expect(theirs).toMatchObject({ userAgent: 'Phone/1.0', address: '198.51.100.7' })
    expect(Date.parse(theirs?.expiresAt ?? '')).toBeGreaterThan(Date.now())
    expect((await member.delete(`/web/sessions/${theirs?.id}`)).status).toBe(204)
    expect((await other.get<Me>('/web/me')).body.user).toBeNull()
    expectError(await member.delete(`/web/sessions/${theirs?.id}`), 404, 'sessions.not_found')
    expectError(await member.delete('/web/sessions/nonsense'), 404, 'sessions.not_found')

    const stranger = await newMember()
    const mine = body.sessions.find((session) => session.isCurrent)
    expectError(await stranger.delete(`/web/sessions/${mine?.id}`), 404, 'sessions.not_found')
    expect((await member.delete(`/web/sessions/${mine?.id}`)).status).toBe(204)
    expect(member.cookies.size).toBe(0)
  })

  test('all other sessions end at once, those that nobody has seen in a list too', async () => {
    const [member, stranger] = [await newMember(), await newMember()]
    const others = [1, 2].map(() => createVisitor(service.base))
    for (const other of others) await other.signIn(member.email)
    expect((await member.delete('/web/sessions')).status).toBe(204)
    for (const other of others) expect((await other.get<Me>('/web/me')).body.user).toBeNull()
    const { body } = await member.get<Sessions>('/web/sessions')
    expect(body.sessions.map(({ isCurrent }) => isCurrent)).toEqual([true])
    expect((await stranger.get<Me>('/web/me')).body.user).not.toBeNull()
    expectError(await createVisitor(service.base).delete('/web/sessions'), 401, 'session.required')
  })

  test('one user has only so many sessions: the one used longest ago ends', async () => {
    const { email, me } = await newMember()
    const first = createVisitor(service.base)
    await first.signIn(email)
    await service.database.query(`update sessions set last_seen_at = now() - interval '1 day' where user_id = $1`, [
      me.user?.id,
    ])
    await service.database.query(
      `insert into sessions (id, token_hash, user_id, user_agent, address, expires_at)
       select gen_random_uuid(), sha256(n::text::bytea), $1, '', '', now() + interval '1 day' from generate_series(1, 49) n`,
      [me.user?.id],
    )
    const newest = createVisitor(service.base)
    await newest.signIn(email)
    const { body } = await newest.get<Sessions>('/web/sessions')
    expect(body.sessions).toHaveLength(50)
    expect((await first.get<Me>('/web/me')).body.user).toBeNull()
  })
})

describe('who is there', () => {
  test('a guest has the whole limit of the day, and no account is opened for looking', async () => {
    const before = await service.database.query('select id from accounts')
    const { status, body } = await from().get<Me>('/web/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: null, signUpOpen: true, retentionMinutes: 60 })
    expect(body.entitlements).toMatchObject({
      tier: 'guest',
      totalCredits: DEFAULT_PLANS.guest.dailyCredits,
      dailyLimit: DEFAULT_PLANS.guest.dailyCredits,
      dailyUsed: 0,
      resetDate: expect.stringMatching(/T00:00:00\.000Z$/),
    })
    expect(await service.database.query('select id from accounts')).toHaveLength(before.length)
  })

  test('operators are told apart by their account', async () => {
    const member = await newMember()
    await service.database.query(
      'update accounts set is_admin = true where id = (select account_id from users where id = $1)',
      [member.me.user?.id],
    )
    expect((await member.get<Me>('/web/me')).body.user?.isAdmin).toBe(true)
  })

  test('every route of a member refuses a guest', async () => {
    for (const [method, path] of [
      ['POST', '/web/password'],
      ['GET', '/web/sessions'],
      ['DELETE', `/web/sessions/${'0'.repeat(32)}`],
      ['GET', '/web/keys'],
      ['POST', '/web/keys'],
      ['DELETE', `/web/keys/${'0'.repeat(32)}`],
      ['GET', '/web/credits'],
      ['GET', '/web/ledger'],
      ['GET', '/web/usage'],
      ['GET', '/web/webhooks'],
      ['POST', '/web/webhook-secret'],
    ] as const) {
      expectError(await from().call(method, path), 401, 'session.required')
    }
  })

  test('a session is no key: the public API does not take it', async () => {
    const member = await newMember()
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const client = createClient(service.base, null)
    const id = '0'.repeat(32)
    for (const path of ['/extract/schema', '/extract/entitlements/me', '/extract/jobs', `/extract/job/${id}`]) {
      expectError(await client.get(path, { cookie, origin: service.base }), 401, 'api_key.required')
    }
    const headers = { cookie, origin: service.base }
    expectError(await client.submit('a.txt', 'a', undefined, { headers }), 401, 'api_key.required')
    expectError(await client.call('DELETE', `/extract/job/${id}`, { headers }), 401, 'api_key.required')
  })
})
