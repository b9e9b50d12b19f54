import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { ensureGuestAccount } from '../../src/accounts/guests.ts'
import { listEntries, readBalance } from '../../src/accounts/ledger.ts'
import { openSession } from '../../src/accounts/sessions.ts'
import {
  type AdminAccount,
  type AdminAccounts,
  type AdminJob,
  type AdminJobs,
  adminAccountSchema,
  adminAccountsSchema,
  adminJobSchema,
  adminJobsSchema,
  type Overview,
  overviewSchema,
} from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { ok, slow } from '../jobs/deeds.ts'
import { type Answer, createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

const PATIENCE_MS = 120_000
let service: TestService
let visitor: TestClient
let operator: Record<string, string>
let member: Record<string, string>
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '1', QUARRY_RATE_LIMIT_PER_MINUTE: '100000' })
  visitor = createClient(service.base, null)
  const { id } = await service.account({ credits: 1 })
  await service.database.query('update accounts set is_admin = true where id = $1', [id])
  operator = await signIn(id, 'olga@operators.example')
  member = await signIn((await service.account({ credits: 1 })).id, 'mia@members.example')
})
afterAll(() => service.stop())

const signIn = async (accountId: string, email: string): Promise<Record<string, string>> => {
  const { database } = service
  const [user] = await database.query<{ id: string }>(
    'update users set email = $2 where account_id = $1 returning id',
    [accountId, email],
  )
  const session = { userId: user?.id ?? '', userAgent: 'test', address: '127.0.0.1' }
  const { token } = await openSession(database, session)
  return { cookie: `quarry_session=${token}`, origin: service.base }
}
const read = <T>(path: string) => visitor.get<T>(`/web/admin/${path}`, operator)
const change = <T = ErrorBody>(path: string, json: unknown) =>
  visitor.call<T>('POST', `/web/admin/${path}`, { json, headers: operator })
const readOverview = async (): Promise<Overview> => {
  const { status, body } = await read<Overview>('overview')
  expect(status).toBe(200)
  expect(body).toEqual(overviewSchema.parse(body))
  return body
}
const findAccounts = async (query: string): Promise<AdminAccounts> => {
  const { status, body } = await read<AdminAccounts>(`accounts?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toEqual(adminAccountsSchema.parse(body))
  return body
}
const namesOf = ({ accounts }: AdminAccounts): string[] => accounts.map(({ name }) => name)
const clientOf = (account: TestAccount): TestClient => createClient(service.base, account.key)

describe('who may', () => {
  const NOBODY = '0'.repeat(32)
  test.each([
    ['GET', 'overview'],
    ['GET', 'accounts'],
    ['GET', `accounts/${NOBODY}`],
    ['POST', `accounts/${NOBODY}/credits`],
    ['POST', `accounts/${NOBODY}/plan`],
    ['GET', 'jobs'],
    ['POST', `jobs/${NOBODY}/refund`],
  ])('%s %s is for operators', async (method, path) => {
    const call = (headers: Record<string, string>) => visitor.call(method, `/web/admin/${path}`, { headers })
    expectError(await call({ origin: service.base }), 401, 'session.required')
    expectError(await call(member), 403, 'session.admin_required')
    expectError(
      await call({ 'x-fast-api-key': (await service.account()).key, origin: service.base }),
      401,
      'session.required',
    )
    if (method === 'POST') {
      expectError(await call({ ...operator, origin: 'https://elsewhere.example' }), 403, 'session.cross_origin')
    }
    const admitted = await call(operator)
    expect([200, 400, 404]).toContain(admitted.status)
    expect(admitted.headers.get('cache-control')).toBe('no-store')
  })
  test('an operator who is one no longer is refused at once', async () => {
    const { id } = await service.account()
    const headers = await signIn(id, 'former@operators.example')
    await service.database.query('update accounts set is_admin = true where id = $1', [id])
    expect((await visitor.get('/web/admin/overview', headers)).status).toBe(200)
    await service.database.query('update accounts set is_admin = false where id = $1', [id])
    expectError(await visitor.get('/web/admin/overview', headers), 403, 'session.admin_required')
  })
})

describe('the overview', () => {
  test('is true while a job runs and another waits', async () => {
    const before = await readOverview()
    expect(before.pools.map(({ pool }) => pool)).toEqual(expect.arrayContaining(['document', 'video', 'image']))
    const account = await service.account()
    const client = clientOf(account)
    const [first, second] = [await client.submit('a.mischief', slow(300)), await client.submit('b.mischief', ok())]
    const busy = await waitFor(
      'one running, one waiting',
      async () => {
        const overview = await readOverview()
        const [pool] = overview.pools.filter(({ pool }) => pool === 'document')
        const isSeen = overview.workers.some((worker) => worker.runningJobs === 1)
        return pool?.running === 1 && pool.queued === 1 && isSeen && { overview, pool }
      },
      PATIENCE_MS,
    )
    expect(busy.pool.oldestQueuedSeconds).toBeGreaterThan(0)
    expect(busy.overview.lastDay.submitted).toBe(before.lastDay.submitted + 2)
    expect(busy.overview.pools.find(({ pool }) => pool === 'video')).toEqual({
      pool: 'video',
      queued: 0,
      running: 0,
      oldestQueuedSeconds: null,
    })
    await client.call('POST', `/extract/job/${first.body.id}/cancel`)
    const { metrics } = await client.waitForEnd(second.body.id, PATIENCE_MS)
    const after = await readOverview()
    expect(after.pools.find(({ pool }) => pool === 'document')).toMatchObject({ queued: 0, running: 0 })
    expect(after.lastDay).toEqual({
      ...before.lastDay,
      submitted: before.lastDay.submitted + 2,
      succeeded: before.lastDay.succeeded + 1,
      canceled: before.lastDay.canceled + 1,
      credits: before.lastDay.credits + metrics.chargedCredits,
    })
    await waitFor(
      'an idle worker',
      async () => (await readOverview()).workers.every(({ runningJobs }) => runningJobs === 0),
      PATIENCE_MS,
    )
  })
  test('counts failures of seven days by code and family', async () => {
    const before = await readOverview()
    const client = clientOf(await service.account())
    const fail = () => client.extract('f.mischief', JSON.stringify({ do: 'fail:extract.source_encrypted' }))
    const [, last] = [await fail(), await fail()]
    const canceled = await client.submit('c.mischief', slow(30))
    await client.call('POST', `/extract/job/${canceled.body.id}/cancel`)
    const after = await readOverview()
    expect(after.failures).toContainEqual({
      code: 'extract.source_encrypted',
      family: 'mischief',
      count: 2,
      lastAt: last.finishedAt,
    })
    expect(after.lastDay.failed).toBe(before.lastDay.failed + 2)
    expect(after.lastDay.canceled).toBe(before.lastDay.canceled + 1)
    const age = `update jobs set finished_at = now() - interval '8 days' where id = $1`
    await service.database.query(age, [last.id])
    expect((await readOverview()).failures).toContainEqual(
      expect.objectContaining({ code: 'extract.source_encrypted', family: 'mischief', count: 1 }),
    )
  })
})

describe('workers', () => {
  const findWorker = async (pid: number | undefined) =>
    (await readOverview()).workers.find(({ processId }) => processId === pid)
  test('is there when it started, and gone when it stopped', async () => {
    const extra = await service.start('worker', { QUARRY_WORKER_JOBS: '3', QUARRY_WORKER_POOLS: 'image,video' })
    const { pid } = extra.process
    const worker = await waitFor('the worker', () => findWorker(pid), PATIENCE_MS)
    expect(worker).toMatchObject({ pools: ['image', 'video'], maxJobs: 3, runningJobs: 0, isAlive: true })
    const [first, later] = [
      worker.seenAt,
      await waitFor(
        'a beat',
        async () => {
          const seenAt = (await findWorker(pid))?.seenAt
          return seenAt !== worker.seenAt && seenAt
        },
        PATIENCE_MS,
      ),
    ]
    expect(Date.parse(later)).toBeGreaterThan(Date.parse(first))
    await extra.kill('SIGTERM')
    expect(await findWorker(pid)).toBeUndefined()
  })
  test(
    'that was killed is shown as dead',
    async () => {
      const extra = await service.start('worker')
      const { pid } = extra.process
      await waitFor('the worker', async () => (await findWorker(pid))?.isAlive, PATIENCE_MS)
      await extra.kill('SIGKILL')
      const dead = await waitFor(
        'its death',
        async () => {
          const worker = await findWorker(pid)
          return worker?.isAlive === false && worker
        },
        PATIENCE_MS,
      )
      expect(dead.id).toMatch(/^[0-9a-f-]{36}$/)
      expect((await findWorker(service.first.process.pid))?.isAlive).toBe(true)
    },
    PATIENCE_MS * 2,
  )
  test('is forgotten after a day, and comes back if it only slept', async () => {
    const { database } = service
    await database.query(
      `insert into workers (id, host, process_id, version, pools, max_jobs, seen_at)
       values (gen_random_uuid(), 'old', 1, '0', '{}', 1, now() - interval '25 hours')`,
    )
    expect((await readOverview()).workers.filter(({ host }) => host === 'old')).toEqual([])
    await waitFor(
      'the old row to go',
      async () => (await database.query(`select 1 from workers where host = 'old'`)).length === 0,
      PATIENCE_MS,
    )
    const { pid } = service.first.process
    await database.query('delete from workers where process_id = $1', [pid])
    await waitFor('the worker that was forgotten', () => findWorker(pid), PATIENCE_MS)
  })
  test('lists itself again once the table can be written, and runs jobs meanwhile', async () => {
    const { database } = service
    const { pid } = service.first.process
    await database.script('alter table workers rename to hidden_workers')
    const record = await clientOf(await service.account()).extract('a.mischief', ok())
    expect(record.status).toBe('succeeded')
    await waitFor('a failed beat', () => service.first.log().includes('could not tell that it is there'), PATIENCE_MS)
    await database.script('alter table hidden_workers rename to workers')
    const since = Date.now()
    await waitFor(
      'the next beat',
      async () => {
        const worker = await findWorker(pid)
        return worker !== undefined && Date.parse(worker.seenAt) > since - 1000
      },
      PATIENCE_MS,
    )
  })
})

describe('accounts', () => {
  const mark = 'Zephyr'
  const ids: string[] = []
  beforeAll(async () => {
    for (const name of [`${mark} One`, `${mark} Two`, `${mark} Three`]) {
      ids.push((await createAccount(service.database, { name, plan: 'free' })).id)
    }
    await signIn(ids[1] as string, 'Anna.Windt@Meteo.example')
  })
  test('are found by a part of the name, the newest first', async () => {
    expect(namesOf(await findAccounts('search=zEPH'))).toEqual([`${mark} Three`, `${mark} Two`, `${mark} One`])
    expect(namesOf(await findAccounts(`search=${mark}%20two`))).toEqual([`${mark} Two`])
    expect(namesOf(await findAccounts('search=%25'))).toEqual([])
    expect(namesOf(await findAccounts('search=Z_phyr'))).toEqual([])
  })
  test('are found by e-mail address and by id', async () => {
    const { accounts } = await findAccounts('search=windt@meteo')
    expect(accounts).toMatchObject([{ name: `${mark} Two`, emails: ['Anna.Windt@Meteo.example'] }])
    const [found] = accounts
    const id = found?.id ?? ''
    expect(id.replaceAll('-', '')).toBe(ids[1])
    for (const text of [id, id.replaceAll('-', ''), id.toUpperCase(), id.slice(0, 30)]) {
      expect(namesOf(await findAccounts(`search=${text}`))).toEqual([`${mark} Two`])
    }
  })
  test('come page by page', async () => {
    const first = await findAccounts(`search=${mark}&limit=2`)
    expect(namesOf(first)).toEqual([`${mark} Three`, `${mark} Two`])
    const second = await findAccounts(`search=${mark}&limit=2&cursor=${first.nextCursor}`)
    expect(namesOf(second)).toEqual([`${mark} One`])
    expect(second.nextCursor).toBeNull()
    expectError(await read('accounts?cursor=x'), 400, 'request.invalid_parameter', { path: 'cursor' })
    expectError(await read('accounts?limit=101'), 400, 'request.invalid_parameter', { path: 'limit' })
    expectError(await read('accounts?colour=red'), 400, 'request.unknown_field', { field: 'colour' })
  })
  test('of guests are listed, and can be left out', async () => {
    const { accountId } = await ensureGuestAccount(service.database, Buffer.alloc(32, 7))
    expect((await findAccounts(`search=${accountId}`)).accounts).toMatchObject([{ plan: 'guest', emails: [] }])
    expect((await findAccounts(`search=${accountId}&plan=members`)).accounts).toEqual([])
    const plansOf = async (query: string) => new Set((await findAccounts(query)).accounts.map(({ plan }) => plan))
    expect(await plansOf('plan=guest&limit=100')).toEqual(new Set(['guest']))
    expect(await plansOf('plan=members&limit=100')).toEqual(new Set(['free', 'pro']))
    expect(await plansOf('limit=100')).toEqual(new Set(['guest', 'free', 'pro']))
  })
  test('one account has true figures', async () => {
    const account = await service.account({ credits: 40 })
    const client = clientOf(account)
    const record = await client.extract('a.mischief', ok())
    await service.database.query(
      `insert into api_keys (id, account_id, user_id, name, hint, secret_hash, revoked_at)
       select gen_random_uuid(), account_id, user_id, 'old', 'h', sha256('old'), now() from api_keys where account_id = $1`,
      [account.id],
    )
    const { status, body } = await read<AdminAccount>(`accounts/${account.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(adminAccountSchema.parse(body))
    expect(body).toMatchObject({
      name: 'test',
      plan: 'pro',
      isAdmin: false,
      available: 40 - record.metrics.chargedCredits,
      held: 0,
      activeKeys: 1,
      jobs: 1,
      lastJobAt: record.createdAt,
    })
    expect(JSON.stringify(body)).not.toMatch(/whsec|fast_prod_|secret/)
  })
  test.each(['0'.repeat(32), 'nonsense'])('%s is no account', async (id) => {
    expectError(await read(`accounts/${id}`), 404, 'accounts.not_found')
    expectError(await change(`accounts/${id}/credits`, { credits: 1 }), 404, 'accounts.not_found')
    expectError(await change(`accounts/${id}/plan`, { plan: 'pro' }), 404, 'accounts.not_found')
  })
})

describe('credits and plans', () => {
  test('a grant is in the ledger, with who gave it', async () => {
    const account = await service.account({ credits: 10 })
    const answer = await change<AdminAccount>(`accounts/${account.id}/credits`, {
      bucket: 'loyalty',
      credits: 250,
      note: '  sorry for the outage ',
    })
    expect(answer.status).toBe(200)
    expect(answer.body.available).toBe(260)
    expect(await readBalance(service.database, account.id)).toEqual({
      plan: 10,
      loyalty: 250,
      wallet: 0,
      total: 260,
      held: 0,
    })
    const [entry] = await listEntries(service.database, account.id, 1)
    expect(entry).toMatchObject({
      kind: 'grant',
      bucket: 'loyalty',
      credits: 250,
      note: 'sorry for the outage (by olga@operators.example)',
    })
    await change(`accounts/${account.id}/credits`, { credits: 5 })
    const [second] = await listEntries(service.database, account.id, 1)
    expect(second).toMatchObject({ bucket: 'wallet', credits: 5, note: 'granted (by olga@operators.example)' })
  })
  test.each([
    [{}, 'request.invalid_parameter'],
    [{ credits: 0 }, 'request.invalid_parameter'],
    [{ credits: -5 }, 'request.invalid_parameter'],
    [{ credits: 1.5 }, 'request.invalid_parameter'],
    [{ credits: '5' }, 'request.invalid_parameter'],
    [{ credits: 100_000_001 }, 'request.invalid_parameter'],
    [{ credits: 1, bucket: 'pocket' }, 'request.invalid_parameter'],
    [{ credits: 1, kind: 'refund' }, 'request.unknown_field'],
  ])('%j grants nothing', async (body, code) => {
    const account = await service.account({ credits: 10 })
    expectError(await change(`accounts/${account.id}/credits`, body), 400, code)
    expect((await readBalance(service.database, account.id)).total).toBe(10)
  })
  test('a plan holds from the next request on', async () => {
    const account = await service.account({ plan: 'free' })
    const client = clientOf(account)
    expectError(await client.submit('a.mischief', ok()), 403, 'api_key.pro_required')
    const answer = await change<AdminAccount>(`accounts/${account.id}/plan`, { plan: 'pro' })
    expect({ status: answer.status, plan: answer.body.plan }).toEqual({ status: 200, plan: 'pro' })
    expect((await client.submit('a.mischief', ok())).status).toBe(202)
    expectError(await change(`accounts/${account.id}/plan`, { plan: 'gold' }), 400, 'request.invalid_parameter')
  })
})

describe('jobs', () => {
  let account: TestAccount
  let client: TestClient
  beforeAll(async () => {
    account = await service.account({ credits: 100 })
    client = clientOf(account)
  })
  const list = async (query: string): Promise<AdminJobs> => {
    const { status, body } = await read<AdminJobs>(`jobs?${query}`)
    expect(status).toBe(200)
    expect(body).toEqual(adminJobsSchema.parse(body))
    return body
  }
  const refund = (id: string, note = 'wrong pages'): Promise<Answer<AdminJob>> => change(`jobs/${id}/refund`, { note })
  test('of all accounts and of one, the newest first', async () => {
    const [first, second] = [await client.extract('a.mischief', ok()), await client.extract('b.mischief', ok())]
    const other = await clientOf(await service.account()).extract('c.mischief', JSON.stringify({ do: 'nothing' }))
    const idsOf = ({ jobs }: AdminJobs) => jobs.map(({ record }) => record.id)
    expect(idsOf(await list('limit=3'))).toEqual([other.id, second.id, first.id])
    const own = await list(`accountId=${account.id}`)
    expect(own.jobs).toMatchObject([
      { accountName: 'test', record: second },
      { accountName: 'test', record: first },
    ])
    expect(own.jobs[0]?.accountId.replaceAll('-', '')).toBe(account.id)
    expect(idsOf(await list('status=failed&limit=1'))).toEqual([other.id])
    expect(idsOf(await list(`status=failed&accountId=${account.id}`))).toEqual([])
    const page = await list(`accountId=${account.id}&limit=1`)
    expect(idsOf(page)).toEqual([second.id])
    expect(idsOf(await list(`accountId=${account.id}&limit=1&cursor=${page.nextCursor}`))).toEqual([first.id])
    expectError(await read('jobs?accountId=x'), 400, 'request.invalid_parameter', { path: 'accountId' })
    expectError(await read('jobs?status=lost'), 400, 'request.invalid_parameter', { path: 'status' })
  })
  test('a refund gives the credits back, once', async () => {
    const before = await readBalance(service.database, account.id)
    const record = await client.extract('r.mischief', ok())
    const charged = record.metrics.chargedCredits
    expect((await readBalance(service.database, account.id)).total).toBe(before.total - charged)
    const dayBefore = (await readOverview()).lastDay.credits
    const answer = await refund(record.id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(adminJobSchema.parse(answer.body))
    expect(answer.body).toMatchObject({ accountName: 'test', record: { id: record.id, billing: 'refunded' } })
    expect(answer.body.record.metrics).toMatchObject({ chargedCredits: charged, refundedCredits: charged })
    expect(await readBalance(service.database, account.id)).toEqual(before)
    expect((await readOverview()).lastDay.credits).toBe(dayBefore - charged)
    const [entry] = await listEntries(service.database, account.id, 1)
    expect(entry).toMatchObject({
      kind: 'refund',
      credits: charged,
      jobId: record.id,
      note: 'wrong pages (by olga@operators.example)',
    })
    expectError(await refund(record.id), 409, 'jobs.not_refundable', { status: 'succeeded', billing: 'refunded' })
    expect(await readBalance(service.database, account.id)).toEqual(before)
  })
  test('two refunds at once give back once', async () => {
    const before = await readBalance(service.database, account.id)
    const { id } = await client.extract('r.mischief', ok())
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await readBalance(service.database, account.id)).toEqual(before)
  })
  test('what was never charged cannot be refunded', async () => {
    const failed = await client.extract('f.mischief', JSON.stringify({ do: 'nothing' }))
    expectError(await refund(failed.id), 409, 'jobs.not_refundable', { status: 'failed', billing: 'released' })
    const { body } = await client.submit('s.mischief', slow(20))
    expectError(await refund(body.id), 409, 'jobs.not_refundable', { billing: 'held' })
    await client.call('POST', `/extract/job/${body.id}/cancel`)
    expectError(await refund('0'.repeat(32)), 404, 'jobs.not_found')
    expectError(await refund('nonsense'), 404, 'jobs.not_found')
    expectError(await change(`jobs/${failed.id}/refund`, { note: ' ' }), 400, 'request.invalid_parameter')
    expectError(await change(`jobs/${failed.id}/refund`, {}), 400, 'request.invalid_parameter')
  })
})
