import { useEffect } from 'react'
import { Link } from 'wouter'
import type { Credits, Keys, Me } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ButtonLink } from '../design/button.tsx'
import { Fact, Facts } from '../design/facts.tsx'
import { Badge, Empty, Loading, ProgressBar } from '../design/feedback.tsx'
import { formatBytes, formatNumber, formatTime } from '../design/format.ts'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { BUCKETS } from './buckets.ts'
import { useJobList } from './job-list.ts'
import { JobTable } from './job-table.tsx'

const LAST_JOBS = 5
const BYTES_PER_MB = 1_048_576

/** What the account has, may do and did last. */
export const OverviewPage = () => {
  useTitle('Account')
  const { me } = useSession()
  const keys = useAnswer<Keys>('/web/keys')
  if (!me?.user) return null
  const hasKey = keys.data?.keys.some(({ state }) => state === 'active')
  return (
    <>
      <h1>Account</h1>
      {hasKey === false && <FirstSteps isPro={me.entitlements.tier === 'pro'} />}
      <div className={styles.cards}>
        <CreditsCard entitlements={me.entitlements} />
        <PlanCard entitlements={me.entitlements} />
      </div>
      <LastJobs />
    </>
  )
}

const FirstSteps = ({ isPro }: { isPro: boolean }) => (
  <section className="card" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <ol className={styles.steps}>
      <li>
        <Link href="/">Try a file</Link> in the browser and see what comes out of it.
      </li>
      <li>
        <Link href="/account/keys">Make an API key</Link> for your programs. It is shown once.
      </li>
      <li>
        {isPro ? 'Send a file with it: ' : 'Ask with it what is supported and what it costs: '}
        <Link href="/docs">the documentation</Link> has the calls.
        {!isPro && ' Sending files by key needs the Pro plan.'}
      </li>
    </ol>
  </section>
)

type Entitlements = Me['entitlements']

const CreditsCard = ({ entitlements }: { entitlements: Entitlements }) => {
  const { data, error, reload } = useAnswer<Credits>('/web/credits')
  // Credits moved: what is held is asked for anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another balance, another look
  useEffect(reload, [entitlements, reload])
  const { totalCredits, planCredits, loyaltyCredits, walletCredits } = entitlements
  const held = data?.held ?? 0
  return (
    <section className="card" aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <p className={styles.figure}>
        <span className="number">{formatNumber(totalCredits)}</span> <span className="muted">to spend</span>
      </p>
      <Facts look="lines">
        <Fact name={BUCKETS.plan.label}>{formatNumber(planCredits)}</Fact>
        <Fact name={BUCKETS.loyalty.label}>{formatNumber(loyaltyCredits)}</Fact>
        <Fact name={BUCKETS.wallet.label}>{formatNumber(walletCredits)}</Fact>
        <Fact name="Held for open jobs">{formatNumber(held)}</Fact>
      </Facts>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      <Link href="/account/credits">Buckets and ledger</Link>
    </section>
  )
}

const PlanCard = ({ entitlements }: { entitlements: Entitlements }) => {
  const { planName, tier, limits, dailyLimit, dailyUsed, resetDate } = entitlements
  return (
    <section className="card" aria-labelledby="plan">
      <div className="row between">
        <h2 id="plan">Plan</h2>
        <Badge tone={tier === 'pro' ? 'accent' : undefined}>{planName}</Badge>
      </div>
      {dailyLimit !== null && resetDate !== null && (
        <div className={styles.daily}>
          <div className="row between">
            <span>
              {formatNumber(dailyUsed ?? 0)} of {formatNumber(dailyLimit)} credits used today
            </span>
          </div>
          <ProgressBar
            percent={dailyLimit === 0 ? 100 : Math.min(100, ((dailyUsed ?? 0) / dailyLimit) * 100)}
            label="Used of the daily limit"
          />
          <span className="small muted">Starts anew at {formatTime(resetDate)} (midnight UTC).</span>
        </div>
      )}
      <Facts look="lines">
        <Fact name="Largest file">{formatBytes(limits.maxFileSizeMb * BYTES_PER_MB)}</Fact>
        <Fact name="Longest recording">{formatNumber(limits.maxDurationMinutes)} minutes</Fact>
        <Fact name="Jobs at once">{formatNumber(limits.maxParallelJobs)}</Fact>
        <Fact name="Jobs waiting">up to {formatNumber(limits.maxQueuedJobs)}</Fact>
        {dailyLimit === null && <Fact name="Daily limit">none</Fact>}
        <Fact name="Jobs by API key">{tier === 'pro' ? 'yes' : 'needs Pro'}</Fact>
      </Facts>
    </section>
  )
}

const LastJobs = () => {
  const { jobs, error, reload } = useJobList({}, LAST_JOBS)
  return (
    <section className="stack" aria-labelledby="last-jobs">
      <div className="row between">
        <h2 id="last-jobs">Last jobs</h2>
        {jobs && jobs.length > 0 && (
          <ButtonLink href="/account/jobs" small>
            All jobs
          </ButtonLink>
        )}
      </div>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {!jobs && error === undefined && <Loading />}
      {jobs?.length === 0 && (
        <Empty>
          No jobs yet. <Link href="/">Send a file</Link> to begin.
        </Empty>
      )}
      {jobs && jobs.length > 0 && <JobTable jobs={jobs.slice(0, LAST_JOBS)} />}
    </section>
  )
}
