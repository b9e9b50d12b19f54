import { lstatSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../core/errors.ts'
import { overLimit } from './collect-artifacts.ts'
import type { TreeUsage } from './process-tree.ts'
import type { SandboxLimits } from './settings.ts'

/** What a watch looks at. */
export type Watched = {
  limits: SandboxLimits
  outFolder: string
  /** CPU time that the child had spent before this job. */
  cpuSecondsBefore: number
  measure(): TreeUsage
  /** What was already taken out of the out folder. */
  collected(): { bytes: number; files: number }
  /** Whether the job waits for us, so that its silence is no stall. */
  isWaiting(): boolean
}

/** Looks after one running job. */
export type Watch = {
  /** The job gave a sign of life. */
  touch(): void
  stop(): void
  /** The most that was seen; zeros for a job that ended before the first look. */
  seen(): { cpuSeconds: number; peakMemoryBytes: number }
}

const TICK_MS = 250
const CLOSE_TICK_MS = 50
const MAX_WALK_PAUSE_MS = 1_500
// Work files come and go beside the artifacts, so the folder as a whole may hold more than the result.
const FOLDER_FACTOR = 2
const FOLDER_EXTRA_FILES = 256

/** Starts a watch; `onBreach` is called once, with the failure, when the job goes over a limit. */
export const startWatch = (watched: Watched, onBreach: (failure: JobFailure) => void): Watch => {
  const { limits } = watched
  const startMs = performance.now()
  let lastSignMs = startMs
  let cpuSeconds = 0
  let peakMemoryBytes = 0
  let nextWalkMs = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<JobFailure | undefined> => {
    const nowMs = performance.now()
    if (nowMs - startMs > limits.wallSeconds * 1000) return timedOut('wall_seconds', limits.wallSeconds)
    if (watched.isWaiting()) lastSignMs = nowMs
    if (nowMs - lastSignMs > limits.stallSeconds * 1000) return timedOut('stall_seconds', limits.stallSeconds)
    const usage = watched.measure()
    cpuSeconds = Math.max(cpuSeconds, usage.cpuSeconds - watched.cpuSecondsBefore)
    peakMemoryBytes = Math.max(peakMemoryBytes, usage.memoryBytes)
    if (usage.memoryBytes > limits.memoryBytes) return overLimit('memory', limits.memoryBytes)
    if (cpuSeconds > limits.cpuSeconds) return overLimit('cpu', limits.cpuSeconds)
    if (nowMs < nextWalkMs) return undefined
    const folder = await measureFolder(watched.outFolder, limits.outputFiles * FOLDER_FACTOR + FOLDER_EXTRA_FILES)
    // A folder that takes long to read is read less often, but never so seldom that it could fill a disk meanwhile.
    nextWalkMs = nowMs + Math.min(MAX_WALK_PAUSE_MS, (performance.now() - nowMs) * 10)
    const collected = watched.collected()
    if (folder.bytes + collected.bytes > limits.outputBytes * FOLDER_FACTOR) {
      return overLimit('output_bytes', limits.outputBytes)
    }
    if (folder.files + collected.files > limits.outputFiles * FOLDER_FACTOR + FOLDER_EXTRA_FILES) {
      return overLimit('output_files', limits.outputFiles)
    }
    return undefined
  }
  const tick = async () => {
    const breach = await look()
    if (stopped) return
    if (breach) return onBreach(breach)
    schedule()
  }
  const schedule = () => {
    const isClose = peakMemoryBytes > limits.memoryBytes / 2
    const limitMs = Math.min(limits.wallSeconds, limits.stallSeconds) * 1000
    timer = setTimeout(tick, Math.min(isClose ? CLOSE_TICK_MS : TICK_MS, limitMs + 1))
  }
  schedule()
  return {
    touch: () => {
      lastSignMs = performance.now()
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
    seen: () => ({ cpuSeconds, peakMemoryBytes }),
  }
}

const timedOut = (limit: string, allowed: number): JobFailure => new JobFailure('extract.timed_out', { limit, allowed })

// One look costs 5 µs on the spot and 100 through the thread pool; between batches others have their turn.
const BATCH_ENTRIES = 200

/** Bytes on disk and number of entries under a folder; stops counting past `maxFiles`. */
const measureFolder = async (root: string, maxFiles: number): Promise<{ bytes: number; files: number }> => {
  let bytes = 0
  let files = 0
  const open = [root]
  try {
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await opendir(folder, { bufferSize: BATCH_ENTRIES }).catch(skipMissing)
      if (!entries) continue
      for await (const entry of entries) {
        files += 1
        if (files > maxFiles) return { bytes, files }
        const path = join(folder, entry.name)
        // Only what is a folder by its own name: never through a link.
        if (entry.isDirectory()) open.push(path)
        else bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512
      }
    }
    return { bytes, files }
  } catch {
    // Closed to us, or nested deeper than a path is long: nobody works so who has nothing to hide.
    return { bytes, files: Number.POSITIVE_INFINITY }
  }
}

/** A folder may be moved or removed while we look. */
const skipMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}
