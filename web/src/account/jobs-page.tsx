import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button, ButtonLink } from '../design/button.tsx'
import { Empty, Loading } from '../design/feedback.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { MoreButton } from '../design/more-button.tsx'
import { STATE_CHOICES } from '../jobs/state-badge.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { isOpen, type JobFilter, useJobList } from './job-list.ts'
import { JobTable } from './job-table.tsx'

const SETTLE_MS = 300

/** A filter as the address holds it; what the service would refuse is left out. */
const readFilter = (params: URLSearchParams): Required<JobFilter> => {
  const status = params.get('status') ?? ''
  return {
    status: STATE_CHOICES.some(({ value }) => value === status) ? status : '',
    format: (params.get('format') ?? '').slice(0, 20),
    name: (params.get('name') ?? '').slice(0, 200),
  }
}

const toFormat = (text: string): string => text.trim().toLowerCase().replace(/^\./, '')

/** All jobs of the account, to be searched and acted on. */
export const JobsPage = () => {
  useTitle('Jobs')
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  const { jobs, error, busy, loadMore, reload } = useJobList(filter)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const change = (part: JobFilter) =>
    setParams((before) => Object.entries({ ...readFilter(before), ...part }).filter(([, value]) => value !== ''), {
      replace: true,
    })
  return (
    <>
      <div className="row between">
        <h1>Jobs</h1>
        <ButtonLink href="/" small>
          New job
        </ButtonLink>
      </div>
      <search className={styles.filter} aria-label="Jobs">
        <SelectField
          label="State"
          options={STATE_CHOICES}
          value={filter.status}
          onChange={(event) => change({ status: event.target.value })}
        />
        <SettledField
          label="Format"
          placeholder="pdf"
          maxLength={20}
          value={filter.format}
          normalize={toFormat}
          onSettle={(format) => change({ format })}
        />
        <SettledField
          label="Name"
          placeholder="part of the file name"
          maxLength={200}
          value={filter.name}
          normalize={(text) => text.trim()}
          onSettle={(name) => change({ name })}
        />
      </search>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {jobs === undefined && error === undefined && <Loading />}
      {jobs?.length === 0 &&
        (isFiltered ? (
          <div className="card row between">
            <span className="muted">No job is like that.</span>
            <Button small onClick={() => change({ status: '', format: '', name: '' })}>
              Show all
            </Button>
          </div>
        ) : (
          <Empty>No jobs yet. What you send from the first page or by API key is listed here.</Empty>
        ))}
      {jobs && (
        <p className="visually-hidden" role="status">
          {jobs.length} shown, {jobs.filter(isOpen).length} of them waiting or running
        </p>
      )}
      {jobs && jobs.length > 0 && <JobTable jobs={jobs} onChange={reload} />}
      <MoreButton onMore={loadMore} busy={busy} />
    </>
  )
}

/** A field whose text counts when the typing pauses. */
const SettledField = ({
  value,
  normalize,
  onSettle,
  ...field
}: {
  label: string
  placeholder: string
  maxLength: number
  value: string
  normalize: (text: string) => string
  onSettle: (text: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  const [settled, setSettled] = useState(value)
  // The address may change from outside: back, or "Show all".
  if (value !== settled) {
    setSettled(value)
    if (normalize(typed) !== value) setTyped(value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the clock
  useEffect(() => {
    if (normalize(typed) === value) return
    const timer = setTimeout(() => onSettle(normalize(typed)), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextField
      {...field}
      type="search"
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
