import { useState } from 'react'
import { Link } from 'wouter'
import type { ApiKeyRecord, Keys } from '../../../src/http/web/contract.ts'
import { remove } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { Badge, Empty, Loading, Notice } from '../design/feedback.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'

const STATES = {
  active: { label: 'Active', tone: 'success' },
  expired: { label: 'Expired', tone: 'warning' },
  revoked: { label: 'Revoked', tone: undefined },
} as const

/** `203.0.113.7/32` is the address alone. */
const describeCidr = (cidr: string | null): string => {
  if (cidr === null) return 'any address'
  return cidr.includes(':') ? cidr.replace(/\/128$/, '') : cidr.replace(/\/32$/, '')
}

/** When a key stops, or stopped, to work. */
const End = ({ of: { state, expiresAt, revokedAt } }: { of: ApiKeyRecord }) => {
  if (revokedAt) {
    return (
      <>
        revoked <Time at={revokedAt} />
      </>
    )
  }
  if (!expiresAt) return 'does not expire'
  return (
    <>
      {state === 'expired' ? 'expired' : 'expires'} <Time at={expiresAt} />
    </>
  )
}

const COLUMNS: readonly Column<ApiKeyRecord>[] = [
  {
    name: 'Key',
    cell: ({ name, hint }) => (
      <div className={styles.name}>
        <bdi>{name}</bdi>
        <span className={`mono muted one-line`}>{hint}…</span>
      </div>
    ),
  },
  { name: 'State', cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge> },
  {
    name: 'Used from',
    cell: ({ allowedCidr }) => <span className={allowedCidr ? 'mono' : 'muted'}>{describeCidr(allowedCidr)}</span>,
  },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="never" /> },
  {
    name: 'Created',
    cell: (key) => (
      <div className={styles.pair}>
        <Time at={key.createdAt} />
        <span className="small muted">
          <End of={key} />
        </span>
      </div>
    ),
  },
]

/** The keys of the account: made, shown once, and revoked. */
export const KeysPage = () => {
  useTitle('API keys')
  const { data, error, reload } = useAnswer<Keys>('/web/keys')
  const [isMaking, setIsMaking] = useState(false)
  const [revoked, setRevoked] = useState<ApiKeyRecord>()
  const active = data?.keys.filter(({ state }) => state === 'active').reverse()
  const ended = data?.keys.filter(({ state }) => state !== 'active').reverse() ?? []
  const revoke: Column<ApiKeyRecord> = {
    name: 'Actions',
    hideName: true,
    cell: (key) => (
      <Button small look="danger" onClick={() => setRevoked(key)} aria-label={`Revoke ${key.name}`}>
        Revoke
      </Button>
    ),
  }
  return (
    <>
      <div className="row between">
        <h1>API keys</h1>
        <Button look="primary" onClick={() => setIsMaking(true)}>
          New key
        </Button>
      </div>
      <p className="muted">
        Programs send a key in the <code>X-Fast-Api-Key</code> header. Keep keys on servers: whoever has one can spend
        the credits of this account. See <Link href="/docs">the documentation</Link>.
      </p>
      <PlanNote />
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {!active && error === undefined && <Loading />}
      {active?.length === 0 && <Empty>No active key. Make one to call the service from a program.</Empty>}
      {active && active.length > 0 && (
        <div className={styles.acting}>
          <Table label="Active keys" columns={[...COLUMNS, revoke]} rows={active} keyOf={({ id }) => id} />
        </div>
      )}
      {ended.length > 0 && (
        <details>
          <summary>Revoked and expired keys ({ended.length})</summary>
          <Table label="Revoked and expired keys" columns={COLUMNS} rows={ended} keyOf={({ id }) => id} />
        </details>
      )}
      {isMaking && <NewKeyDialog onMade={reload} onClose={() => setIsMaking(false)} />}
      {revoked && (
        <Confirm
          title="Revoke this key?"
          action="Revoke the key"
          danger
          onConfirm={async () => {
            await remove(`/web/keys/${revoked.id}`)
            reload()
          }}
          onClose={() => setRevoked(undefined)}
        >
          <bdi>{revoked.name}</bdi> (<span className="mono">{revoked.hint}…</span>) stops working at once, and cannot be
          brought back.
        </Confirm>
      )}
    </>
  )
}

/** What the keys of a plan without Pro access can do. */
const PlanNote = () => {
  const { me } = useSession()
  if (!me || me.entitlements.tier === 'pro') return null
  return (
    <Notice tone="warning">
      <p>
        This account has the {me.entitlements.planName} plan. Its keys can ask what is supported, what a job would cost
        and how many credits are left. Sending files, job records and downloads by key need the Pro plan and are
        answered with <code>403 api_key.pro_required</code>.
      </p>
      <p>
        Files can be sent from <Link href="/">the first page</Link> on every plan. The operator of this service changes
        the plan; keys you make now then work for everything.
      </p>
    </Notice>
  )
}
