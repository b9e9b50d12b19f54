import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/accounts/users.ts'
import type { Me } from '../../src/http/web/contract.ts'
import { PROJECT } from '../support/paths.ts'
import { KEPT_ENV, startProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { createVisitor, newEmail, PASSWORD, type TestVisitor } from './visitor.ts'

let service: TestService
let account: TestAccount
let visitor: TestVisitor
beforeAll(async () => {
  service = await startTestService({}, 'api')
  account = await service.account({ credits: 50 })
  visitor = createVisitor(service.base)
})
afterAll(() => service.stop())

/** Runs the real command line beside the running service. */
const quarry = async (args: string[], input = '') => {
  const env = { ...KEPT_ENV, ...service.env } as NodeJS.ProcessEnv
  const child = spawn(process.execPath, ['src/main.ts', ...args, '--json'], { cwd: PROJECT, env })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}
const ask = async <T>(args: string[], input?: string): Promise<T> => {
  const { code, stdout, stderr } = await quarry(args, input)
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return JSON.parse(stdout) as T
}

const isSignedIn = async () => (await visitor.get<Me>('/web/me')).body.user !== null

test('a user is added, signs in, is given another password, and is signed out', async () => {
  const email = newEmail()
  const added = await ask<{ password: string }>(['user', 'add', '--account', account.id, '--email', email])
  expect(added).toMatchObject({ id: expect.any(String), email, password: expect.stringMatching(/^[\w-]{20}$/) })
  expect((await visitor.signIn(email, added.password)).body.entitlements).toMatchObject({
    tier: 'pro',
    totalCredits: 50,
  })

  const changed = await ask<{ password: string }>(['user', 'password', '--email', email.toUpperCase()])
  expect(await isSignedIn()).toBe(false)
  expect((await visitor.signIn(email, added.password)).status).toBe(401)
  expect((await visitor.signIn(email, changed.password)).status).toBe(200)

  const set = await ask<object>(['user', 'password', '--email', email, '--password-stdin'], `${PASSWORD}\n`)
  expect(set).not.toHaveProperty('password')
  expect((await visitor.signIn(email)).status).toBe(200)

  expect(await ask(['session', 'end', '--email', email])).toEqual({ email, ended: 1 })
  expect(await isSignedIn()).toBe(false)

  const list = await ask<{ email: string }[]>(['user', 'list'])
  expect(list.filter((user) => user.email === email)).toEqual([
    {
      id: expect.any(String),
      accountId: expect.any(String),
      name: email.split('@')[0],
      email,
      createdAt: expect.any(String),
    },
  ])
})

test("an account is made an operator's, and no longer", async () => {
  const email = newEmail()
  const add = ['user', 'add', '--account', account.id, '--email', email, '--name', 'Ada', '--password-stdin']
  await ask(add, PASSWORD)
  expect((await visitor.signIn(email)).body.user).toMatchObject({ name: 'Ada', isAdmin: false })
  for (const [flag, isAdmin] of [
    ['--on', true],
    ['--off', false],
  ] as const) {
    expect(await ask(['account', 'admin', '--account', account.id, flag])).toMatchObject({ isAdmin })
    expect((await visitor.get<Me>('/web/me')).body.user?.isAdmin).toBe(isAdmin)
  }
})

test.each([
  [['user', 'add', '--account', 'ACCOUNT', '--email', 'nobody'], '--email must be an e-mail address'],
  [['user', 'add', '--account', 'ACCOUNT', '--email', 'TAKEN'], 'there is a user TAKEN already'],
  [
    ['user', 'add', '--account', 'ACCOUNT', '--email', 'new@example.com', '--password-stdin'],
    'a password has 10 to 200',
  ],
  [['user', 'add', '--account', 'GUEST', '--email', 'new@example.com'], 'guests do not sign in'],
  [['user', 'add', '--email', 'new@example.com'], 'name the account by its id'],
  [['user', 'password', '--email', 'nobody@example.com'], 'there is no user'],
  [['session', 'end'], 'name the user by --email'],
  [['account', 'admin', '--account', 'ACCOUNT'], 'say --on or --off'],
  [['account', 'admin', '--account', 'ACCOUNT', '--on', '--off'], 'say --on or --off'],
])('%j is refused with a reason', async (args, reason) => {
  const taken = newEmail()
  await addUser(service.database, { accountId: account.id, email: taken, name: 'Tom', password: PASSWORD })
  const guest = await service.account({ plan: 'guest', credits: 0 })
  const fill = (one: string) => one.replace('ACCOUNT', account.id).replace('GUEST', guest.id).replace('TAKEN', taken)
  const { code, stdout, stderr } = await quarry(args.map(fill), 'short\n')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(fill(reason))
})

test('the first start says how to sign in to the demo account', async () => {
  const { database } = service
  const demo = await startProcess('api', { ...service.env, QUARRY_DEMO_KEY: `fast_prod_${'d'.repeat(24)}` })
  const [, id] = await waitFor(
    'the greeting',
    () => /npm run quarry -- user add --account ([0-9a-f-]{36}) --email you@example\.com/.exec(demo.log()) ?? undefined,
  )
  const rows = await database.query<{ name: string }>('select name from accounts where id = $1', [id])
  expect(rows).toEqual([{ name: 'demo' }])
  await demo.kill('SIGTERM')
})
