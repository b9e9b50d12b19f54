import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Catalog } from '../core/catalog.ts'
import type { ToolCheck } from '../core/discovery.ts'
import type { JobEvents } from '../jobs/events.ts'
import type { JobQueue } from '../jobs/queue.ts'
import type { Telemetry } from '../jobs/telemetry.ts'
import type { SandboxPool } from '../sandbox/pool.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'

/** Everything the routes need, wired in main. */
export type Service = {
  config: Config
  catalog: Catalog
  database: Database
  queue: JobQueue
  blobs: Blobs
  sandbox: SandboxPool
  events: JobEvents
  telemetry: Telemetry
  hasTool: ToolCheck
  /** Signs what the service hands out to have back: owner proofs, tickets of measured files. */
  signingKey: Buffer
  /** Where uploads are received before they become jobs. */
  incomingFolder: string
  log: Logger
}
