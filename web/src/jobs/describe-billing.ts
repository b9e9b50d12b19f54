import type { JobRecord } from '../../../src/jobs/records.ts'
import { formatCredits } from '../design/format.ts'

/** What became of the credits of a job, in a sentence. */
export const describeBilling = ({ billing, metrics }: Pick<JobRecord, 'billing' | 'metrics'>): string => {
  const { quotedCredits, chargedCredits, refundedCredits } = metrics
  switch (billing) {
    case 'held':
      return `${formatCredits(quotedCredits)} held, charged only if it succeeds.`
    case 'charged':
      return `${formatCredits(chargedCredits)} charged.`
    case 'released':
      return `Nothing was charged; ${formatCredits(quotedCredits)} given back.`
    case 'refunded':
      return `${formatCredits(refundedCredits)} refunded.`
  }
}
