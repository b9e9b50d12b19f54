import { useState } from 'react'
import { Link } from 'wouter'
import type { Webhooks } from '../../../src/http/web/contract.ts'
import { post, query } from '../api/client.ts'
import { usePages } from '../api/use-answer.ts'
import { Button, CopyButton } from '../design/button.tsx'
import { Badge, Empty, ErrorNotice, Loading } from '../design/feedback.tsx'
import { formatNumber } from '../design/format.ts'
import { MoreButton } from '../design/more-button.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { JobLink } from './job-link.tsx'

type Delivery = Webhooks['deliveries'][number]

const STATES = {
  pending: { label: 'Pending', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'success' },
  given_up: { label: 'Given up', tone: 'danger' },
} as const

const COLUMNS: readonly Column<Delivery>[] = [
  {
    name: 'Event',
    cell: ({ event, jobId }) => (
      <div className={styles.name}>
        <code className="one-line">{event}</code>
        <JobLink id={jobId} />
      </div>
    ),
  },
  { name: 'Sent to', cell: ({ url }) => <span className={`mono ${styles.url}`}>{url}</span> },
  { name: 'State', cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge> },
  { name: 'Tries', isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
  {
    name: 'Last answer',
    cell: ({ lastStatus, lastError }) => lastError ?? lastStatus ?? '–',
  },
  {
    name: 'When',
    cell: ({ createdAt, deliveredAt, nextAttemptAt }) => (
      <div className={styles.pair}>
        <Time at={createdAt} />
        {deliveredAt && (
          <span className="small muted">
            delivered <Time at={deliveredAt} />
          </span>
        )}
        {nextAttemptAt && (
          <span className="small muted">
            next try <Time at={nextAttemptAt} />
          </span>
        )}
      </div>
    ),
  },
]

/** What was sent to the receivers of webhooks, and the secret it is signed with. */
export const WebhooksPage = () => {
  useTitle('Webhooks')
  const { pages, error, busy, loadMore, reload } = usePages<Webhooks>(
    (cursor) => `/web/webhooks${query({ limit: 25, cursor })}`,
  )
  const deliveries = pages.flatMap((page) => page.deliveries)
  return (
    <>
      <h1>Webhooks</h1>
      <p className="muted">
        A job sent with <code>webhookUrl</code> in its options tells that address when it ends.{' '}
        <Link href="/docs/webhooks">How to receive and verify webhooks</Link>
      </p>
      <Secret />
      <div className="row between">
        <h2>Deliveries</h2>
        <Button small busy={busy} onClick={reload}>
          Refresh
        </Button>
      </div>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {deliveries.length > 0 && <Table label="Deliveries" columns={COLUMNS} rows={deliveries} keyOf={({ id }) => id} />}
      {deliveries.length === 0 && error === undefined && (busy ? <Loading /> : <Empty>No deliveries yet.</Empty>)}
      <MoreButton onMore={loadMore} busy={busy} />
    </>
  )
}

/** Behind a button: a screen may be seen by more people than its reader. */
const Secret = () => {
  const [secret, setSecret] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const show = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setSecret((await post<{ secret: string }>('/web/webhook-secret')).secret)
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }
  return (
    <section className="card stack" aria-labelledby="secret">
      <div>
        <h2 id="secret">Signing secret</h2>
        <p className="muted">
          Signs the webhooks of jobs that bring no <code>webhookSecret</code> of their own. Your receiver needs it to
          tell our calls from others.
        </p>
      </div>
      {secret === undefined ? (
        <div>
          <Button busy={busy} onClick={show}>
            Show
          </Button>
        </div>
      ) : (
        <div className={styles.secret}>
          <code>{secret}</code>
          <div className="row">
            <CopyButton text={secret} />
            <Button small look="quiet" onClick={() => setSecret(undefined)}>
              Hide
            </Button>
          </div>
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </section>
  )
}
