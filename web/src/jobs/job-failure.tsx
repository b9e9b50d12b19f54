import type { JobError } from '../../../src/jobs/records.ts'
import { Notice } from '../design/feedback.tsx'
import { explainFailure } from './explain-failure.ts'

/** Why a job failed, and what can be done. */
export const JobFailureNotice = ({ error }: { error: JobError }) => {
  const { what, advice } = explainFailure(error)
  const told = Object.entries(error.params).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return (
    <Notice tone="danger">
      <p>
        <strong>{what}</strong> {advice}
      </p>
      <details>
        <summary className="small">What the service said</summary>
        <p className="small">{error.detail}</p>
        <ul className="small">
          <li>
            Code <code>{error.code}</code>
          </li>
          {told.map(([name, value]) => (
            <li key={name}>
              {name} <code>{String(value)}</code>
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  )
}
