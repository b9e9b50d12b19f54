import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { checkLedger } from '../../src/accounts/check-ledger.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { grantCredits, readBalance } from '../../src/accounts/ledger.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { sweepOrphans } from '../../src/jobs/retention.ts'
import { openBlobs } from '../../src/storage/blobs.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { DATABASE, PORT, placeCluster, ROLE } from '../../src/storage/postgres-cluster.ts'
import { createClient } from '../support/client.ts'
import { TEST_FORMATS } from '../support/paths.ts'
import { listProcessesIn } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { startProcess } from '../support/service.ts'
import { delay, waitFor } from '../support/wait.ts'
import { type Installation, startInstallation, type Victim } from './installation.ts'
import { type Load, startLoad } from './load.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 50)
const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31))
const CLIENTS = 6
// The API takes longest to come back, and without it there is no load.
const DECK: readonly Victim[] = ['worker', 'child', 'postgres', 'worker', 'child', 'postgres', 'api']
const LOST_CONNECTION = /Error: .*(?:[Cc]onnection|ECONN|EPIPE|not queryable)|terminating connection/
const WORKERS = 2
const JOBS_BETWEEN_KILLS = 2
const SETTLE_MS = 90_000
const OLD = new Date(Date.now() - 48 * 3_600_000)

const run = promisify(execFile)
const log = pino({ level: 'silent' })

let folder: string
let env: Record<string, string>
let installation: Installation
let database: Database
const accounts: { id: string; key: string; opening: number }[] = []

const connect = (): Database =>
  openDatabase({
    connection: { host: placeCluster(folder).socketFolder, port: PORT, user: ROLE, database: DATABASE },
    maxConnections: 4,
    patienceMs: 30_000,
    log: () => undefined,
  })

const openAccount = async (grants: { plan: number; loyalty: number; wallet: number }): Promise<void> => {
  const { id, userId } = await createAccount(database, { name: 'fault', plan: 'pro', credits: grants.plan })
  for (const bucket of ['loyalty', 'wallet'] as const) {
    await grantCredits(database, { accountId: id, bucket, credits: grants[bucket], note: 'opening' })
  }
  const { key } = await createKey(database, { accountId: id, userId, name: 'fault' })
  accounts.push({ id, key, opening: grants.plan + grants.loyalty + grants.wallet })
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quarry-faults-')))
  env = { QUARRY_DATA: folder, QUARRY_FORMATS: TEST_FORMATS, QUARRY_WORKER_JOBS: '4' }
  installation = await startInstallation(env, { workers: WORKERS })
  database = connect()
  // Buckets that run out on the way: holds and settlements over several of them at once.
  await openAccount({ plan: 40, loyalty: 7, wallet: 10_000 })
  await openAccount({ plan: 10_000, loyalty: 1, wallet: 1 })
}, 120_000)

afterAll(async () => {
  // Closed already when all went well.
  await database?.close().catch(() => undefined)
  await installation?.stop()
  await rm(folder, { recursive: true, force: true })
}, 120_000)

test(`after ${ROUNDS} kills at random moments every accepted job has one end, one settlement and no leftovers`, {
  timeout: 240_000 + ROUNDS * 4_000,
}, async () => {
  console.info(`FAULT_SEED=${SEED} FAULT_ROUNDS=${ROUNDS}`)
  const load = startLoad(
    installation.base,
    accounts.map(({ key }) => key),
    createRandom(SEED + 1),
    CLIENTS,
  )
  const kills = await killAtRandom(ROUNDS, load)
  await installation.settle()
  await load.stop()
  await waitFor('every job to end', async () => (await countOpenJobs()) === 0, SETTLE_MS, 500)
  console.info(
    `killed ${JSON.stringify(kills)}; clients ${JSON.stringify({ ...load.counts, accepted: load.accepted.size })}`,
  )
  console.info(`ends ${JSON.stringify(await countEnds())}`)

  expect(load.surprises).toEqual([])
  expect(installation.crashes).toEqual([])
  for (const failure of installation.failedStarts) expect(failure).toMatch(LOST_CONNECTION)
  await checkRecords(load)
  await checkMoney()
  await checkResults(load)
  await checkFiles()
})

const killAtRandom = async (rounds: number, load: Load): Promise<Record<Victim, number>> => {
  const random = createRandom(SEED)
  const kills: Record<Victim, number> = { worker: 0, child: 0, api: 0, postgres: 0 }
  let deck: Victim[] = []
  for (let round = 0; round < rounds; ) {
    await delay(random.between(300, 1500))
    // A service that is still coming back has nothing to lose: give it work, but no endless time.
    const before = load.accepted.size
    await waitFor('new jobs', () => load.accepted.size >= before + JOBS_BETWEEN_KILLS, 3_000).catch(() => undefined)
    if (deck.length === 0) deck = DECK.toSorted(() => random.next() - 0.5)
    const victim = deck.pop() as Victim
    if (!(await installation.kill(victim, random.pick))) {
      deck.unshift(victim)
      continue
    }
    kills[victim]++
    round++
  }
  return kills
}

const countOpenJobs = async (): Promise<number> =>
  (await database.query<{ open: number }>(`select count(*) as open from jobs where state in ('queued', 'running')`))[0]
    ?.open ?? 0

const countEnds = () =>
  database.query(`select state, error->>'code' as code, attempt, count(*) from jobs group by 1, 2, 3 order by 1, 2, 3`)

/** What the clients were promised, against what the service says now. */
const checkRecords = async (load: Load): Promise<void> => {
  const byKey = new Map<string, string>()
  for (const { id, key, idempotencyKey, sent, cancelAnswer } of load.accepted.values()) {
    const { status, body } = await createClient(installation.base, key).get<JobRecord>(`/extract/job/${id}`)
    expect(status, `the record of ${id}`).toBe(200)
    const { status: state, billing, metrics, error } = body
    if (state === 'succeeded') expect([billing, metrics.chargedCredits]).toEqual(['charged', metrics.quotedCredits])
    else
      expect([['failed', 'canceled'].includes(state), billing, metrics.chargedCredits]).toEqual([true, 'released', 0])
    if (cancelAnswer === 202) expect(state, `${id} was canceled`).toBe('canceled')
    if (state === 'canceled') expect(cancelAnswer, `${id} is canceled`).toBe(202)
    if (sent.includes('fail:') && state === 'failed') {
      expect(['extract.source_unreadable', 'extract.engine_failed', 'extract.worker_lost']).toContain(error?.code)
    }
    if (idempotencyKey) {
      expect(byKey.get(idempotencyKey), 'one key, one job').toBeUndefined()
      byKey.set(idempotencyKey, id)
    }
  }
  const [extra] = await database.query<{ jobs: number }>('select count(*) as jobs from jobs')
  // A job whose 202 was lost on the way may stand, but only where the client could not repeat the request.
  expect(extra?.jobs ?? 0).toBeLessThanOrEqual(load.accepted.size + load.counts.unanswered + load.counts.refused)
  const [keys] = await database.query<{ keys: number; jobs: number }>(
    'select count(*) as keys, count(distinct job_id) as jobs from idempotency_keys',
  )
  expect(keys).toEqual({ keys: byKey.size, jobs: byKey.size })
}

const checkMoney = async (): Promise<void> => {
  expect(await checkLedger(database)).toEqual([])
  const unsettled = await database.query(
    `select job_id from ledger_entries where job_id is not null group by job_id
     having count(distinct kind) filter (where kind in ('capture', 'release')) <> 1 or count(*) filter (where kind = 'refund') > 0`,
  )
  expect(unsettled).toEqual([])
  for (const { id, key, opening } of accounts) {
    const [row] = await database.query<{ charged: number }>(
      'select coalesce(sum(charged_credits), 0)::bigint as charged from jobs where account_id = $1',
      [id],
    )
    const balance = await readBalance(database, id)
    expect(balance).toMatchObject({ total: opening - (row?.charged ?? 0), held: 0 })
    const entitlements = await createClient(installation.base, key).get<{ totalCredits: number }>(
      '/extract/entitlements/me',
    )
    expect(entitlements.body.totalCredits).toBe(balance.total)
  }
}

const checkResults = async (load: Load): Promise<void> => {
  const zips = await mkdtemp(join(tmpdir(), 'quarry-zips-'))
  let checked = 0
  for (const { id, key } of load.accepted.values()) {
    const client = createClient(installation.base, key)
    const { body } = await client.get<JobRecord>(`/extract/job/${id}`)
    const { status, bytes } = await client.download(id)
    expect(status, `the download of ${id}, ${body.status}`).toBe(body.status === 'succeeded' ? 200 : 409)
    if (body.status !== 'succeeded') continue
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.output?.sha256)
    const path = join(zips, `${id}.zip`)
    await writeFile(path, bytes)
    await run('unzip', ['-tqq', path])
    checked++
  }
  expect(checked).toBeGreaterThan(0)
  await rm(zips, { recursive: true })
}

/** Only results that a job refers to are left, once the sweeps had their time. */
const checkFiles = async (): Promise<void> => {
  const blobs = openBlobs({ kind: 'filesystem', folder: join(folder, 'blobs') })
  const wanted = (
    await database.query<{ key: string }>('select result_key as key from jobs where result_key is not null order by 1')
  ).map(({ key }) => key)
  await sweepOrphans({ database, blobs, log }, 0)
  expect(await Array.fromAsync(blobs.list('uploads/'))).toEqual([])
  expect((await Array.fromAsync(blobs.list('results/'))).map(({ key }) => key).sort()).toEqual(wanted)
  const unfinished = join(folder, 'blobs/.unfinished')
  for (const name of await readdir(unfinished)) await utimes(join(unfinished, name), OLD, OLD)
  await blobs.check()
  expect(await readdir(unfinished)).toEqual([])

  await database.close()
  await installation.stop()
  // One more start removes what killed processes left in the scratch folders, and its end what is its own.
  const last = await startProcess('serve', env)
  expect((await fetch(`${last.base}/readyz`)).status).toBe(200)
  await last.kill('SIGTERM')
  expect(await readdir(join(folder, 'sandbox'))).toEqual([])
  expect(await readdir(join(folder, 'work'))).toEqual([])
  await waitFor('every process to be gone', () => listProcessesIn(folder).length === 0, 20_000).catch(() => undefined)
  expect(listProcessesIn(folder)).toEqual([])
}
