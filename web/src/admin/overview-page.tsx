import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../src/http/web/contract.ts'
import { Badge, Empty, Loading, Notice } from '../design/feedback.tsx'
import { formatDuration, formatNumber } from '../design/format.ts'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { explainFailure } from '../jobs/explain-failure.ts'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useTitle } from '../site.tsx'
import styles from './admin.module.css'
import { useFreshAnswer } from './use-fresh-answer.ts'

const REFRESH_MS = 5000

/** How the service is doing right now, and how it did lately. */
export const OverviewPage = () => {
  useTitle('Operate')
  const { data, error, reload } = useFreshAnswer<Overview>('/web/admin/overview', REFRESH_MS)
  return (
    <>
      <h1>Overview</h1>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading />}
      {data && <State overview={data} />}
    </>
  )
}

const State = ({ overview: { pools, workers, failures, lastDay } }: { overview: Overview }) => {
  const waiting = pools.reduce((sum, { queued }) => sum + queued, 0)
  const isServed = workers.some(({ isAlive }) => isAlive)
  return (
    <>
      {!isServed && (
        <Notice tone="danger">
          No worker is running. {waiting === 0 ? 'What is sent now will wait.' : `${countJobs(waiting)} waiting.`}
        </Notice>
      )}
      <Section title="Jobs of the last 24 hours">
        <dl className={styles.figures}>
          <Figure name="Sent" value={lastDay.submitted} />
          <Figure name="Done" value={lastDay.succeeded} />
          <Figure name="Failed" value={lastDay.failed} />
          <Figure name="Canceled" value={lastDay.canceled} />
          <Figure name="Credits earned" value={lastDay.credits} />
        </dl>
      </Section>
      <Section title="Queues">
        <Table label="Queues" columns={POOLS} rows={pools} keyOf={({ pool }) => pool} />
      </Section>
      <Section title="Workers">
        {workers.length === 0 ? (
          <Empty>No worker has been seen for a day.</Empty>
        ) : (
          <Table label="Workers" columns={WORKERS} rows={workers} keyOf={({ id }) => id} />
        )}
      </Section>
      <Section title="Failures of the last 7 days">
        {failures.length === 0 ? (
          <Empty>No job failed.</Empty>
        ) : (
          <>
            <Table
              label="Failures"
              columns={FAILURES}
              rows={failures}
              keyOf={({ code, family }) => `${code} ${family}`}
            />
            <p className={`small ${styles.after}`}>
              <Link href="/admin/jobs?status=failed">All failed jobs</Link>
            </p>
          </>
        )}
      </Section>
    </>
  )
}

const countJobs = (count: number): string => (count === 1 ? '1 job is' : `${formatNumber(count)} jobs are`)

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)

const Figure = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{formatNumber(value)}</dd>
  </div>
)

const POOLS: readonly Column<Overview['pools'][number]>[] = [
  { name: 'Pool', cell: ({ pool }) => pool },
  { name: 'Waiting', cell: ({ queued }) => formatNumber(queued), isNumber: true },
  { name: 'Running', cell: ({ running }) => formatNumber(running), isNumber: true },
  {
    name: 'Longest wait',
    cell: ({ oldestQueuedSeconds }) => (oldestQueuedSeconds === null ? '–' : formatDuration(oldestQueuedSeconds)),
    isNumber: true,
  },
]

const WORKERS: readonly Column<Overview['workers'][number]>[] = [
  {
    name: 'State',
    cell: ({ isAlive }) => <Badge tone={isAlive ? 'success' : 'danger'}>{isAlive ? 'Alive' : 'Gone'}</Badge>,
  },
  {
    name: 'Worker',
    cell: ({ host, processId }) => (
      <span className={styles.worker}>
        {host} <span className="muted">process {processId}</span>
      </span>
    ),
  },
  {
    name: 'Jobs',
    cell: ({ runningJobs, maxJobs }) => (
      <span className={styles.together}>
        {runningJobs} of {maxJobs}
      </span>
    ),
    isNumber: true,
  },
  { name: 'Pools', cell: ({ pools }) => <span className="small">{pools.join(', ')}</span> },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { name: 'Last seen', cell: ({ seenAt }) => <Time at={seenAt} /> },
]

const FAILURES: readonly Column<Overview['failures'][number]>[] = [
  {
    name: 'Failure',
    cell: ({ code }) => (
      <div className={styles.failure}>
        <code>{code}</code>
        <span className="small muted">{explainFailure({ code, detail: '' }).what}</span>
      </div>
    ),
  },
  { name: 'Family', cell: ({ family }) => family },
  { name: 'Jobs', cell: ({ count }) => formatNumber(count), isNumber: true },
  { name: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
]
