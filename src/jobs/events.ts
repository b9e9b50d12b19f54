import type { Database } from '../storage/database.ts'
import { JOB_CHANNEL } from './records.ts'

/** Tells of changes to jobs, wherever in the installation they were made. */
export type JobEvents = {
  /** Calls back after each change of the job, and when a change may have been missed. Returns how to stop. */
  watch(jobId: string, onChange: () => void): () => void
  close(): Promise<void>
}

export const openJobEvents = async (database: Database): Promise<JobEvents> => {
  const watchers = new Map<string, Set<() => void>>()
  const tell = (jobId: string) => {
    for (const onChange of watchers.get(jobId) ?? []) onChange()
  }
  const stop = await database.listen(JOB_CHANNEL, tell, () => {
    for (const jobId of watchers.keys()) tell(jobId)
  })
  return {
    watch: (jobId, onChange) => {
      const own = watchers.get(jobId) ?? new Set()
      watchers.set(jobId, own.add(onChange))
      return () => {
        own.delete(onChange)
        if (own.size === 0) watchers.delete(jobId)
      }
    },
    close: stop,
  }
}
