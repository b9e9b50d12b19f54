import { Link } from 'wouter'
import type { Me } from '../../../src/http/web/contract.ts'
import { formatCredits, formatNumber, formatTime } from '../design/format.ts'

type Entitlements = Me['entitlements']

/** What can be spent now: of the account, and of the day where it has a limit. */
export const creditsLeft = ({ totalCredits, dailyLimit, dailyUsed }: Entitlements): number =>
  dailyLimit === null ? totalCredits : Math.max(0, Math.min(totalCredits, dailyLimit - (dailyUsed ?? 0)))

/** `12 of 20 credits left today, anew at …`, or what the account has. */
export const describeLeft = (entitlements: Entitlements): string => {
  const { dailyLimit, resetDate } = entitlements
  const left = creditsLeft(entitlements)
  if (dailyLimit === null) return `${formatCredits(left)} left`
  const anew = resetDate === null ? '' : `, anew at ${formatTime(resetDate)}`
  return `${formatNumber(left)} of ${formatCredits(dailyLimit)} left today${anew}`
}

/** What the visitor may do, and for how long it is kept. */
export const Allowance = ({ me }: { me: Me }) => {
  const { maxFileSizeMb, maxDurationMinutes } = me.entitlements.limits
  return (
    <div className="muted small">
      <p>
        {describeLeft(me.entitlements)}. Files up to {formatNumber(maxFileSizeMb)} MB, recordings up to{' '}
        {formatNumber(maxDurationMinutes)} minutes. The file and the result are deleted{' '}
        {formatNumber(me.retentionMinutes)} minutes after the end of the job, or when you delete them.
      </p>
      {!me.user && (
        <p>
          You are here as a guest, and share these credits with others on your network.{' '}
          {me.signUpOpen ? <Link href="/sign-up">Sign up</Link> : <Link href="/sign-in">Sign in</Link>} to have your own
          and to keep a list of your jobs.
        </p>
      )}
    </div>
  )
}
