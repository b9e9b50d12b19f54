import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../../src/accounts/accounts.ts'
import { checkLedger } from '../../src/accounts/check-ledger.ts'
import { createKey } from '../../src/accounts/keys.ts'
import type { PlanId } from '../../src/core/plans.ts'
import type { Database } from '../../src/storage/database.ts'
import { createTestDatabase } from './database.ts'
import { PROJECT, TEST_FORMATS } from './paths.ts'

export type TestAccount = { id: string; userId: string; key: string }
export type RunningProcess = {
  base: string
  process: ChildProcess
  log(): string
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Does nothing more until it is resumed, and hears of nothing. */
  pause(): void
  resume(): void
}
export type TestService = {
  /** `http://127.0.0.1:PORT` of the first process. */
  base: string
  database: Database
  dataFolder: string
  first: RunningProcess
  /** The settings of every process. */
  env: Record<string, string>
  /** Starts one more process on the same database and folder. */
  start(role: 'serve' | 'api' | 'worker', env?: Record<string, string>): Promise<RunningProcess>
  account(options?: { plan?: PlanId; credits?: number; ip?: string; expiresAt?: Date }): Promise<TestAccount>
  /** Stops everything, and fails unless the books are right. */
  stop(): Promise<void>
}

const READY_MS = 60_000

/** Runs the real service as its own process, on a database and a data folder of its own. */
export const startTestService = async (
  env: Record<string, string> = {},
  role: 'serve' | 'api' | 'worker' = 'serve',
): Promise<TestService> => {
  const { database, url, drop } = await createTestDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'quarry-data-'))
  const processes: RunningProcess[] = []
  const settings = { DATABASE_URL: url, QUARRY_DATA: dataFolder, QUARRY_FORMATS: TEST_FORMATS, ...env }
  const start: TestService['start'] = async (which, more = {}) => {
    const running = await startProcess(which, { ...settings, ...more })
    processes.push(running)
    return running
  }
  // Any account at all keeps the demo account away.
  await createAccount(database, { name: 'nobody', plan: 'guest' })
  const first = await start(role)
  return {
    base: first.base,
    database,
    dataFolder,
    first,
    env: settings,
    start,
    account: async ({ plan = 'pro', credits = 1000, ip, expiresAt } = {}) => {
      const { id, userId } = await createAccount(database, { name: 'test', plan, credits })
      const { key } = await createKey(database, {
        accountId: id,
        userId,
        name: 'test',
        allowedCidr: ip ?? null,
        expiresAt: expiresAt ?? null,
      })
      return { id, userId, key }
    },
    stop: async () => {
      await Promise.all(processes.map((running) => running.kill('SIGTERM')))
      const problems = await checkLedger(database)
      await drop()
      await rm(dataFolder, { recursive: true, force: true })
      if (problems.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(problems)}`)
    },
  }
}

/** What a process of the service takes from the one that starts it. */
export const KEPT_ENV = Object.fromEntries(
  ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]),
)

/** Runs one process of the service and waits until it says that it is ready. */
export const startProcess = async (role: string, env: Record<string, string>): Promise<RunningProcess> => {
  const child = spawn(process.execPath, ['src/main.ts', role], {
    cwd: PROJECT,
    env: { ...KEPT_ENV, PORT: '0', HOST: '127.0.0.1', ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const ready = Promise.withResolvers<number | undefined>()
  const read = (chunk: Buffer) => {
    text += chunk.toString('utf8')
    const line = /^\{.*"msg":"ready".*\}$/m.exec(text)
    if (line) ready.resolve((JSON.parse(line[0]) as { port?: number }).port)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.once('exit', (code, signal) => ready.reject(new Error(`${role} ended with ${code ?? signal}:\n${text}`)))
  const timer = setTimeout(() => ready.reject(new Error(`${role} was not ready in time:\n${text}`)), READY_MS)
  const port = await ready.promise
    .catch((error: unknown) => {
      child.kill('SIGKILL')
      throw error
    })
    .finally(() => clearTimeout(timer))
  return {
    base: `http://127.0.0.1:${port ?? 0}`,
    process: child,
    log: () => text,
    kill: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  }
}
