import { useEffect, useMemo, useRef, useState } from 'react'
import { isTerminal } from '../../../src/core/job-states.ts'
import type { JobRecord } from '../../../src/jobs/records.ts'
import { ErrorNotice, Loading, Notice } from '../design/feedback.tsx'
import { useSession } from '../session/session.tsx'
import { Announcer } from './announcer.tsx'
import { describeBilling } from './describe-billing.ts'
import { JobFailureNotice } from './job-failure.tsx'
import { JobProgress } from './job-progress.tsx'
import { DeleteButton, JobResult } from './job-result.tsx'
import { StateBadge } from './state-badge.tsx'
import { useJob } from './watch-job.ts'

export type JobViewProps = {
  id: string
  /** What proves that a guest owns the job. */
  proof?: string | undefined
  /** The file that was sent, where it is at hand: its sound plays along with the transcript. */
  recording?: Blob | undefined
  /** Told the record once, when the job has ended. */
  onEnd?: ((job: JobRecord) => void) | undefined
  /** Told the record at each change. */
  onChange?: ((job: JobRecord) => void) | undefined
  /** Told when the visitor has deleted the job. */
  onDeleted?: (() => void) | undefined
}

/** A job as it goes, and what came of it. */
export const JobView = ({ id, proof, recording, onEnd, onChange, onDeleted }: JobViewProps) => {
  const { job, error, isOffline } = useJob(id, proof)
  const [deletedId, setDeletedId] = useState<string>()
  const source = useMemo(() => ({ id, proof }), [id, proof])
  useTellings(job, onEnd, onChange)
  if (deletedId === id) return <Notice tone="success">The job and all its files were deleted.</Notice>
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!job) {
    return isOffline ? (
      <Notice tone="warning">The service cannot be reached. Trying again.</Notice>
    ) : (
      <Loading what="Loading the job" />
    )
  }
  const setDeleted = () => {
    setDeletedId(id)
    onDeleted?.()
  }
  return (
    <div className="stack">
      <Announcer job={job} />
      {(job.status === 'queued' || job.status === 'running') && (
        <JobProgress key={id} job={job} proof={proof} isOffline={isOffline} />
      )}
      {job.status === 'succeeded' && (
        <JobResult key={id} job={job} source={source} recording={recording} onDeleted={setDeleted} />
      )}
      {(job.status === 'failed' || job.status === 'canceled') && (
        <section className="card stack" aria-label="Result">
          <div className="row between">
            <span className="row">
              <StateBadge status={job.status} />
              <span>{describeBilling(job)}</span>
            </span>
            <DeleteButton source={source} onDeleted={setDeleted} />
          </div>
          {job.error && <JobFailureNotice error={job.error} />}
        </section>
      )}
    </div>
  )
}

/** Tells of each record, and once of the end; what may be spent has changed then. */
const useTellings = (job: JobRecord | undefined, onEnd: JobViewProps['onEnd'], onChange: JobViewProps['onChange']) => {
  const { refresh } = useSession()
  const told = useRef<string>(undefined)
  // How the page hears of it may change with every rendering; that is no news of the job.
  const listeners = useRef({ onEnd, onChange, refresh })
  useEffect(() => {
    listeners.current = { onEnd, onChange, refresh }
  })
  useEffect(() => {
    if (!job) return
    listeners.current.onChange?.(job)
    if (!isTerminal(job.status) || told.current === job.id) return
    told.current = job.id
    listeners.current.refresh()
    listeners.current.onEnd?.(job)
  }, [job])
}
