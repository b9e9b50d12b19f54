import { useCallback, useMemo, useState } from 'react'
import type { JobRecord } from '../../../src/jobs/records.ts'
import { ButtonLink } from '../design/button.tsx'
import { Notice } from '../design/feedback.tsx'
import { formatBytes, formatDuration, formatTime } from '../design/format.ts'
import { withNext } from '../session/next-path.ts'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import { sentFileOf } from '../try/draft.ts'
import { JobView } from './job-view.tsx'
import { proofOf } from './proofs.ts'

/** One job at its own address: for the member whose it is, and for the guest who made it in this browser. */
export const JobPage = ({ id }: { id: string }) => {
  const { me } = useSession()
  const [job, setJob] = useState<JobRecord>()
  const onChange = useCallback((record: JobRecord) => setJob(record), [])
  // As it was when the page was opened: a job that is deleted here is still the visitor's own.
  const proof = useMemo(() => proofOf(id), [id])
  const shown = job?.id === id ? job : undefined
  const name = shown && `${shown.fileName}.${shown.format}`
  useTitle(name ?? 'Job')
  if (me && !me.user && !proof) return <NotYours id={id} />
  return (
    <div className="stack">
      <div>
        <h1 className="file-name">{name ?? 'Job'}</h1>
        {shown && <p className="muted small">{describeJob(shown)}</p>}
      </div>
      {(me || proof) && <JobView key={id} id={id} proof={proof} recording={sentFileOf(id)} onChange={onChange} />}
      <p className="row">
        <ButtonLink href="/">Try another file</ButtonLink>
        {me?.user && (
          <ButtonLink href="/account/jobs" look="quiet">
            All jobs
          </ButtonLink>
        )}
      </p>
    </div>
  )
}

/** Neither signed in nor in possession of a proof: the service would only refuse. */
const NotYours = ({ id }: { id: string }) => (
  <div className="stack">
    <h1>Job</h1>
    <Notice>
      <p>
        This job can be seen by the account it belongs to, or in the browser it was made in, as long as its result is
        kept.
      </p>
    </Notice>
    <p className="row">
      <ButtonLink href={withNext('/sign-in', `/jobs/${id}`)} look="primary">
        Sign in
      </ButtonLink>
      <ButtonLink href="/">Try a file</ButtonLink>
    </p>
  </div>
)

/** What is known of the source; what could not be measured is zero, and no news. */
const describeJob = ({ metrics, createdAt, workflow }: JobRecord): string => {
  const { inputBytes, durationSeconds, pageCount, slideCount, sheetCount } = metrics
  const counts = [
    [pageCount, 'page'],
    [slideCount, 'slide'],
    [sheetCount, 'sheet'],
  ] as const
  return [
    ...(workflow === 'transcribe' ? ['transcript only'] : []),
    formatBytes(inputBytes),
    ...(durationSeconds ? [formatDuration(durationSeconds)] : []),
    ...counts.flatMap(([count, unit]) => (count ? [`${count} ${unit}${count === 1 ? '' : 's'}`] : [])),
    `sent ${formatTime(createdAt)}`,
  ].join(' · ')
}
