import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ensureDemoAccount } from '../../src/accounts/demo.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { type Database, isConnectionError, migrate, openDatabase } from '../../src/storage/database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'

let made: TestDatabase
let admin: Database
beforeAll(async () => {
  made = await createTestDatabase()
  admin = made.database
})
afterAll(() => made.drop())

const connect = (maxConnections: number): Database =>
  openDatabase({ connection: { connectionString: made.url }, maxConnections, patienceMs: 5000, log: () => undefined })

/** Ends every connection to the database but the one that asks, as a restart of the server would. */
const cutConnections = () =>
  admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )

test('a connection that breaks inside a transaction fails the transaction, not the process', async () => {
  const database = connect(2)
  const broken = await database
    .transaction(async (tx) => {
      await tx.query('select 1')
      await cutConnections()
      // Idle when it breaks: no statement is there to take the error.
      await new Promise((resolve) => setTimeout(resolve, 200))
      await tx.query('select 2')
    })
    .catch((error: unknown) => error)
  expect(isConnectionError(broken)).toBe(true)
  expect(await database.query<{ n: number }>('select 3 as n')).toEqual([{ n: 3 }])
  await database.close()
})

test('a script that fails inside a transaction of its own leaves a clean connection', async () => {
  const database = connect(1)
  await expect(database.script('begin; select 1 / 0; commit')).rejects.toThrow('division by zero')
  expect(await database.query<{ n: number }>('select 1 as n')).toEqual([{ n: 1 }])
  expect(await database.transaction((tx) => tx.query<{ n: number }>('select 2 as n'))).toEqual([{ n: 2 }])
  await database.close()
})

test('listening goes on after every connection was cut, says so once each time, and leaves no second listener', async () => {
  const database = connect(2)
  const heard: string[] = []
  let gaps = 0
  await database.listen(
    'fault_channel',
    (payload) => heard.push(payload),
    () => gaps++,
  )
  for (let round = 1; round <= 3; round++) {
    await cutConnections()
    await waitFor('the gap', () => gaps === round)
  }
  await admin.query('select pg_notify($1, $2)', ['fault_channel', 'hello'])
  await waitFor('the message', () => heard.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(heard).toEqual(['hello'])
  await database.close()
  const left = await admin.query(
    `select pid from pg_stat_activity where datname = current_database() and query like 'listen fault_channel%'`,
  )
  expect(left).toEqual([])
})

test('processes that start at once on an empty database make one schema, one set of queues and one demo account', async () => {
  const name = `${new URL(made.url.replace('@/', '@x/')).pathname.slice(1)}_empty`
  await admin.script(`create database ${name}`)
  const processes = Array.from({ length: 4 }, () =>
    openDatabase({
      connection: { host: inject('postgresSocket'), user: 'quarry', database: name },
      maxConnections: 4,
      patienceMs: 5000,
      log: () => undefined,
    }),
  )
  const start = async (database: Database) => {
    await migrate(database)
    const queue = await openQueue({
      database,
      pools: ['document', 'text', 'image'],
      heartbeatSeconds: 10,
      jobSeconds: 60,
      supervise: false,
      log: () => undefined,
    })
    const demo = await ensureDemoAccount(database, '')
    await queue.close()
    return demo
  }
  const demos = await Promise.all(processes.map(start))
  expect(demos.filter((demo) => demo?.isNew)).toHaveLength(1)
  const fixedKey = 'fast_prod_a-key-given-by-the-operator'
  const fixed = await Promise.all(processes.map((database) => ensureDemoAccount(database, fixedKey)))
  expect(fixed.filter((demo) => demo?.isNew)).toHaveLength(1)
  expect(await processes[0]?.query('select 1 from accounts')).toHaveLength(2)
  await Promise.all(processes.map((database) => database.close()))
  await admin.script(`drop database ${name} with (force)`)
})
