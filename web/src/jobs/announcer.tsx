import type { JobRecord } from '../../../src/jobs/records.ts'
import { explainFailure } from './explain-failure.ts'

/** Tells those who listen how a job goes: each state once, and each quarter of the way. */
export const Announcer = ({ job }: { job: JobRecord | undefined }) => (
  <p className="visually-hidden" role="status">
    {job ? announce(job) : ''}
  </p>
)

const announce = ({ status, progress, output, error }: JobRecord): string => {
  switch (status) {
    case 'queued':
      return 'The job is waiting.'
    case 'running': {
      const quarter = Math.floor(progress.percent / 25) * 25
      return quarter === 0 ? 'The job is running.' : `${quarter} percent done.`
    }
    case 'succeeded':
      return `The job is done. ${output?.fileCount ?? 0} files.`
    case 'failed':
      return `The job failed. ${error ? explainFailure(error).what : ''}`
    case 'canceled':
      return 'The job was canceled.'
  }
}
