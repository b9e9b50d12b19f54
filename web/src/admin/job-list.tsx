import { useState } from 'react'
import { Link } from 'wouter'
import type { AdminJob, AdminJobs } from '../../../src/http/web/contract.ts'
import { query } from '../api/client.ts'
import { usePages } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Empty, Loading } from '../design/feedback.tsx'
import { formatNumber } from '../design/format.ts'
import { MoreButton } from '../design/more-button.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { StateBadge } from '../jobs/state-badge.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import styles from './admin.module.css'
import { JobDialog } from './job-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

type Asked = { job: AdminJob; what: 'details' | 'refund' }

/** Jobs with what an operator can do: look closer, and give credits back. */
export const JobList = ({
  accountId,
  status,
  onRefund,
}: {
  accountId: string
  status: string
  onRefund?: () => void
}) => {
  const [asked, setAsked] = useState<Asked>()
  const [refunded, setRefunded] = useState<ReadonlyMap<string, AdminJob>>(new Map())
  const { pages, error, busy, loadMore, reload } = usePages<AdminJobs>(
    (cursor) => `/web/admin/jobs${query({ status, accountId, cursor })}`,
  )
  // The row changes in place: the list keeps its length and the reader their place.
  const jobs = pages.flatMap((page) => page.jobs).map((job) => refunded.get(job.record.id) ?? job)
  const take = (job: AdminJob) => {
    setRefunded((before) => new Map(before).set(job.record.id, job))
    onRefund?.()
  }
  const actions: Column<AdminJob> = {
    name: 'Actions',
    hideName: true,
    cell: (job) => (
      <div className={styles.actions}>
        <Button small onClick={() => setAsked({ job, what: 'details' })} aria-label={`Details of ${nameOf(job)}`}>
          Details
        </Button>
        {job.record.billing === 'charged' && (
          <Button small onClick={() => setAsked({ job, what: 'refund' })} aria-label={`Refund ${nameOf(job)}`}>
            Refund
          </Button>
        )}
      </div>
    ),
  }
  return (
    <>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {jobs.length > 0 && (
        <Table
          label="Jobs"
          columns={[...COLUMNS.filter(({ name }) => !accountId || name !== 'Account'), actions]}
          rows={jobs}
          keyOf={({ record }) => record.id}
        />
      )}
      {jobs.length === 0 && busy && <Loading />}
      {jobs.length === 0 && !busy && error === undefined && <Empty>No jobs.</Empty>}
      <div className="row">
        <MoreButton onMore={loadMore} busy={busy} />
        {jobs.length > 0 && (
          <Button look="quiet" onClick={reload}>
            Look again
          </Button>
        )}
      </div>
      {asked?.what === 'details' && <JobDialog job={asked.job} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'refund' && <RefundDialog job={asked.job} onDone={take} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const nameOf = ({ record }: AdminJob): string => `${record.fileName}.${record.format}`

const describeCredits = ({ record: { billing, metrics } }: AdminJob): string => {
  const credits = { held: metrics.quotedCredits, charged: metrics.chargedCredits, refunded: metrics.refundedCredits }
  return billing === 'released' ? '–' : `${formatNumber(credits[billing])} ${billing}`
}

const COLUMNS: readonly Column<AdminJob>[] = [
  { name: 'State', cell: ({ record }) => <StateBadge status={record.status} /> },
  {
    name: 'File',
    cell: (job) => (
      <div className={styles.failure}>
        <bdi className="file-name">{nameOf(job)}</bdi>
        {job.record.error && <code className="small">{job.record.error.code}</code>}
      </div>
    ),
  },
  {
    name: 'Account',
    cell: ({ accountId, accountName }) => (
      <Link href={`/admin/accounts/${accountId}`} className={styles.account}>
        <bdi>{accountName || 'no name'}</bdi>
      </Link>
    ),
  },
  { name: 'Credits', cell: (job) => <span className={styles.together}>{describeCredits(job)}</span> },
  { name: 'Sent', cell: ({ record }) => <Time at={record.createdAt} /> },
]
