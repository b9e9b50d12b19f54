import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { buildCatalog, type Catalog } from './core/catalog.ts'
import type { ToolCheck } from './core/discovery.ts'
import { applyPrices } from './core/prices.ts'
import { isInstalled } from './engines/find-program.ts'
import { loadCatalog } from './formats/index.ts'
import { type JobQueue, openQueue } from './jobs/queue.ts'
import { openSandbox, type SandboxPool, type SandboxSettings } from './sandbox/pool.ts'
import { makeProcessFolder } from './sandbox/process-folder.ts'
import { type Blobs, openBlobs } from './storage/blobs.ts'
import { type Database, migrate, openDatabase } from './storage/database.ts'
import { ensureEmbeddedPostgres } from './storage/embedded-postgres.ts'
import { applyTranscribers, readableForTranscription } from './transcription.ts'

/** What every command of the house stands on. */
export type Foundation = {
  config: Config
  log: Logger
  catalog: Catalog
  database: Database
  blobs: Blobs
  openQueue(options: { supervise: boolean }): Promise<JobQueue>
  close(): Promise<void>
}

const EMBEDDED_PATIENCE_MS = 15_000
const EXTERNAL_PATIENCE_MS = 4_000

/** Logs as JSON lines on stderr, so that stdout is free for what a person or a script asked for. */
export const createLog = (config: Config): Logger =>
  pino(
    {
      level: config.logLevel,
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: ['req.headers["x-fast-api-key"]', 'headers["x-fast-api-key"]', '*.webhookSecret', '*.password'],
        censor: '***',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  )

/** The catalog with the operator's prices, and with the transcription that is configured. */
export const openCatalog = async (config: Config): Promise<Catalog> => {
  const { formats } = await loadCatalog(config.formatFolders)
  return buildCatalog(applyTranscribers(applyPrices(formats, config.prices), config))
}

/** Opens database, blobs and catalog, the schema up to date. */
export const openFoundation = async (config: Config, log: Logger): Promise<Foundation> => {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o711 })
  const [catalog, server] = await Promise.all([openCatalog(config), openServer(config, log)])
  const database = openDatabase({
    connection: server.connection,
    maxConnections: config.databaseConnections,
    patienceMs: config.databaseUrl ? EXTERNAL_PATIENCE_MS : EMBEDDED_PATIENCE_MS,
    log: (message, error) => log.warn({ err: error }, message),
  })
  await migrate(database)
  const blobs = openBlobs(
    config.s3Bucket
      ? {
          kind: 's3',
          bucket: config.s3Bucket,
          region: config.s3Region,
          endpoint: config.s3Endpoint || undefined,
          accessKeyId: config.s3AccessKeyId || undefined,
          secretAccessKey: config.s3SecretAccessKey || undefined,
          forcePathStyle: config.s3ForcePathStyle,
          prefix: config.s3Prefix,
        }
      : { kind: 'filesystem', folder: join(config.dataFolder, 'blobs') },
  )
  const pools = [...new Set(catalog.formats.map((format) => format.pool))]
  return {
    config,
    log,
    catalog,
    database,
    blobs,
    openQueue: ({ supervise }) =>
      openQueue({
        database,
        pools,
        heartbeatSeconds: config.heartbeatSeconds,
        jobSeconds: config.jobSeconds,
        supervise,
        log: (message, error) => log.warn({ err: error }, message),
      }),
    close: async () => {
      await database.close()
      await server.close()
    },
  }
}

const openServer = async (config: Config, log: Logger) => {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, close: async () => undefined }
  const server = await ensureEmbeddedPostgres({ dataFolder: config.dataFolder, log: (message) => log.info(message) })
  return { connection: server.connection, close: async () => void (await server.stopIfUnused()) }
}

/** The sandbox as the configuration wants it. */
export const sandboxSettings = (config: Config, log: Logger, { children }: { children: number }): SandboxSettings => ({
  folder: join(config.dataFolder, 'sandbox'),
  formatFolders: config.formatFolders,
  readable: readableForTranscription(config),
  isolation: config.isolation,
  unprivilegedUid: config.sandboxUid,
  unprivilegedGid: config.sandboxUid,
  maxChildren: children,
  spares: 1,
  jobsPerChild: config.jobsPerChild,
  idleSeconds: 60,
  limits: {
    wallSeconds: config.jobSeconds,
    stallSeconds: config.stallSeconds,
    cpuSeconds: config.jobCpuSeconds,
    memoryBytes: config.jobMemoryMb * 1_048_576,
    outputBytes: config.jobOutputMb * 1_048_576,
    outputFiles: config.jobOutputFiles,
    openFiles: 1024,
  },
  warn: (message, cause) => log.warn({ err: cause }, message),
})

export const openChildren = async (config: Config, log: Logger, children: number): Promise<SandboxPool> => {
  const sandbox = await openSandbox(sandboxSettings(config, log, { children }))
  if (sandbox.problem) {
    log.warn({ isolation: sandbox.isolation }, 'extraction is not fully isolated')
    process.stderr.write(
      `\n*** Isolation of extraction is "${sandbox.isolation}", not bubblewrap. ***\n${sandbox.problem}\n\n`,
    )
  }
  return sandbox
}

/** Scratch space of this process; what processes that are no more left behind is removed. */
export const openWorkFolder = (dataFolder: string): Promise<string> =>
  makeProcessFolder(join(dataFolder, 'work'), 0o700)

/** Whether a tool is on this machine; looked up once. */
export const createToolCheck = (): ToolCheck => {
  const found = new Map<string, boolean>()
  return (tool) => {
    const known = found.get(tool.name)
    if (known !== undefined) return known
    const there = isInstalled(tool)
    found.set(tool.name, there)
    return there
  }
}
