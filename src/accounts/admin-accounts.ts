import { parseId } from '../core/ids.ts'
import type { PlanId } from '../core/plans.ts'
import type { Sql } from '../storage/database.ts'

/** An account as operators see it. */
export type AdminAccountRecord = {
  id: string
  name: string
  plan: PlanId
  isAdmin: boolean
  emails: string[]
  available: number
  held: number
  activeKeys: number
  jobs: number
  createdAt: Date
  lastJobAt: Date | null
}

/** Which accounts are wanted: those of a plan, or all but those of guests. */
export type PlanFilter = PlanId | 'members'

// Every figure is counted for the accounts of one page alone, each by an index that begins with the account.
const COLUMNS = `
  a.id, a.name, a.plan, a.is_admin as "isAdmin", a.created_at as "createdAt",
  array(select u.email from users u where u.account_id = a.id and u.email is not null order by u.created_at, u.id) as emails,
  (select coalesce(sum(b.available), 0)::bigint from balances b where b.account_id = a.id) as available,
  (select coalesce(sum(b.held), 0)::bigint from balances b where b.account_id = a.id) as held,
  (select count(*) from api_keys k where k.account_id = a.id and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > now())) as "activeKeys",
  (select count(*) from jobs j where j.account_id = a.id) as jobs,
  (select j.created_at from jobs j where j.account_id = a.id order by j.id desc limit 1) as "lastJobAt"`

export const findAdminAccount = async (sql: Sql, id: string): Promise<AdminAccountRecord | undefined> => {
  const [account] = await sql.query<AdminAccountRecord>(`select ${COLUMNS} from accounts a where a.id = $1`, [id])
  return account
}

/** A page of accounts, the newest first; `search` is a part of a name or an e-mail address, or the start of an id. */
export const listAdminAccounts = async (
  sql: Sql,
  { search, plan, before, limit }: { search: string; plan: PlanFilter | null; before: string | null; limit: number },
): Promise<AdminAccountRecord[]> => {
  const page = [before, plan === 'members' ? null : plan, plan === 'members', limit]
  // Two texts, because an id is found at once and a part of a name only by reading all of them.
  if (search === '') return sql.query(listing('true'), page)
  const id = parseId(search)
  if (id) return sql.query(listing('a.id = $5'), [...page, id])
  return sql.query(
    listing(`(a.name ilike $5 or a.id in (select u.account_id from users u where u.email ilike $5)
      or a.id::text like $6)`),
    [...page, `%${escapeLike(search)}%`, idPrefix(search)],
  )
}

const listing = (condition: string): string =>
  `select ${COLUMNS} from accounts a
   where ($1::uuid is null or a.id < $1) and ($2::text is null or a.plan = $2) and (not $3 or a.plan <> 'guest')
     and ${condition}
   order by a.id desc limit $4`

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A pattern of the ids that begin so, with dashes or without; one that none has where the text is no such beginning. */
const idPrefix = (text: string): string => {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{6,31}$/.test(hex)) return ''
  return `${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].filter(Boolean).join('-')}%`
}
