import { isTerminal } from '../core/job-states.ts'
import type { AccountPlans, PlanId } from '../core/plans.ts'
import type { Database, Sql } from '../storage/database.ts'
import type { JobQueue } from './queue.ts'
import { findJob, JOB_CHANNEL, JOB_COLUMNS, type Job } from './records.ts'

type Context = { database: Database; queue: JobQueue; plans: AccountPlans }

/** Rolls a claim back: the account runs as many jobs as its plan allows. */
class AccountIsBusy extends Error {
  readonly accountId: string
  constructor(accountId: string) {
    super('the account runs as many jobs as it may')
    this.accountId = accountId
  }
}
/** Rolls a claim back: somebody else is changing the job this instant. */
class JobIsLocked extends Error {}

/** The entry belonged to no open job, and is gone. */
const STALE_ENTRY = Symbol('stale entry')

/** Takes the next job of a pool that may run now, and makes this attempt the current one. */
export const claimJob = async (context: Context, pool: string): Promise<Job | undefined> => {
  const busyAccounts: string[] = []
  for (;;) {
    try {
      const claimed = await context.database.transaction((tx) => claimIn(tx, context, pool, busyAccounts))
      if (claimed !== STALE_ENTRY) return claimed
    } catch (error) {
      if (error instanceof JobIsLocked) return undefined
      if (!(error instanceof AccountIsBusy)) throw error
      busyAccounts.push(error.accountId)
    }
  }
}

const claimIn = async (
  tx: Sql,
  { queue, plans }: Context,
  pool: string,
  busyAccounts: readonly string[],
): Promise<Job | typeof STALE_ENTRY | undefined> => {
  const taken = await queue.take(tx, pool, busyAccounts)
  if (!taken) return undefined
  // Two workers must not both count the account's running jobs before either has added its own.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [taken.accountId])
  const [job] = await tx.query<Job & { accountPlan: PlanId; alsoRunning: number }>(
    `with claimed as (
       update jobs j set state = 'running', attempt = attempt + 1, started_at = coalesce(started_at, now())
       from accounts a
       where j.id = (select id from jobs where id = $1 and state in ('queued', 'running') for update skip locked)
         and a.id = j.account_id
       returning ${JOB_COLUMNS}, a.plan as "accountPlan",
         (select count(*) from jobs r where r.account_id = j.account_id and r.state = 'running' and r.id <> j.id) as "alsoRunning"
     )
     select *, pg_notify('${JOB_CHANNEL}', "id") from claimed`,
    [taken.jobId],
  )
  if (!job) {
    const current = await findJob(tx, taken.jobId)
    if (current && !isTerminal(current.state)) throw new JobIsLocked()
    // A lease that runs out in the instant of the settlement puts the entry back after the settlement removed it.
    await queue.remove(tx, pool, taken.jobId)
    return STALE_ENTRY
  }
  if (job.alsoRunning >= plans[job.accountPlan].maxParallelJobs) throw new AccountIsBusy(taken.accountId)
  return job
}
