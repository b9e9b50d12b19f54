/** What an account may do. The numbers are defaults; an operator overrides them in the configuration. */
export type PlanId = 'guest' | 'free' | 'pro'
export type AccountPlan = {
  id: PlanId
  name: string
  accessDisplayName: string
  maxFileSizeMb: number
  maxDurationMinutes: number
  maxQueuedJobs: number
  maxParallelJobs: number
  /** Credits a day; null where there is no daily limit. */
  dailyCredits: number | null
}
export type AccountPlans = Readonly<Record<PlanId, AccountPlan>>

export const PLAN_IDS = ['guest', 'free', 'pro'] as const satisfies readonly PlanId[]

export const DEFAULT_PLANS: AccountPlans = {
  guest: {
    id: 'guest',
    name: 'Guest',
    accessDisplayName: 'Guest access',
    maxFileSizeMb: 50,
    maxDurationMinutes: 10,
    maxQueuedJobs: 10,
    maxParallelJobs: 1,
    dailyCredits: 20,
  },
  free: {
    id: 'free',
    name: 'Free',
    accessDisplayName: 'Free access',
    maxFileSizeMb: 50,
    maxDurationMinutes: 10,
    maxQueuedJobs: 50,
    maxParallelJobs: 2,
    dailyCredits: 100,
  },
  pro: {
    id: 'pro',
    name: 'Pro',
    accessDisplayName: 'Pro access',
    maxFileSizeMb: 1024,
    maxDurationMinutes: 300,
    maxQueuedJobs: 1000,
    maxParallelJobs: 6,
    dailyCredits: null,
  },
}
