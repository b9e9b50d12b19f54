import { useEffect, useState } from 'react'
import { isTerminal } from '../../../src/core/job-states.ts'
import type { JobRecord } from '../../../src/jobs/records.ts'
import { ApiError, get, query } from '../api/client.ts'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000
/** A stream that says nothing for this long may be dead without anybody having told. */
const SILENCE_MS = 45_000
/** Something between us and the service does not let streams through: then we only ask. */
const STREAM_FAILURES = 3

export type WatchedJob = {
  job: JobRecord | undefined
  /** Why there is nothing to watch: no such job, or not the visitor's. */
  error: unknown
  /** The service does not answer at the moment; it is asked again and again. */
  isOffline: boolean
}

/** Follows a job until it ends: by server-sent events, and by asking where these do not come through. */
export const useJob = (id: string, proof: string | undefined): WatchedJob => {
  const [state, setState] = useState<WatchedJob & { id?: string }>({
    job: undefined,
    error: undefined,
    isOffline: false,
  })
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    void watchJob(id, proof, signal, {
      onRecord: (job) =>
        setState((before) => ({ id, job: keepPercent(before.job, job), error: undefined, isOffline: false })),
      onError: (error) => setState({ id, job: undefined, error, isOffline: false }),
      onOffline: () => setState((before) => ({ ...before, isOffline: true })),
    })
    return () => abort.abort()
  }, [id, proof])
  return state.id === id ? state : { job: undefined, error: undefined, isOffline: state.isOffline }
}

/** A job that lost its worker starts anew; what was shown does not go back. */
const keepPercent = (before: JobRecord | undefined, job: JobRecord): JobRecord => {
  const shown = before?.id === job.id ? before.progress.percent : 0
  return shown <= job.progress.percent ? job : { ...job, progress: { ...job.progress, percent: shown } }
}

type Handlers = { onRecord(job: JobRecord): void; onError(error: unknown): void; onOffline(): void }

const watchJob = async (id: string, proof: string | undefined, signal: AbortSignal, handlers: Handlers) => {
  let streamFailures = 0
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    let isReached = true
    try {
      const job = await get<JobRecord>(`/web/jobs/${id}${query({ proof })}`, signal)
      handlers.onRecord(job)
      if (isTerminal(job.status)) return
      waitMs = Math.min(waitMs, 4 * FIRST_WAIT_MS)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) return handlers.onError(error)
      handlers.onOffline()
      isReached = false
    }
    if (isReached && streamFailures < STREAM_FAILURES) {
      const { ended, heard } = await followStream(id, proof, signal, handlers.onRecord)
      if (ended) return
      streamFailures = heard ? 0 : streamFailures + 1
      if (heard) waitMs = FIRST_WAIT_MS
    }
    await pause(waitMs * (0.75 + Math.random() / 2), signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

/** Listens until the job ends or the stream does. */
const followStream = (
  id: string,
  proof: string | undefined,
  signal: AbortSignal,
  onRecord: (job: JobRecord) => void,
): Promise<{ ended: boolean; heard: boolean }> =>
  new Promise((resolve) => {
    const stream = new EventSource(`/web/jobs/${id}/events${query({ proof })}`)
    let heard = false
    const finish = (ended: boolean) => {
      clearTimeout(timer)
      stream.close()
      signal.removeEventListener('abort', onAbort)
      resolve({ ended, heard })
    }
    const onAbort = () => finish(true)
    let timer = setTimeout(finish, SILENCE_MS, false)
    signal.addEventListener('abort', onAbort)
    stream.addEventListener('error', () => finish(false))
    stream.addEventListener('job', (event: MessageEvent<string>) => {
      clearTimeout(timer)
      timer = setTimeout(finish, SILENCE_MS, false)
      heard = true
      const job = JSON.parse(event.data) as JobRecord
      onRecord(job)
      if (isTerminal(job.status)) finish(true)
    })
  })

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
