import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { sweepAttempts } from './accounts/attempts.ts'
import { ensureDemoAccount } from './accounts/demo.ts'
import { readServiceSecret } from './accounts/secrets.ts'
import { sweepSessions } from './accounts/sessions.ts'
import type { Config } from './config.ts'
import { type Catalog, listPools } from './core/catalog.ts'
import { VERSION } from './core/version.ts'
import { createLog, type Foundation, openFoundation } from './foundation.ts'
import { createApp } from './http/app.ts'
import { openJobEvents } from './jobs/events.ts'
import type { JobQueue } from './jobs/queue.ts'
import { sweepExpired, sweepOrphans } from './jobs/retention.ts'
import { createTelemetry, type Telemetry } from './jobs/telemetry.ts'
import { startWebhooks } from './jobs/webhooks.ts'
import { startWorker } from './jobs/worker.ts'
import type { SandboxPool } from './sandbox/pool.ts'
import { openOutside } from './transcription.ts'
import { createToolCheck, openCatalog, openChildren, openJobQueue, openWorkFolder } from './wiring.ts'

const SWEEP_MS = 30_000
// Often: files that were measured and never made a job lie there too.
const ORPHAN_SWEEP_MS = 600_000
const ORPHAN_AGE_MS = 900_000
const PROBE_CHILDREN = 2

export type Role = 'serve' | 'api' | 'worker'
export type RunningService = { port: number | undefined; stop(): Promise<void> }

/** Runs the API, the worker, or both in one process, until `stop`. A start that fails closes what it had opened. */
export const serve = async (config: Config, role: Role): Promise<RunningService> => {
  const log = createLog(config)
  // What was opened last is closed first.
  const opened = new AsyncDisposableStack()
  try {
    const port = await open(config, role, log, opened)
    return {
      port,
      stop: async () => {
        await opened.disposeAsync()
        log.info('stopped')
      },
    }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

const open = async (
  config: Config,
  role: Role,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<number | undefined> => {
  const withApi = role !== 'worker'
  const withWorker = role !== 'api'
  const children = (withWorker ? config.workerJobs : 0) + (withApi ? PROBE_CHILDREN : 0)
  await mkdir(config.dataFolder, { recursive: true, mode: 0o711 })
  // Side by side, because together they are most of the start.
  const [catalog, workFolder, foundation, sandbox] = await Promise.all([
    openCatalog(config),
    openWorkFolder(config.dataFolder).then((folder) => {
      opened.defer(() => rm(folder, { recursive: true, force: true }))
      return folder
    }),
    openFoundation(config, log).then((foundation) => {
      opened.defer(() => foundation.close())
      return foundation
    }),
    openChildren(config, log, children).then((sandbox) => {
      opened.defer(() => sandbox.close())
      return sandbox
    }),
  ])
  const queue = await openJobQueue(foundation, catalog, { supervise: withWorker })
  opened.defer(() => queue.close())
  const house: House = { ...foundation, catalog, queue, sandbox, workFolder, telemetry: createTelemetry() }
  if (withWorker) await openWorker(house, opened)
  const port = withApi ? await openApi(house, opened) : undefined
  log.info({ role, port, isolation: sandbox.isolation, version: VERSION }, 'ready')
  return port
}

type House = Foundation & {
  catalog: Catalog
  queue: JobQueue
  sandbox: SandboxPool
  workFolder: string
  telemetry: Telemetry
}

const openWorker = async (house: House, opened: AsyncDisposableStack): Promise<void> => {
  const { config, catalog, database, log } = house
  const sweepEvery = (everyMs: number, work: () => Promise<unknown>) => {
    const sweep = () => void work().catch((error) => log.warn({ err: error }, 'a sweep failed'))
    const timer = setInterval(sweep, everyMs)
    opened.defer(() => clearInterval(timer))
    sweep()
  }
  sweepEvery(SWEEP_MS, () => sweepExpired(house))
  sweepEvery(ORPHAN_SWEEP_MS, () => sweepOrphans(house, ORPHAN_AGE_MS))
  sweepEvery(ORPHAN_SWEEP_MS, () => Promise.all([sweepSessions(database), sweepAttempts(database)]))
  const webhooks = await startWebhooks({ database, allowPrivate: config.webhookAllowPrivate, version: VERSION, log })
  opened.defer(() => webhooks.stop())
  const worker = await startWorker({
    ...house,
    plans: config.plans,
    pools: config.workerPools.length > 0 ? config.workerPools : listPools(catalog),
    maxJobs: config.workerJobs,
    retentionMinutes: config.retentionMinutes,
    outside: openOutside(config, (message, cause) => log.warn({ err: cause }, message)),
    heartbeatSeconds: config.heartbeatSeconds,
    shutdownSeconds: config.shutdownSeconds,
  })
  opened.defer(() => worker.stop())
}

const openApi = async (house: House, opened: AsyncDisposableStack): Promise<number> => {
  const { config, database, workFolder } = house
  const incomingFolder = join(workFolder, 'incoming')
  await mkdir(incomingFolder, { recursive: true, mode: 0o700 })
  const events = await openJobEvents(database)
  opened.defer(() => events.close())
  const signingKey = await readServiceSecret(database, 'website')
  const app = await createApp({ ...house, events, hasTool: createToolCheck(), signingKey, incomingFolder })
  opened.defer(() => app.close())
  const demo = await ensureDemoAccount(database, config.demoKey)
  await listen(app, config)
  const { port } = app.server.address() as AddressInfo
  greet(port, demo)
  return port
}

/** Every address where the machine has IPv6, else every IPv4 address. */
const listen = async (
  app: { listen(options: { port: number; host: string }): Promise<string> },
  { port, host }: Config,
) => {
  if (host) return app.listen({ port, host })
  try {
    return await app.listen({ port, host: '::' })
  } catch (error) {
    if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return app.listen({ port, host: '0.0.0.0' })
  }
}

type Demo = { accountId: string; key: string; isNew: boolean }

const greet = (port: number, demo: Demo | undefined): void => {
  const base = `http://localhost:${port}`
  const lines = ['', `Quarry ${VERSION} is ready at ${base}`]
  if (demo?.isNew) {
    const header = `-H 'X-Fast-Api-Key: ${demo.key}'`
    lines.push('', `Demo account (Pro); its key is shown only this once: ${demo.key}`)
    lines.push('', 'Send a file:', '', `  curl -F file=@README.md ${header} ${base}/extract`)
    lines.push('', 'and download the ZIP of the job, with the id of the answer:')
    lines.push('', `  curl -OJ ${header} ${base}/extract/job/ID/download`)
    lines.push('', 'To sign in to the same account on the website, make yourself a user:')
    lines.push('', `  npm run quarry -- user add --account ${demo.accountId} --email you@example.com`)
  } else if (demo) {
    lines.push(`Demo account (Pro): the key in QUARRY_DEMO_KEY.`)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}
