import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { type Blobs, openBlobs } from './storage/blobs.ts'
import { type Database, migrate, openDatabase } from './storage/database.ts'
import { ensureEmbeddedPostgres } from './storage/embedded-postgres.ts'

/** What every command of the house stands on. */
export type Foundation = {
  config: Config
  log: Logger
  database: Database
  blobs: Blobs
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

/** Opens database and blobs, the schema up to date. */
export const openFoundation = async (config: Config, log: Logger): Promise<Foundation> => {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o711 })
  const server = await openServer(config, log)
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
  return {
    config,
    log,
    database,
    blobs,
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
