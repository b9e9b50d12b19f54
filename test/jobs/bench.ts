import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createAccount } from '../../src/accounts/accounts.ts'
import { checkLedger } from '../../src/accounts/check-ledger.ts'
import { buildCatalog, findFormat } from '../../src/core/catalog.ts'
import { newId } from '../../src/core/ids.ts'
import { resolveOptions } from '../../src/core/options.ts'
import { NOTHING_OUTSIDE } from '../../src/core/outside.ts'
import { DEFAULT_PLANS } from '../../src/core/plans.ts'
import { quote } from '../../src/core/pricing.ts'
import { loadCatalog } from '../../src/formats/index.ts'
import { uploadKey } from '../../src/jobs/files.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { findJob, type Job } from '../../src/jobs/records.ts'
import { submitJob } from '../../src/jobs/submit.ts'
import { createTelemetry } from '../../src/jobs/telemetry.ts'
import type { WorkerContext } from '../../src/jobs/worker.ts'
import type { ExtractRequest, SandboxPool } from '../../src/sandbox/pool.ts'
import { openBlobs } from '../../src/storage/blobs.ts'
import { createTestDatabase } from '../support/database.ts'
import { TEST_FORMATS } from '../support/paths.ts'
import { waitFor } from '../support/wait.ts'

/** An extraction that the test holds in its hands. */
export type HeldExtraction = {
  jobId: string
  signal: AbortSignal
  finish(): void
  /** An extraction that has been told to stop ends only now. */
  giveUp(): void
}

/**
 * A worker's surroundings in the test's own process: real database, queue and blobs, and a sandbox whose jobs end when
 * the test says so. For moments that cannot be hit from outside.
 */
export const openBench = async () => {
  const { database, drop } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'))
  await mkdir(join(folder, 'work'))
  const { formats } = await loadCatalog([TEST_FORMATS])
  const catalog = buildCatalog(formats)
  const blobs = openBlobs({ kind: 'filesystem', folder: join(folder, 'blobs') })
  const log = pino({ level: 'silent' })
  const queue = await openQueue({
    database,
    pools: [...new Set(formats.map((format) => format.pool))],
    heartbeatSeconds: 10,
    jobSeconds: 3600,
    supervise: false,
    log: () => undefined,
  })
  const account = await createAccount(database, { name: 'bench', plan: 'pro', credits: 1000 })
  const extractions: HeldExtraction[] = []
  let endsAtAbort = true

  const extract = async (request: ExtractRequest, _handlers: unknown, signal: AbortSignal) => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', () => endsAtAbort && giveUp())
    // The name says whose it is: the sandbox itself knows no jobs.
    extractions.push({ jobId: request.name.slice(0, 32), signal, finish: resolve, giveUp })
    await promise
    const file = join(folder, `made-${extractions.length}-${Math.random()}`)
    await writeFile(file, 'made\n')
    const artifact = { path: 'text/made.txt', file, bytes: 5, mediaType: 'text/plain', capabilityId: 'mischief.act' }
    return {
      artifacts: [{ ...artifact, provenance: {} }],
      warnings: [],
      engines: [],
      transcription: null,
      usage: {},
      release: async () => undefined,
    }
  }
  const sandbox = { isolation: 'none', problem: undefined, extract } as unknown as SandboxPool

  const context: WorkerContext = {
    database,
    queue,
    blobs,
    sandbox,
    catalog,
    plans: DEFAULT_PLANS,
    pools: ['document'],
    maxJobs: 4,
    workFolder: join(folder, 'work'),
    retentionMinutes: 60,
    outside: { offer: NOTHING_OUTSIDE, answer: async () => ({ failure: 'not_offered' }) },
    heartbeatSeconds: 1,
    shutdownSeconds: 0,
    telemetry: createTelemetry(),
    log,
  }
  return {
    context,
    account,
    database,
    blobs,
    queue,
    extractions,
    /** Whether an extraction ends by itself when its signal says so. */
    endAtAbort: (does: boolean) => {
      endsAtAbort = does
    },
    submit: async (): Promise<string> => {
      const jobId = newId()
      const format = findFormat(catalog, 'mischief')
      if (!format) throw new Error('the test formats are not there')
      const path = join(folder, jobId)
      await writeFile(path, '{"do":"ok"}')
      await blobs.putFile(uploadKey(jobId), path)
      const plan = resolveOptions(format, 'extract', undefined)
      const metrics = { bytes: 11, pages: 1 }
      await submitJob(
        { database, queue, catalog, poolLimit: 1000 },
        {
          jobId,
          accountId: account.id,
          accountPlan: DEFAULT_PLANS.pro,
          format,
          extension: 'mischief',
          fileName: jobId,
          sourceName: `${jobId}.mischief`,
          sourceSha256: '0'.repeat(64),
          metrics,
          plan,
          quote: quote(format, 'mischief', plan, metrics),
          failure: null,
          idempotency: null,
        },
      )
      return jobId
    },
    extractionOf: (jobId: string, nth = 0): Promise<HeldExtraction> =>
      waitFor(`extraction ${nth} of ${jobId}`, () => extractions.filter((one) => one.jobId === jobId)[nth]),
    ended: (jobId: string): Promise<Job> =>
      waitFor(`the end of ${jobId}`, async () => {
        const job = await findJob(database, jobId)
        return job && !['queued', 'running'].includes(job.state) ? job : undefined
      }),
    close: async () => {
      await queue.close()
      const problems = await checkLedger(database)
      await drop()
      await rm(folder, { recursive: true, force: true })
      if (problems.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(problems)}`)
    },
  }
}
export type Bench = Awaited<ReturnType<typeof openBench>>
