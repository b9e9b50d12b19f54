import { toUuid } from '../core/ids.ts'
import type { AccountPlan } from '../core/plans.ts'
import type { Sql } from '../storage/database.ts'
import { allowanceDue, readBalance, readDailyUse } from './ledger.ts'

/** Credits and limits of an account: both shapes of the contract in one object. */
export const readEntitlements = async (
  sql: Sql,
  { accountId, userId }: { accountId: string; userId: string },
  plan: AccountPlan,
) => {
  const balance = await readBalance(sql, accountId)
  const daily = plan.dailyCredits === null ? null : await readDailyUse(sql, accountId, plan.dailyCredits)
  // The day's allowance enters the ledger with the day's first job; until then it is already there to be spent.
  const planCredits = balance.plan + (daily ? allowanceDue(plan, balance, daily) : 0)
  const total = planCredits + balance.loyalty + balance.wallet
  return {
    userId: toUuid(userId.replaceAll('-', '')),
    organizationId: toUuid(accountId.replaceAll('-', '')),
    planId: plan.id,
    planName: plan.name,
    accessDisplayName: plan.accessDisplayName,
    totalCredits: total,
    planCredits,
    loyaltyCredits: balance.loyalty,
    walletCredits: balance.wallet,
    source: 'quarry',
    tier: plan.id,
    dailyLimit: daily?.dailyLimit ?? null,
    dailyUsed: daily?.dailyUsed ?? null,
    resetDate: daily?.resetDate ?? null,
    service: 'extract',
    credits: { available: total, isUnlimited: false },
    limits: {
      maxFileSizeMb: plan.maxFileSizeMb,
      maxDurationMinutes: plan.maxDurationMinutes,
      maxQueuedJobs: plan.maxQueuedJobs,
      maxParallelJobs: plan.maxParallelJobs,
    },
  }
}

export type Entitlements = Awaited<ReturnType<typeof readEntitlements>>
