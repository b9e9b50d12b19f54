import { lazy, Suspense, useEffect, useState } from 'react'
import type { JobRecord } from '../../../src/jobs/records.ts'
import { remove } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { Loading, Notice } from '../design/feedback.tsx'
import { formatBytes, formatNumber, formatTime, toSentence } from '../design/format.ts'
import { Guard } from '../design/guard.tsx'
import { describeBilling } from './describe-billing.ts'
import { nameOutput } from './describe-phase.ts'
import { forgetProof } from './proofs.ts'
import { jobAddress, type ResultSource, zipAddress } from './results/file-address.ts'
import { StateBadge } from './state-badge.tsx'

// Most of the script is for looking at results, and comes with the first of them.
const ResultView = lazy(() => import('./results/result-view.tsx').then(({ ResultView }) => ({ default: ResultView })))

/** What came of a job that succeeded: the ZIP, and a look into it. */
export const JobResult = ({
  job,
  source,
  recording,
  onDeleted,
}: {
  job: JobRecord
  source: ResultSource
  recording?: Blob | undefined
  onDeleted(): void
}) => {
  const expiresAt = job.output?.expiresAt ?? null
  const isExpired = useIsPast(expiresAt)
  if (!job.output) return null
  const { fileCount, bytes } = job.output
  return (
    <>
      <section className="card stack" aria-label="Result">
        <div className="row between">
          <span className="row">
            <StateBadge status={job.status} />
            <span>
              {formatNumber(fileCount)} {fileCount === 1 ? 'file' : 'files'}, {formatBytes(bytes)} as a ZIP.{' '}
              {describeBilling(job)}
            </span>
          </span>
          <span className="row">
            {!isExpired && (
              <a className="button primary" href={zipAddress(source)} download={job.output.fileName}>
                Download ZIP
              </a>
            )}
            <DeleteButton source={source} onDeleted={onDeleted} />
          </span>
        </div>
        {expiresAt && !isExpired && (
          <div className="muted small">Kept until {formatTime(expiresAt)}, then deleted.</div>
        )}
        <Warnings warnings={job.warnings} />
      </section>
      {isExpired ? (
        <Notice>
          The files were deleted at the end of the time that results are kept
          {expiresAt ? `, ${formatTime(expiresAt)}` : ''}. Send the file again to have a new result.
        </Notice>
      ) : (
        <Guard words="The result cannot be shown here right now. It can still be downloaded.">
          <Suspense fallback={<Loading what="Loading the result" />}>
            <ResultView files={job.output.files} category={job.category} source={source} recording={recording} />
          </Suspense>
        </Guard>
      )}
    </>
  )
}

/** What was asked for and is not in the file. */
const Warnings = ({ warnings }: { warnings: JobRecord['warnings'] }) =>
  warnings.length > 0 && (
    <Notice tone="warning">
      <p>
        <strong>{warnings.length === 1 ? 'One thing' : `${warnings.length} things`} to know:</strong>
      </p>
      <ul>
        {warnings.map(({ code, capabilityId, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            {capabilityId && <strong>{toSentence(nameOutput(capabilityId))}: </strong>}
            {detail} <code>{code}</code>
          </li>
        ))}
      </ul>
    </Notice>
  )

/** Deletes a job that has ended, with all that is kept of it. */
export const DeleteButton = ({ source, onDeleted }: { source: ResultSource; onDeleted(): void }) => {
  const [asks, setAsks] = useState(false)
  const deleteJob = async () => {
    await remove(jobAddress(source))
    forgetProof(source.id)
    onDeleted()
  }
  return (
    <>
      <Button onClick={() => setAsks(true)}>Delete now</Button>
      {asks && (
        <Confirm
          title="Delete the job?"
          action="Delete now"
          danger
          onConfirm={deleteJob}
          onClose={() => setAsks(false)}
        >
          The result and the record of the job are deleted for good.
        </Confirm>
      )}
    </>
  )
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Whether a moment is over; turns by itself when it comes. */
const useIsPast = (iso: string | null): boolean => {
  const at = iso === null ? Number.POSITIVE_INFINITY : Date.parse(iso)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === Number.POSITIVE_INFINITY || at <= now) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(at - now + 50, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  }, [at, now])
  return at <= now
}
