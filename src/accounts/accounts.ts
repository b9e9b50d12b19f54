import { randomBytes } from 'node:crypto'
import { newId } from '../core/ids.ts'
import type { PlanId } from '../core/plans.ts'
import type { Database, Sql } from '../storage/database.ts'
import { grantCredits } from './ledger.ts'

export type Account = { id: string; userId: string; name: string; plan: PlanId; createdAt: Date }

type AccountRow = { id: string; user_id: string; name: string; plan: PlanId; created_at: Date }
const SELECT_ACCOUNT = `
  select a.id, a.name, a.plan, a.created_at,
    (select u.id from users u where u.account_id = a.id order by u.created_at, u.id limit 1) as user_id
  from accounts a`
const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  plan: row.plan,
  createdAt: row.created_at,
})

type NewAccount = { name: string; plan: PlanId; credits?: number; id?: string }

/** Opens an account with its first user and, where told, credits in its plan bucket. */
export const createAccount = async (database: Database, account: NewAccount): Promise<{ id: string; userId: string }> =>
  database.transaction((tx) => createAccountIn(tx, account))

/** The same inside a transaction of the caller's. */
export const createAccountIn = async (
  tx: Sql,
  { name, plan, credits = 0, id = newId() }: NewAccount,
): Promise<{ id: string; userId: string }> => {
  const userId = newId()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await tx.query('insert into accounts (id, name, plan, webhook_secret) values ($1, $2, $3, $4)', [
    id,
    name,
    plan,
    secret,
  ])
  await tx.query('insert into users (id, account_id, name) values ($1, $2, $3)', [userId, id, name])
  if (credits > 0) await grantCredits(tx, { accountId: id, bucket: 'plan', credits, note: 'opening credits' })
  return { id, userId }
}

export const listAccounts = async (sql: Sql): Promise<Account[]> =>
  (await sql.query<AccountRow>(`${SELECT_ACCOUNT} order by a.created_at, a.id`)).map(toAccount)

export const findAccount = async (sql: Sql, id: string): Promise<Account | undefined> => {
  const [row] = await sql.query<AccountRow>(`${SELECT_ACCOUNT} where a.id = $1`, [id])
  return row && toAccount(row)
}

/** The secret that signs webhooks of jobs which bring none of their own. */
export const webhookSecretOf = async (sql: Sql, accountId: string): Promise<string> => {
  const [row] = await sql.query<{ webhook_secret: string }>('select webhook_secret from accounts where id = $1', [
    accountId,
  ])
  if (!row) throw new Error(`no account ${accountId}`)
  return row.webhook_secret
}

/** Changes the plan; takes effect with the next request. False when there is no such account. */
export const setPlan = async (sql: Sql, accountId: string, plan: PlanId): Promise<boolean> =>
  (await sql.query('update accounts set plan = $2 where id = $1 returning id', [accountId, plan])).length > 0

/** Lets the users of an account see the operator's pages, or no longer. False when there is no such account. */
export const setAdmin = async (sql: Sql, accountId: string, isAdmin: boolean): Promise<boolean> =>
  (await sql.query('update accounts set is_admin = $2 where id = $1 returning id', [accountId, isAdmin])).length > 0
