import { RequestError } from '../core/errors.ts'
import type { AccountPlan } from '../core/plans.ts'
import type { Sql } from '../storage/database.ts'

/** Burn order: what expires first goes first. */
export const BUCKETS = ['plan', 'loyalty', 'wallet'] as const
export type Bucket = (typeof BUCKETS)[number]
export type EntryKind = 'grant' | 'hold' | 'capture' | 'release' | 'refund'
export type LedgerEntry = {
  id: number
  bucket: Bucket
  kind: EntryKind
  credits: number
  jobId: string | null
  note: string
  createdAt: Date
}

/** Credits that can be spent now, holds taken off. */
export type Balance = Record<Bucket, number> & { total: number; held: number }

/** Gives credits to an account. */
export const grantCredits = async (
  sql: Sql,
  { accountId, bucket, credits, note }: { accountId: string; bucket: Bucket; credits: number; note: string },
): Promise<void> => {
  await sql.query(
    `insert into ledger_entries (account_id, bucket, kind, credits, note) values ($1, $2, 'grant', $3, $4)`,
    [accountId, bucket, credits, note],
  )
}

type BalanceRow = { bucket: Bucket; available: number; held: number }
const toBalance = (rows: readonly BalanceRow[]): Balance => {
  const of = (bucket: Bucket) => rows.find((row) => row.bucket === bucket)?.available ?? 0
  const [plan, loyalty, wallet] = [of('plan'), of('loyalty'), of('wallet')]
  return { plan, loyalty, wallet, total: plan + loyalty + wallet, held: rows.reduce((sum, row) => sum + row.held, 0) }
}

const readRows = (sql: Sql, accountId: string): Promise<BalanceRow[]> =>
  sql.query<BalanceRow>('select bucket, available, held from balances where account_id = $1', [accountId])

export const readBalance = async (sql: Sql, accountId: string): Promise<Balance> =>
  toBalance(await readRows(sql, accountId))

/** Each bucket with what can be spent of it and what is held, in the order in which they are spent. */
export const readBuckets = async (sql: Sql, accountId: string): Promise<BalanceRow[]> => {
  const rows = await readRows(sql, accountId)
  return BUCKETS.map((bucket) => rows.find((row) => row.bucket === bucket) ?? { bucket, available: 0, held: 0 })
}

/** Reads the balance and keeps every other submission of the account waiting until this transaction ends. */
export const lockBalance = async (tx: Sql, accountId: string): Promise<Balance> => {
  // The account's row is the lock: an account that was never granted anything has no balance row to lock.
  await tx.query('select 1 from accounts where id = $1 for no key update', [accountId])
  return readBalance(tx, accountId)
}

export type DailyUse = { dailyLimit: number; dailyUsed: number; resetDate: string }

const nextMidnightUtc = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString()

/** What a plan with a daily limit has used since midnight UTC: holds of today that were not given back. */
export const readDailyUse = async (
  sql: Sql,
  accountId: string,
  dailyLimit: number,
  now = new Date(),
): Promise<DailyUse> => {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const [row] = await sql.query<{ used: number }>(
    `select coalesce(sum(h.credits), 0)::bigint as used from ledger_entries h
     where h.account_id = $1 and h.kind = 'hold' and h.created_at >= $2
       and not exists (select 1 from ledger_entries r where r.job_id = h.job_id and r.bucket = h.bucket and r.kind in ('release', 'refund'))`,
    [accountId, midnight],
  )
  return { dailyLimit, dailyUsed: row?.used ?? 0, resetDate: nextMidnightUtc(now) }
}

/** The plan's daily allowance, as far as the plan bucket does not hold it already. */
export const allowanceDue = (plan: AccountPlan, balance: Balance, use: DailyUse): number =>
  plan.dailyCredits === null ? 0 : Math.max(0, plan.dailyCredits - use.dailyUsed - balance.plan)

/**
 * Sets credits of a job aside, in the transaction that makes the job. `balance` was read under `lockBalance`.
 * Refuses when the day's limit or the credits do not reach. `note` says what the job is of, for who reads the ledger.
 */
export const holdCredits = async (
  tx: Sql,
  {
    accountId,
    plan,
    jobId,
    credits,
    balance,
    note = '',
  }: { accountId: string; plan: AccountPlan; jobId: string; credits: number; balance: Balance; note?: string },
): Promise<void> => {
  let funds = balance
  if (plan.dailyCredits !== null) {
    const use = await readDailyUse(tx, accountId, plan.dailyCredits)
    if (use.dailyUsed + credits > plan.dailyCredits)
      throw new RequestError('usage.daily_limit_exceeded', { ...use, required: credits })
    const due = allowanceDue(plan, balance, use)
    if (due > 0) {
      await grantCredits(tx, { accountId, bucket: 'plan', credits: due, note: 'daily allowance' })
      funds = { ...balance, plan: balance.plan + due, total: balance.total + due }
    }
  }
  if (funds.total < credits) {
    throw new RequestError('entitlements.insufficient_credits', { required: credits, available: funds.total })
  }
  let missing = credits
  for (const bucket of BUCKETS) {
    const taken = Math.min(missing, funds[bucket])
    if (taken === 0) continue
    await tx.query(
      `insert into ledger_entries (account_id, bucket, kind, credits, job_id, note) values ($1, $2, 'hold', $3, $4, $5)`,
      [accountId, bucket, taken, jobId, note],
    )
    missing -= taken
  }
}

type EntryRow = {
  id: number
  bucket: Bucket
  kind: EntryKind
  credits: number
  job_id: string | null
  note: string
  created_at: Date
}

/** The newest entries first; with `beforeId`, those older than it. */
export const listEntries = async (
  sql: Sql,
  accountId: string,
  limit: number,
  beforeId: number | null = null,
): Promise<LedgerEntry[]> => {
  const rows = await sql.query<EntryRow>(
    `select id, bucket, kind, credits, job_id, note, created_at from ledger_entries
     where account_id = $1 and ($3::bigint is null or id < $3) order by id desc limit $2`,
    [accountId, limit, beforeId],
  )
  return rows.map(({ job_id, created_at, ...row }) => ({
    ...row,
    jobId: job_id?.replaceAll('-', '') ?? null,
    createdAt: created_at,
  }))
}
