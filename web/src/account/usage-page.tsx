import { useSearchParams } from 'wouter'
import type { Usage } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Empty, Loading } from '../design/feedback.tsx'
import { formatCredits, formatNumber } from '../design/format.ts'
import { type Column, Table } from '../design/table.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { formatDay, UsageChart } from './usage-chart.tsx'

const SPANS = [7, 30, 90]
const DEFAULT_SPAN = 30

type Day = Usage['days'][number]
type Format = Usage['formats'][number]
type Use = Pick<Day, 'jobs' | 'succeeded' | 'credits'>

const USE_COLUMNS: readonly Column<Use>[] = [
  { name: 'Jobs', isNumber: true, cell: ({ jobs }) => formatNumber(jobs) },
  { name: 'Succeeded', isNumber: true, cell: ({ succeeded }) => formatNumber(succeeded) },
  { name: 'Credits', isNumber: true, cell: ({ credits }) => formatNumber(credits) },
]
const DAY_COLUMNS: readonly Column<Day>[] = [
  { name: 'Day (UTC)', cell: ({ date }) => <time dateTime={date}>{formatDay(date)}</time> },
  ...USE_COLUMNS,
]
const FORMAT_COLUMNS: readonly Column<Format>[] = [{ name: 'Format', cell: ({ format }) => format }, ...USE_COLUMNS]

/** What was sent and spent, by day and by format. */
export const UsagePage = () => {
  useTitle('Usage')
  const [params, setParams] = useSearchParams()
  const asked = Number(params.get('days'))
  const span = SPANS.includes(asked) ? asked : DEFAULT_SPAN
  const { data, error, reload } = useAnswer<Usage>(`/web/usage?days=${span}`)
  return (
    <>
      <div className="row between">
        <h1>Usage</h1>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and say no more */}
        <div className="row" role="group" aria-label="Span">
          {SPANS.map((days) => (
            <Button
              key={days}
              small
              {...(days === span ? { look: 'primary' as const } : {})}
              aria-pressed={days === span}
              onClick={() => setParams({ days: String(days) }, { replace: true })}
            >
              {days} days
            </Button>
          ))}
        </div>
      </div>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {data ? <Tables usage={data} span={span} /> : error === undefined && <Loading />}
    </>
  )
}

const Tables = ({ usage: { days, formats }, span }: { usage: Usage; span: number }) => {
  const sum = (field: keyof Use) => days.reduce((total, day) => total + day[field], 0)
  const [jobs, succeeded, credits] = [sum('jobs'), sum('succeeded'), sum('credits')]
  const summary = `${formatCredits(credits)} for ${formatNumber(jobs)} ${jobs === 1 ? 'job' : 'jobs'} in the last ${span} days`
  return (
    <>
      <p>
        {summary}, {formatNumber(succeeded)} of them succeeded.{' '}
        <span className="muted">
          A job counts on the day it was sent, with what it cost in the end; what failed or was canceled cost nothing.
        </span>
      </p>
      <UsageChart days={days} summary={summary} />
      <h2>By format</h2>
      {formats.length === 0 ? (
        <Empty>Nothing was sent in these days.</Empty>
      ) : (
        <Table label="Usage by format" columns={FORMAT_COLUMNS} rows={formats} keyOf={({ format }) => format} />
      )}
      <h2>By day</h2>
      <div className={styles.tall}>
        <Table label="Usage by day" columns={DAY_COLUMNS} rows={days.toReversed()} keyOf={({ date }) => date} />
      </div>
    </>
  )
}
