import { createHash } from 'node:crypto'
import { RequestError } from '../core/errors.ts'
import type { Sql } from '../storage/database.ts'

/** Hashed, so that the table tells nobody's address or network. */
const hashWho = (kind: string, subject: string): Buffer => createHash('sha256').update(`${kind}\n${subject}`).digest()

/**
 * Counts one try of a kind by somebody, over all processes, and refuses with `rate_limited` when there were more than
 * `limit` in the window. The window opens with the first try. Counted before the thing is tried: tries made at the same
 * moment cannot slip past the limit together.
 */
export const countAttempt = async (
  sql: Sql,
  kind: string,
  subject: string,
  limit: number,
  windowSeconds: number,
): Promise<void> => {
  const [row] = await sql.query<{ count: number; retryAfterSeconds: number }>(
    `insert into attempts as a (who, count, resets_at) values ($1, 1, now() + make_interval(secs => $2))
     on conflict (who) do update set
       count = case when a.resets_at <= now() then 1 else least(a.count + 1, $3 + 1) end,
       resets_at = case when a.resets_at <= now() then excluded.resets_at else a.resets_at end
     returning count,
       greatest(1, ceil(extract(epoch from resets_at - clock_timestamp())))::int as "retryAfterSeconds"`,
    [hashWho(kind, subject), windowSeconds, limit],
  )
  if (row && row.count > limit) {
    throw new RequestError('rate_limited', { retryAfterSeconds: row.retryAfterSeconds })
  }
}

/** Takes one counted try back, for what is limited only where it fails. */
export const returnAttempt = async (sql: Sql, kind: string, subject: string): Promise<void> => {
  await sql.query('update attempts set count = count - 1 where who = $1 and count > 0', [hashWho(kind, subject)])
}

/** Forgets every try of a kind by somebody. */
export const clearAttempts = async (sql: Sql, kind: string, subject: string): Promise<void> => {
  await sql.query('delete from attempts where who = $1', [hashWho(kind, subject)])
}

/** Deletes counts whose window is over. */
export const sweepAttempts = async (sql: Sql): Promise<void> => {
  await sql.query('delete from attempts where resets_at < now()')
}
