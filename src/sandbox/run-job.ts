import { JobFailure } from '../core/errors.ts'
import type { ChildHandle, Death } from './child-process.ts'
import { overLimit } from './collect-artifacts.ts'
import type { ChildMessage, ChildUsage, ParentMessage } from './protocol.ts'
import type { SandboxLimits } from './settings.ts'
import { startWatch } from './watch.ts'

/** What a job used, by the greater of the child's own count and what the watch saw. */
export type Usage = ChildUsage & { wallSeconds: number }

/** One message to a child, and what to do with its answers. */
export type ChildJob<T> = {
  message: ParentMessage
  limits: SandboxLimits
  outFolder: string
  cpuSecondsBefore: number
  collected(): { bytes: number; files: number }
  isWaiting(): boolean
  /** Lets go of the child's folders: the job has failed and they are about to be wiped. */
  abandon(): Promise<void>
  /** Answers the result with the last message of the job, undefined before; throws at a message out of place. */
  take(message: ChildMessage): { usage: ChildUsage; result: Promise<T> } | undefined
}

/** The job's end as the job itself sees it; `fail` ends it from outside. */
export type RunningJob<T> = { outcome: Promise<{ result: T; usage: Usage }>; fail(error: Error): void }

/**
 * Runs one job in a child and holds it to its limits. However it ends other than well, the child and all it started
 * are dead when the promise rejects.
 */
export const runJob = <T>(child: ChildHandle, job: ChildJob<T>, signal: AbortSignal): RunningJob<T> => {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<{ result: T; usage: Usage }>()
  const { limits } = job
  const startMs = performance.now()
  let ended = false

  const end = (): boolean => {
    if (ended) return false
    ended = true
    watch.stop()
    child.listen(undefined)
    signal.removeEventListener('abort', onAbort)
    return true
  }
  const fail = (error: unknown) => {
    if (!end()) return
    Promise.all([child.kill(), job.abandon()]).then(() => reject(error), reject)
  }
  const onAbort = () => fail(signal.reason)
  const watch = startWatch({ ...job, measure: child.measure }, fail)

  const succeed = async ({ usage, result }: { usage: ChildUsage; result: Promise<T> }) => {
    try {
      const value = await result
      if (!end()) return
      const wallSeconds = (performance.now() - startMs) / 1000
      const seen = watch.seen()
      resolve({
        result: value,
        usage: {
          cpuSeconds: Math.max(seen.cpuSeconds, Math.min(usage.cpuSeconds, limits.cpuSeconds)),
          peakMemoryBytes: Math.max(seen.peakMemoryBytes, Math.min(usage.peakMemoryBytes, limits.memoryBytes)),
          wallSeconds,
        },
      })
    } catch (error) {
      fail(error)
    }
  }
  const onMessage = (message: ChildMessage) => {
    watch.touch()
    if (message.type === 'failed') return fail(toFailure(message, limits, child.log()))
    const last = job.take(message)
    if (last) void succeed(last)
  }
  const onBroken = (error: Error) => fail(new JobFailure('extract.engine_failed', {}, { cause: error }))

  child.listen({ maxMessages: 1_000 + limits.outputFiles * 2, onMessage, onBroken })
  child.death.then((death) => fail(explainDeath(death, limits)))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort)
  child.send(job.message)
  return { outcome, fail }
}

/** The failure as the child reported it, with what it printed as a part of the cause. */
const toFailure = (message: ChildMessage & { type: 'failed' }, limits: SandboxLimits, log: string): JobFailure => {
  const cause = new Error(log === '' ? message.cause : `${message.cause}\nprinted: ${log}`)
  const { code, params, detail } = message
  const allowed = code === 'extract.limit_exceeded' ? allowedBy(limits, params.limit) : undefined
  return new JobFailure(code, allowed === undefined ? params : { ...params, allowed }, {
    cause,
    ...(detail && { detail }),
  })
}

/** The child does not know all of its limits: some are set around it. */
const allowedBy = (limits: SandboxLimits, limit: unknown): number | undefined => {
  switch (limit) {
    case 'memory':
      return limits.memoryBytes
    case 'output_bytes':
      return limits.outputBytes
    case 'open_files':
      return limits.openFiles
    default:
      return undefined
  }
}

const OUT_OF_MEMORY = /out of memory|allocation failed|bad_alloc|cannot allocate memory/i

/** Why a child is gone that nobody here has killed. */
const explainDeath = ({ exitCode, signal, log }: Death, limits: SandboxLimits): JobFailure => {
  const cause = new Error(`the child ended (${signal ?? exitCode}): ${log.trim() || 'no output'}`)
  if (OUT_OF_MEMORY.test(log)) return overLimit('memory', limits.memoryBytes, cause)
  if (signal === 'SIGXCPU') return overLimit('cpu', limits.cpuSeconds, cause)
  if (signal === 'SIGXFSZ') return overLimit('output_bytes', limits.outputBytes, cause)
  return new JobFailure('extract.engine_failed', signal ? { signal } : { exitCode }, { cause })
}
