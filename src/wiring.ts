import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { buildCatalog, type Catalog, listPools } from './core/catalog.ts'
import type { ToolCheck } from './core/discovery.ts'
import { applyPrices } from './core/prices.ts'
import { isInstalled } from './engines/find-program.ts'
import { loadCatalog } from './formats/index.ts'
import type { Foundation } from './foundation.ts'
import { type JobQueue, openQueue } from './jobs/queue.ts'
import { openSandbox, type SandboxPool, type SandboxSettings } from './sandbox/pool.ts'
import { makeProcessFolder } from './sandbox/process-folder.ts'
import { applyTranscribers, readableForTranscription } from './transcription.ts'

/** The catalog with the operator's prices, and with the transcription that is configured. */
export const openCatalog = async (config: Config): Promise<Catalog> => {
  const { formats } = await loadCatalog(config.formatFolders)
  return buildCatalog(applyTranscribers(applyPrices(formats, config.prices), config))
}

/** The queues of all pools that the families name. */
export const openJobQueue = (
  { config, log, database }: Foundation,
  catalog: Catalog,
  { supervise }: { supervise: boolean },
): Promise<JobQueue> =>
  openQueue({
    database,
    pools: listPools(catalog),
    heartbeatSeconds: config.heartbeatSeconds,
    jobSeconds: config.jobSeconds,
    supervise,
    log: (message, error) => log.warn({ err: error }, message),
  })

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
