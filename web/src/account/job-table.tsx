import { useState } from 'react'
import { Link } from 'wouter'
import { post, remove } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { formatCredits, formatDuration, formatNumber } from '../design/format.ts'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { explainFailure } from '../jobs/explain-failure.ts'
import { StateBadge } from '../jobs/state-badge.tsx'
import styles from './account.module.css'
import { isOpen, type Job } from './job-list.ts'

/** What became of the credits of a job. */
const describeCost = ({ billing, metrics: { quotedCredits, chargedCredits, refundedCredits } }: Job): string => {
  switch (billing) {
    case 'held':
      return `${formatNumber(quotedCredits)} held`
    case 'charged':
      return `${formatNumber(chargedCredits)} charged`
    case 'refunded':
      return `${formatNumber(refundedCredits)} refunded`
    case 'released':
      return `${formatNumber(quotedCredits)} given back`
  }
}

/** How long it ran, or how long it is running; nothing while it waits. */
const describeDuration = ({ startedAt, finishedAt }: Job): string | undefined => {
  if (startedAt === null) return undefined
  const end = finishedAt === null ? Date.now() : Date.parse(finishedAt)
  const seconds = Math.max(0, end - Date.parse(startedAt)) / 1000
  const text = seconds < 1 ? 'under 1 s' : formatDuration(seconds)
  return finishedAt === null ? `for ${text}` : `took ${text}`
}

const isDownloadable = ({ output }: Job): boolean =>
  output !== null && (output.expiresAt === null || Date.parse(output.expiresAt) > Date.now())

const nameOf = ({ fileName, format }: Job): string => `${fileName}.${format}`

const State = ({ job }: { job: Job }) => (
  <div className={styles.state}>
    <StateBadge status={job.status} />
    {job.status === 'running' && <span className="small muted">{job.progress.percent}%</span>}
    {job.queue && <span className="small muted">place {job.queue.position}</span>}
  </div>
)

const Failure = ({ error }: { error: NonNullable<Job['error']> }) => {
  const { what, advice } = explainFailure(error)
  return (
    <p className={`small ${styles.failure}`}>
      {what} <span className="muted">{advice}</span>{' '}
      <code title={`${what} ${advice} Nothing was charged.`}>{error.code}</code>
    </p>
  )
}

const FILE: Column<Job> = {
  name: 'File',
  cell: (job) => (
    <div className={styles.file}>
      <Link href={`/jobs/${job.id}`} className="file-name">
        <bdi>{nameOf(job)}</bdi>
      </Link>
      {job.error && <Failure error={job.error} />}
    </div>
  ),
}
const COLUMNS: readonly Column<Job>[] = [
  { name: 'State', cell: (job) => <State job={job} /> },
  FILE,
  { name: 'Format', cell: ({ format, workflow }) => (workflow === 'extract' ? format : `${format}, transcript`) },
  {
    name: 'Credits',
    cell: (job) => (
      <span className="one-line" title={`Quoted: ${formatCredits(job.metrics.quotedCredits)}`}>
        {describeCost(job)}
      </span>
    ),
  },
  {
    name: 'Sent',
    cell: (job) => (
      <div className={styles.pair}>
        <Time at={job.createdAt} />
        <span className="small muted">{describeDuration(job)}</span>
      </div>
    ),
  },
]

type Asked = { job: Job; what: 'cancel' | 'delete' }

/** Jobs with their state and cost; with `onChange`, also what can be done with each. */
export const JobTable = ({ jobs, onChange }: { jobs: readonly Job[]; onChange?: () => unknown }) => {
  const [asked, setAsked] = useState<Asked>()
  const actions: Column<Job> = {
    name: 'Actions',
    hideName: true,
    cell: (job) => <Actions job={job} onAsk={(what) => setAsked({ job, what })} />,
  }
  return (
    <>
      <div className={onChange && styles.acting}>
        <Table label="Jobs" columns={onChange ? [...COLUMNS, actions] : COLUMNS} rows={jobs} keyOf={({ id }) => id} />
      </div>
      {asked && onChange && <Question {...asked} onDone={onChange} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const Actions = ({ job, onAsk }: { job: Job; onAsk: (what: Asked['what']) => void }) => {
  const name = nameOf(job)
  return (
    <div className={styles.actions}>
      {isDownloadable(job) && (
        <a className="button small" href={`/extract/job/${job.id}/download`} download aria-label={`Download ${name}`}>
          Download
        </a>
      )}
      {isOpen(job) ? (
        <Button small onClick={() => onAsk('cancel')} aria-label={`Cancel ${name}`}>
          Cancel
        </Button>
      ) : (
        <Button small look="quiet" onClick={() => onAsk('delete')} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      )}
    </div>
  )
}

const Question = ({ job, what, onDone, onClose }: Asked & { onDone: () => unknown; onClose: () => void }) => {
  const path = `/web/jobs/${job.id}`
  const name = <bdi className="file-name">{nameOf(job)}</bdi>
  if (what === 'cancel') {
    return (
      <Confirm
        title="Cancel this job?"
        action="Cancel the job"
        danger
        onConfirm={async () => {
          await post(`${path}/cancel`)
          await onDone()
        }}
        onClose={onClose}
      >
        {name} stops at once, and the {formatCredits(job.metrics.quotedCredits)} held for it are given back.
      </Confirm>
    )
  }
  return (
    <Confirm
      title="Delete this job?"
      action="Delete the job"
      danger
      onConfirm={async () => {
        await remove(path)
        await onDone()
      }}
      onClose={onClose}
    >
      The record and the result of {name} are deleted for good. What it cost stays in the ledger.
    </Confirm>
  )
}
