import { useState } from 'react'
import { Link } from 'wouter'
import type { AdminAccount } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { CopyButton } from '../design/button.tsx'
import { Fact, Facts } from '../design/facts.tsx'
import { Badge, Loading } from '../design/feedback.tsx'
import { formatNumber } from '../design/format.ts'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './admin.module.css'
import { GrantForm } from './grant-form.tsx'
import { JobList } from './job-list.tsx'
import { PlanForm } from './plan-form.tsx'

/** One account: what it has, what can be done for it, and its jobs. */
export const AccountPage = ({ id }: { id: string }) => {
  useTitle('Account')
  const { refresh } = useSession()
  const { data, error, reload } = useAnswer<AdminAccount>(`/web/admin/accounts/${encodeURIComponent(id)}`)
  // What a change answers with is newer than what the page began with.
  const [changed, setChanged] = useState<AdminAccount>()
  const account = changed ?? data
  const take = (next: AdminAccount) => {
    setChanged(next)
    // It may be the operator's own.
    refresh()
  }
  const lookAgain = () => {
    setChanged(undefined)
    reload()
    refresh()
  }
  return (
    <>
      <p className="small">
        <Link href="/admin/accounts">Accounts</Link>
      </p>
      {!account && <h1>Account</h1>}
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {!account && error === undefined && <Loading />}
      {account && (
        <>
          <h1 className={styles.title}>
            <bdi>{account.name || 'no name'}</bdi> {account.isAdmin && <Badge tone="accent">Operator</Badge>}
          </h1>
          <AccountFacts account={account} />
          <div className={styles.forms}>
            <GrantForm account={account} onDone={take} />
            <PlanForm account={account} onDone={take} />
          </div>
          <section className="stack">
            <div className="row between">
              <h2>Jobs</h2>
              <Link href={`/admin/jobs?account=${account.id}`} className="small">
                Choose by state
              </Link>
            </div>
            <JobList accountId={account.id} status="" onRefund={lookAgain} />
          </section>
        </>
      )}
    </>
  )
}

const AccountFacts = ({ account }: { account: AdminAccount }) => (
  <Facts look="card">
    <Fact name="Id">
      <span className="mono">{account.id}</span> <CopyButton text={account.id} label="Copy the id" />
    </Fact>
    <Fact name="E-mail">{account.emails.join(', ') || '–'}</Fact>
    <Fact name="Plan">{account.plan}</Fact>
    <Fact name="Credits">
      {formatNumber(account.available)} to spend, {formatNumber(account.held)} held
    </Fact>
    <Fact name="Active keys">{formatNumber(account.activeKeys)}</Fact>
    <Fact name="Jobs">{formatNumber(account.jobs)}</Fact>
    <Fact name="Last job">
      <Time at={account.lastJobAt} />
    </Fact>
    <Fact name="Opened">
      <Time at={account.createdAt} />
    </Fact>
  </Facts>
)
