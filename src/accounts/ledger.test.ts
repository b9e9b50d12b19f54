import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { RequestError } from '../core/errors.ts'
import { DEFAULT_PLANS } from '../core/plans.ts'
import type { Database, Sql } from '../storage/database.ts'
import { createAccount } from './accounts.ts'
import { checkLedger } from './check-ledger.ts'
import { BUCKETS, type Bucket, grantCredits, holdCredits, lockBalance, readBalance } from './ledger.ts'

let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await createTestDatabase()
  database = made.database
})
afterAll(() => made.drop())

const insertJob = (tx: Sql, jobId: string, accountId: string, credits: number) =>
  tx.query(
    `insert into jobs (id, account_id, state, billing, workflow, pool, family, category, format, file_name, source_name,
       source_sha256, metrics, plan, quoted_credits, fair_tag)
     values ($1, $2, 'queued', 'held', 'extract', 'document', 'f', 'c', 'txt', 'n', 'n.txt', '', '{}', '{}', $3, 0)`,
    [jobId, accountId, credits],
  )

/** A submission, as far as money goes; false when the credits do not reach. */
const hold = async (accountId: string, jobId: string, credits: number): Promise<boolean> => {
  try {
    await database.transaction(async (tx) => {
      const balance = await lockBalance(tx, accountId)
      await holdCredits(tx, { accountId, plan: DEFAULT_PLANS.pro, jobId, credits, balance })
      await insertJob(tx, jobId, accountId, credits)
    })
    return true
  } catch (error) {
    if (error instanceof RequestError && error.code === 'entitlements.insufficient_credits') return false
    throw error
  }
}

type End = 'capture' | 'release' | 'refund'
const NEXT: Record<End, { from: string; state: string; billing: string; entry: string }> = {
  capture: { from: 'held', state: 'succeeded', billing: 'charged', entry: 'hold' },
  release: { from: 'held', state: 'failed', billing: 'released', entry: 'hold' },
  refund: { from: 'charged', state: 'succeeded', billing: 'refunded', entry: 'capture' },
}
/** A settlement or a refund, as far as money goes; false when the job is not where it must be. */
const end = (jobId: string, kind: End): Promise<boolean> =>
  database.transaction(async (tx) => {
    const { from, state, billing, entry } = NEXT[kind]
    const [row] = await tx.query(
      `update jobs set state = $3, billing = $4, charged_credits = case when $4 = 'released' then 0 else quoted_credits end,
         refunded_credits = case when $4 = 'refunded' then quoted_credits else 0 end
       where id = $1 and billing = $2 returning id`,
      [jobId, from, state, billing],
    )
    if (!row) return false
    await tx.query(
      `insert into ledger_entries (account_id, bucket, kind, credits, job_id)
       select account_id, bucket, $2, credits, job_id from ledger_entries where job_id = $1 and kind = $3 order by id`,
      [jobId, kind, entry],
    )
    return true
  })

const ACCOUNTS = 3
type Step =
  | { do: 'grant'; account: number; bucket: Bucket; credits: number }
  | { do: 'hold'; account: number; credits: number }
  | { do: End; job: number }
const account = fc.nat({ max: ACCOUNTS - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      account,
      bucket: fc.constantFrom(...BUCKETS),
      credits: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('hold' as const), account, credits: fc.integer({ min: 1, max: 15 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom<End>('capture', 'release', 'refund'), job: fc.nat({ max: 30 }) }),
  },
)

describe('the ledger', () => {
  test('keeps its books under any interleaving of grants, holds, captures, releases and refunds', {
    timeout: 120_000,
  }, async () => {
    // Steps of one round run at the same time, each in a transaction of its own.
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rounds, async (plan) => {
        const accounts = await Promise.all(
          Array.from({ length: ACCOUNTS }, () => createAccount(database, { name: 'p', plan: 'pro', credits: 10 })),
        )
        const idOf = (index: number): string => accounts[index]?.id as string
        const expected = accounts.map(() => ({ granted: 10, held: 0, spent: 0 }))
        const jobs: { id: string; account: number; credits: number }[] = []
        const run = async (one: Step): Promise<void> => {
          if (one.do === 'grant') {
            const { bucket, credits } = one
            await grantCredits(database, { accountId: idOf(one.account), bucket, credits, note: 'p' })
            tally(expected, one.account).granted += credits
          } else if (one.do === 'hold') {
            const id = randomUUID()
            if (!(await hold(idOf(one.account), id, one.credits))) return
            tally(expected, one.account).held += one.credits
            jobs.push({ id, account: one.account, credits: one.credits })
          } else {
            const job = jobs[one.job % Math.max(1, jobs.length)]
            if (!job || !(await end(job.id, one.do))) return
            const sums = tally(expected, job.account)
            if (one.do === 'refund') sums.spent -= job.credits
            else sums.held -= job.credits
            if (one.do === 'capture') sums.spent += job.credits
          }
        }
        for (const round of plan) {
          await Promise.all(round.map(run))
          for (const [index, { granted, held, spent }] of expected.entries()) {
            const balance = await readBalance(database, idOf(index))
            expect(balance).toMatchObject({ held, total: granted - held - spent })
            expect(Math.min(balance.plan, balance.loyalty, balance.wallet, balance.held)).toBeGreaterThanOrEqual(0)
          }
        }
        expect(await checkLedger(database)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('gives a last credit to one of many that ask for it at once', async () => {
    const { id } = await createAccount(database, { name: 'last', plan: 'pro', credits: 3 })
    const held = await Promise.all(Array.from({ length: 20 }, () => hold(id, randomUUID(), 1)))
    expect(held.filter(Boolean)).toHaveLength(3)
    expect(await readBalance(database, id)).toMatchObject({ total: 0, held: 3 })
  })

  test('settles a job once, whoever tries and how often', async () => {
    const { id } = await createAccount(database, { name: 'once', plan: 'pro', credits: 5 })
    const jobId = randomUUID()
    await hold(id, jobId, 5)
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) => end(jobId, index % 2 === 0 ? 'capture' : 'release')),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    const insert = (kind: string) =>
      database.query(
        `insert into ledger_entries (account_id, bucket, kind, credits, job_id) values ($1, 'plan', $2, 5, $3)`,
        [id, kind, jobId],
      )
    // Around the functions too: the table itself refuses.
    for (const kind of ['hold', 'capture', 'release']) await expect(insert(kind)).rejects.toThrow(/unique|violates/)
  })

  test('burns plan, then loyalty, then wallet, and gives back to where it came from', async () => {
    const { id } = await createAccount(database, { name: 'order', plan: 'pro', credits: 2 })
    await grantCredits(database, { accountId: id, bucket: 'wallet', credits: 10, note: '' })
    await grantCredits(database, { accountId: id, bucket: 'loyalty', credits: 3, note: '' })
    const [first, second] = [randomUUID(), randomUUID()]
    await hold(id, first, 4)
    expect(await readBalance(database, id)).toEqual({ plan: 0, loyalty: 1, wallet: 10, total: 11, held: 4 })
    await hold(id, second, 5)
    expect(await readBalance(database, id)).toEqual({ plan: 0, loyalty: 0, wallet: 6, total: 6, held: 9 })
    await end(first, 'release')
    expect(await readBalance(database, id)).toEqual({ plan: 2, loyalty: 2, wallet: 6, total: 10, held: 5 })
    await end(second, 'capture')
    await end(second, 'refund')
    expect(await readBalance(database, id)).toEqual({ plan: 2, loyalty: 3, wallet: 10, total: 15, held: 0 })
  })

  test('refuses an entry that would overdraw, or settle what was never held', async () => {
    const { id } = await createAccount(database, { name: 'refuse', plan: 'pro', credits: 5 })
    const insert = (kind: string, credits: number, jobId: string | null) =>
      database.query(
        `insert into ledger_entries (account_id, bucket, kind, credits, job_id) values ($1, 'plan', $2, $3, $4)`,
        [id, kind, credits, jobId],
      )
    await expect(insert('hold', 6, randomUUID())).rejects.toThrow('balances_available_check')
    await expect(insert('capture', 1, randomUUID())).rejects.toThrow('has no hold before it')
    await expect(insert('release', 1, randomUUID())).rejects.toThrow('has no hold before it')
    await expect(insert('refund', 1, randomUUID())).rejects.toThrow('has no capture before it')
    await expect(insert('grant', 0, null)).rejects.toThrow('check constraint')
    await expect(insert('grant', 1, randomUUID())).rejects.toThrow('check constraint')
    await expect(insert('hold', 1, null)).rejects.toThrow('check constraint')
    expect(await readBalance(database, id)).toMatchObject({ total: 5, held: 0 })
  })

  test.each([
    ['update', 'update ledger_entries set credits = credits + 1'],
    ['delete', 'delete from ledger_entries'],
    ['truncate', 'truncate ledger_entries'],
    ['truncate from afar', 'truncate accounts cascade'],
  ])('cannot be changed by %s', async (_name, statement) => {
    await createAccount(database, { name: 'kept', plan: 'pro', credits: 1 })
    await expect(database.script(statement)).rejects.toThrow('append-only')
  })

  test('keeps an account that has entries', async () => {
    const { id } = await createAccount(database, { name: 'kept', plan: 'pro', credits: 1 })
    await expect(database.query('delete from accounts where id = $1', [id])).rejects.toThrow('foreign key')
  })
})

describe('checkLedger finds', () => {
  type Scene = { tx: Sql; accountId: string; jobId: string }
  /** Adds an entry behind the ledger's back. */
  const forge = ({ tx, accountId }: Scene, kind: string, credits: number, jobId: string, bucket = 'plan') =>
    tx.query('insert into ledger_entries (account_id, bucket, kind, credits, job_id) values ($1, $2, $3, $4, $5)', [
      accountId,
      bucket,
      kind,
      credits,
      jobId,
    ])
  const CORRUPTIONS: [string, (scene: Scene) => Promise<unknown>][] = [
    [
      'a balance is not the sum of its entries',
      ({ tx, accountId }) =>
        tx.query('update balances set available = available + 1 where account_id = $1', [accountId]),
    ],
    [
      'a balance is below zero',
      async ({ tx, accountId }) => {
        await tx.script('alter table balances drop constraint balances_available_check')
        await tx.query('update balances set available = -1 where account_id = $1', [accountId])
      },
    ],
    ['a settlement differs from its hold', (scene) => forge(scene, 'capture', 1, scene.jobId)],
    [
      'a job was settled both ways, or only in part',
      async (scene) => {
        await forge(scene, 'capture', 5, scene.jobId)
        await forge(scene, 'release', 2, scene.jobId, 'loyalty')
      },
    ],
    ['a job was settled both ways, or only in part', (scene) => forge(scene, 'release', 5, scene.jobId)],
    ['a refund has no capture', (scene) => forge(scene, 'refund', 5, scene.jobId)],
    [
      'a job and its entries disagree',
      ({ tx, jobId }) => tx.query('update jobs set quoted_credits = quoted_credits + 1 where id = $1', [jobId]),
    ],
    [
      'a job and its entries disagree',
      ({ tx, jobId }) =>
        tx.query(`update jobs set state = 'succeeded', billing = 'charged', charged_credits = 7 where id = $1`, [
          jobId,
        ]),
    ],
    ['a job and its entries disagree', ({ tx, accountId }) => insertJob(tx, randomUUID(), accountId, 1)],
    ['a hold has neither a job nor an end', (scene) => forge(scene, 'hold', 1, randomUUID())],
    ['a hold has neither a job nor an end', ({ tx, jobId }) => tx.query('delete from jobs where id = $1', [jobId])],
  ]
  test.each(CORRUPTIONS)('%s', async (problem, corrupt) => {
    const { id: accountId } = await createAccount(database, { name: 'corrupt', plan: 'pro', credits: 5 })
    await grantCredits(database, { accountId, bucket: 'loyalty', credits: 4, note: '' })
    const jobId = randomUUID()
    expect(await hold(accountId, jobId, 7)).toBe(true)
    expect(await checkLedger(database)).toEqual([])
    const found = await inAbandonedTransaction(async (tx) => {
      // Triggers sleep in this role, as they do for whoever restores a dump carelessly.
      await tx.script('set local session_replication_role = replica')
      await corrupt({ tx, accountId, jobId })
      return (await checkLedger(tx)).map((one) => one.problem)
    })
    expect(found).toContain(problem)
    expect(await checkLedger(database)).toEqual([])
  })

  class Abandoned extends Error {}
  const inAbandonedTransaction = async <T>(work: (tx: Sql) => Promise<T>): Promise<T> => {
    let result: T | undefined
    await database
      .transaction(async (tx) => {
        result = await work(tx)
        throw new Abandoned()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Abandoned)) throw error
      })
    return result as T
  }
})

const tally = <T>(sums: readonly T[], index: number): T => sums[index] as T

test('submissions of an account wait for each other from its very first credit on', async () => {
  const { id } = await createAccount(database, { name: 'new', plan: 'free' })
  const order: string[] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = database.transaction(async (tx) => {
    await lockBalance(tx, id)
    locked[0]?.resolve()
    await gates[0]?.promise
    await grantCredits(tx, { accountId: id, bucket: 'plan', credits: 5, note: 'first' })
  })
  await locked[0]?.promise
  const second = database.transaction(async (tx) => {
    expect((await lockBalance(tx, id)).plan).toBe(5)
    locked[1]?.resolve()
    await gates[1]?.promise
    order.push('second')
  })
  // It must have found the account without a balance, and wait for the one who is about to give it one.
  await expect
    .poll(
      async () =>
        (
          await database.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).length,
    )
    .toBeGreaterThan(0)
  gates[0]?.resolve()
  await first
  await locked[1]?.promise
  const third = database.transaction(async (tx) => {
    await lockBalance(tx, id)
    order.push('third')
  })
  await Promise.race([third, new Promise((resolve) => setTimeout(resolve, 300))])
  gates[1]?.resolve()
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third'])
})
