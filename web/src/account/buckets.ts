import type { Credits } from '../../../src/http/web/contract.ts'

/** The buckets of credits, in words. */
export const BUCKETS: Readonly<Record<Credits['buckets'][number]['bucket'], { label: string; means: string }>> = {
  plan: { label: 'Plan', means: 'comes with the plan; spent first' },
  loyalty: { label: 'Loyalty', means: 'a bonus; spent second' },
  wallet: { label: 'Wallet', means: 'what was added to the account; spent last' },
}
