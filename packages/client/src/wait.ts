import { JobCanceledError, JobFailedError } from './errors.ts'
import { followJob } from './events.ts'
import { hasEnded, type JobRecord, readJobRecord } from './records.ts'
import { pause, type Transport } from './transport.ts'

/** How to wait for a job. */
export type WaitOptions = {
  /** Ends the waiting, not the job. */
  signal?: AbortSignal
  /** Told of each change of the job. */
  onUpdate?: (job: JobRecord) => void
  /** `polling` asks again and again; `events`, the default, listens, and polls only where that fails. */
  transport?: 'events' | 'polling'
}

const PATIENT_AFTER = 5
const MAX_POLL_MS = 15_000

/** Waits for the end of a job: its record if it succeeded, else an error that carries it. */
export const waitForJob = async (transport: Transport, id: string, options: WaitOptions = {}): Promise<JobRecord> => {
  const record =
    (options.transport === 'polling' ? null : await listen(transport, id, options)) ??
    (await poll(transport, id, options))
  if (record.status === 'failed') throw new JobFailedError(record)
  if (record.status === 'canceled') throw new JobCanceledError(record)
  return record
}

/** The record of the job at its end; null where the stream of events does not tell it. */
const listen = async (
  transport: Transport,
  id: string,
  { signal, onUpdate }: WaitOptions,
): Promise<JobRecord | null> => {
  const events = followJob(transport, id, { signal, maxRetries: 0 })
  try {
    for (;;) {
      // Whatever goes wrong, polling meets it again, and tells the caller if it is more than a broken stream.
      const next = await events.next().catch(() => null)
      signal?.throwIfAborted()
      if (next === null || next.done) return null
      onUpdate?.(next.value)
      if (hasEnded(next.value)) return next.value
    }
  } finally {
    await events.return(undefined)
  }
}

const poll = async (transport: Transport, id: string, { signal, onUpdate }: WaitOptions): Promise<JobRecord> => {
  let last = ''
  for (let unchanged = 0; ; unchanged++) {
    const record = readJobRecord(await transport.ask({ path: `/job/${encodeURIComponent(id)}`, signal }))
    const text = JSON.stringify(record)
    if (text !== last) {
      unchanged = 0
      last = text
      onUpdate?.(record)
    }
    if (hasEnded(record)) return record
    await pause(pollDelay(unchanged), signal)
  }
}

/** One to two seconds, and slower when the same answer has come several times. */
export const pollDelay = (unchanged: number): number =>
  Math.min(MAX_POLL_MS, (1000 + Math.random() * 1000) * 1.5 ** Math.max(0, unchanged - PATIENT_AFTER))
