import type { FormEvent } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { AdminAccount, AdminAccounts } from '../../../src/http/web/contract.ts'
import { query } from '../api/client.ts'
import { usePages } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Badge, Empty, Loading } from '../design/feedback.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { formatNumber } from '../design/format.ts'
import { MoreButton } from '../design/more-button.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { useTitle } from '../site.tsx'
import styles from './admin.module.css'

const PLANS = [
  { value: '', label: 'All' },
  { value: 'members', label: 'Without guests' },
  { value: 'pro', label: 'Pro' },
  { value: 'free', label: 'Free' },
  { value: 'guest', label: 'Guests' },
]

/** Every account, to be found by name, e-mail address or id. */
export const AccountsPage = () => {
  useTitle('Accounts')
  const [params, setParams] = useSearchParams()
  const search = (params.get('search') ?? '').slice(0, 200)
  const plan = PLANS.find(({ value }) => value === params.get('plan'))?.value ?? ''
  const { pages, error, busy, loadMore, reload } = usePages<AdminAccounts>(
    (cursor) => `/web/admin/accounts${query({ search, plan, cursor })}`,
  )
  const change = (next: { search?: string; plan?: string }) =>
    setParams(new URLSearchParams(query({ search, plan, ...next })), { replace: true })
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change({ search: String(new FormData(event.currentTarget).get('search') ?? '').trim() })
  }
  const accounts = pages.flatMap((page) => page.accounts)
  return (
    <>
      <h1>Accounts</h1>
      <search aria-label="Accounts">
        <form className={styles.filter} onSubmit={find}>
          <TextField
            // Begins anew when the address changes from outside, with the back button for example.
            key={search}
            label="Name, e-mail address or id"
            name="search"
            type="search"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            defaultValue={search}
          />
          <SelectField
            label="Plan"
            options={PLANS}
            value={plan}
            onChange={(event) => change({ plan: event.target.value })}
          />
          <Button type="submit">Search</Button>
        </form>
      </search>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {accounts.length > 0 && <Table label="Accounts" columns={COLUMNS} rows={accounts} keyOf={({ id }) => id} />}
      {accounts.length === 0 && busy && <Loading />}
      {accounts.length === 0 && !busy && error === undefined && <Empty>No account is like that.</Empty>}
      <MoreButton onMore={loadMore} busy={busy} />
    </>
  )
}

const COLUMNS: readonly Column<AdminAccount>[] = [
  {
    name: 'Account',
    cell: ({ id, name, isAdmin, emails }) => (
      <div className={styles.name}>
        <Link href={`/admin/accounts/${id}`}>
          <bdi>{name || 'no name'}</bdi>
        </Link>
        {isAdmin && <Badge tone="accent">Operator</Badge>}
        {emails.length > 0 ? (
          <span className="small muted">{emails.join(', ')}</span>
        ) : (
          // Guests have neither a name of their own nor an address.
          <span className="small mono muted">{id}</span>
        )}
      </div>
    ),
  },
  { name: 'Plan', cell: ({ plan }) => plan },
  { name: 'Credits', cell: ({ available }) => formatNumber(available), isNumber: true },
  { name: 'Held', cell: ({ held }) => formatNumber(held), isNumber: true },
  { name: 'Keys', cell: ({ activeKeys }) => formatNumber(activeKeys), isNumber: true },
  { name: 'Jobs', cell: ({ jobs }) => formatNumber(jobs), isNumber: true },
  { name: 'Last job', cell: ({ lastJobAt }) => <Time at={lastJobAt} /> },
  { name: 'Opened', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
