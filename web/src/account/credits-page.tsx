import type { Credits, Ledger } from '../../../src/http/web/contract.ts'
import { query } from '../api/client.ts'
import { useAnswer, usePages } from '../api/use-answer.ts'
import { Badge, Empty, Loading, type Tone } from '../design/feedback.tsx'
import { formatNumber, formatTime } from '../design/format.ts'
import { MoreButton } from '../design/more-button.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { BUCKETS } from './buckets.ts'
import { JobLink } from './job-link.tsx'

type Entry = Ledger['entries'][number]
type Kind = { label: string; tone?: Tone; means: string; available: -1 | 0 | 1; held: -1 | 0 | 1 }

const KINDS: Readonly<Record<Entry['kind'], Kind>> = {
  grant: { label: 'Grant', tone: 'success', means: 'credits given to the account', available: 1, held: 0 },
  hold: { label: 'Hold', tone: 'accent', means: 'set aside for a job that was sent', available: -1, held: 1 },
  capture: { label: 'Capture', means: 'the job succeeded: what was held is spent', available: 0, held: -1 },
  release: {
    label: 'Release',
    tone: 'success',
    means: 'the job failed or was canceled: what was held is given back',
    available: 1,
    held: -1,
  },
  refund: { label: 'Refund', tone: 'success', means: 'what was spent is given back', available: 1, held: 0 },
}

/** A change with its sign: `+5`, `−5`; a dash where nothing changes. */
const formatChange = (change: number): string =>
  change === 0 ? '–' : `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`

const ENTRIES: readonly Column<Entry>[] = [
  { name: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'Entry',
    cell: ({ kind }) => (
      <div className={styles.name}>
        <span>
          <Badge tone={KINDS[kind].tone}>{KINDS[kind].label}</Badge>
        </span>
        <span className="small muted">{KINDS[kind].means}</span>
      </div>
    ),
  },
  { name: 'Available', isNumber: true, cell: ({ kind, credits }) => formatChange(KINDS[kind].available * credits) },
  { name: 'Held', isNumber: true, cell: ({ kind, credits }) => formatChange(KINDS[kind].held * credits) },
  { name: 'Bucket', cell: ({ bucket }) => BUCKETS[bucket].label },
  {
    name: 'For',
    cell: ({ jobId, note }) => (
      <div className={styles.name}>
        {jobId && <JobLink id={jobId} />}
        {note && <span className="small muted">{note}</span>}
      </div>
    ),
  },
]

/** What the account has to spend, and every movement of it. */
export const CreditsPage = () => {
  useTitle('Credits')
  const credits = useAnswer<Credits>('/web/credits')
  const ledger = usePages<Ledger>((cursor) => `/web/ledger${query({ limit: 50, cursor })}`)
  const entries = ledger.pages.flatMap((page) => page.entries)
  return (
    <>
      <h1>Credits</h1>
      {credits.error !== undefined && <AnswerProblem error={credits.error} onRetry={credits.reload} />}
      {credits.data ? <Buckets credits={credits.data} /> : credits.error === undefined && <Loading />}
      <DailyNote />
      <h2>Ledger</h2>
      <p className="muted">
        Sending a job holds what it was quoted: those credits leave what is available. When the job succeeds they are
        captured, which is the one charge; when it fails or is canceled they are released and available again. The sum
        of the entries is the balance, and no entry is ever changed.
      </p>
      {ledger.error !== undefined && <AnswerProblem error={ledger.error} onRetry={ledger.reload} />}
      {entries.length > 0 && <Table label="Ledger" columns={ENTRIES} rows={entries} keyOf={({ id }) => id} />}
      {entries.length === 0 &&
        ledger.error === undefined &&
        (ledger.busy ? <Loading /> : <Empty>No entries yet.</Empty>)}
      <MoreButton onMore={ledger.loadMore} busy={ledger.busy} />
    </>
  )
}

type Bucket = Credits['buckets'][number]
const SUM = 'sum'
type Row = Omit<Bucket, 'bucket'> & { bucket: Bucket['bucket'] | typeof SUM }

const BUCKET_COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Bucket',
    cell: ({ bucket }) =>
      bucket === SUM ? (
        <strong>In all</strong>
      ) : (
        <div className={styles.name}>
          <span>{BUCKETS[bucket].label}</span>
          <span className="small muted">{BUCKETS[bucket].means}</span>
        </div>
      ),
  },
  { name: 'Available', isNumber: true, cell: ({ available }) => formatNumber(available) },
  { name: 'Held', isNumber: true, cell: ({ held }) => formatNumber(held) },
]

const Buckets = ({ credits: { buckets, available, held } }: { credits: Credits }) => (
  <Table
    label="Buckets"
    columns={BUCKET_COLUMNS}
    rows={[...buckets, { bucket: SUM, available, held }]}
    keyOf={({ bucket }) => bucket}
  />
)

const DailyNote = () => {
  const { me } = useSession()
  if (!me || me.entitlements.dailyLimit === null || me.entitlements.resetDate === null) return null
  const { dailyLimit, dailyUsed, resetDate, planName } = me.entitlements
  return (
    <p className="muted">
      The {planName} plan may spend {formatNumber(dailyLimit)} credits a day; {formatNumber(dailyUsed ?? 0)} are used
      today, and the day starts anew at {formatTime(resetDate)}. The allowance of a day enters the ledger with the first
      job of the day.
    </p>
  )
}
