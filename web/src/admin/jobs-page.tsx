import { Link, useSearchParams } from 'wouter'
import { JOB_STATES } from '../../../src/core/job-states.ts'
import { query } from '../api/client.ts'
import { SelectField } from '../design/field.tsx'
import { STATE_CHOICES } from '../jobs/state-badge.tsx'
import { useTitle } from '../site.tsx'
import styles from './admin.module.css'
import { JobList } from './job-list.tsx'

/** The jobs of all accounts, or of one, the newest first. */
export const JobsPage = () => {
  useTitle('Jobs of all accounts')
  const [params, setParams] = useSearchParams()
  const status = JOB_STATES.find((state) => state === params.get('status')) ?? ''
  const accountId = (params.get('account') ?? '').slice(0, 40)
  return (
    <>
      <h1>{accountId ? 'Jobs of one account' : 'Jobs of all accounts'}</h1>
      <search className={styles.states} aria-label="Jobs">
        <SelectField
          label="State"
          options={STATE_CHOICES}
          value={status}
          onChange={(event) =>
            setParams(new URLSearchParams(query({ status: event.target.value, account: accountId })), { replace: true })
          }
        />
        {accountId && (
          <p className={styles.beside}>
            Account <Link href={`/admin/accounts/${accountId}`}>{accountId}</Link>.{' '}
            <Link href={`/admin/jobs${query({ status })}`}>Jobs of all accounts</Link>
          </p>
        )}
      </search>
      <JobList accountId={accountId} status={status} />
    </>
  )
}
