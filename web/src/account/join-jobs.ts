import type { Jobs } from '../../../src/http/web/contract.ts'

/** The newest jobs put before those that were shown already and are older than all of them. */
export const joinJobs = (newest: Jobs, shown: Jobs): Jobs => {
  const last = newest.jobs.at(-1)
  if (newest.nextCursor === null || !last) return newest
  // Ids begin with the time.
  const older = shown.jobs.filter(({ id }) => id < last.id)
  return older.length === 0 ? newest : { jobs: [...newest.jobs, ...older], nextCursor: shown.nextCursor }
}
