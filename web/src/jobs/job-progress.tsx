import { useEffect, useState } from 'react'
import type { JobRecord } from '../../../src/jobs/records.ts'
import { post, query } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { Notice, ProgressBar } from '../design/feedback.tsx'
import { formatDuration } from '../design/format.ts'
import { describeBilling } from './describe-billing.ts'
import { describePhase } from './describe-phase.ts'
import { StateBadge } from './state-badge.tsx'

/** A job that waits or runs. */
export const JobProgress = ({
  job,
  proof,
  isOffline,
}: {
  job: JobRecord
  proof: string | undefined
  isOffline: boolean
}) => {
  const [asks, setAsks] = useState(false)
  const [isCanceling, setIsCanceling] = useState(false)
  const elapsedSeconds = useElapsedSeconds(job.startedAt ?? job.createdAt)
  const cancel = async () => {
    await post(`/web/jobs/${job.id}/cancel${query({ proof })}`)
    setIsCanceling(true)
  }
  const { percent, phase } = job.progress
  const isQueued = job.status === 'queued'
  return (
    <section className="card stack" aria-label="Progress">
      <div className="row between">
        <span className="row">
          <StateBadge status={job.status} />
          <span>{isCanceling ? 'Canceling' : isQueued ? describeQueue(job) : describePhase(phase)}</span>
        </span>
        <span className="muted small number">
          {!isQueued && `${percent}% · `}
          {formatDuration(elapsedSeconds)} {isQueued ? 'waiting' : 'running'}
        </span>
      </div>
      <ProgressBar percent={percent} label={`Progress of ${job.fileName}.${job.format}`} />
      {isOffline && <Notice tone="warning">The connection is lost. The job goes on; trying to reach it again.</Notice>}
      <div className="row between">
        <span className="muted small">{describeBilling(job)}</span>
        <Button small onClick={() => setAsks(true)} disabled={isCanceling}>
          Cancel the job
        </Button>
      </div>
      {asks && (
        <Confirm
          title="Cancel the job?"
          action="Cancel the job"
          danger
          onConfirm={cancel}
          onClose={() => setAsks(false)}
        >
          The work so far is thrown away, and nothing is charged.
        </Confirm>
      )}
    </section>
  )
}

const describeQueue = ({ queue }: JobRecord): string => {
  if (!queue) return 'In the queue'
  return queue.position === 1 ? 'Next in the queue' : `Number ${queue.position} in the queue`
}

/** Seconds since a moment, counted on. The clocks of the service and of this machine may differ a little. */
const useElapsedSeconds = (since: string): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - Date.parse(since)) / 1000))
}
