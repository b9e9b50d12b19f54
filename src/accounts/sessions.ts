import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../core/ids.ts'
import type { PlanId } from '../core/plans.ts'
import type { Sql } from '../storage/database.ts'

/** A session that is not used for this long ends. */
export const SESSION_DAYS = 30
/** Of one user; a further one ends the one that was not used for longest. */
export const MAX_SESSIONS = 50
const SEEN_EVERY_MS = 60_000
const MAX_USER_AGENT = 300

/** Who a session speaks for. */
export type Member = {
  sessionId: string
  userId: string
  accountId: string
  plan: PlanId
  name: string
  email: string
  isAdmin: boolean
}

export type Session = {
  id: string
  userAgent: string
  address: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Opens a session; its token is returned this once and only its hash is kept. */
export const openSession = async (
  sql: Sql,
  { userId, userAgent, address }: { userId: string; userAgent: string; address: string },
): Promise<{ id: string; token: string }> => {
  const [id, token] = [newId(), randomBytes(32).toString('base64url')]
  await sql.query(
    `delete from sessions where id in (
       select id from sessions where user_id = $1 order by last_seen_at desc, id desc offset $2)`,
    [userId, MAX_SESSIONS - 1],
  )
  await sql.query(
    `insert into sessions (id, token_hash, user_id, user_agent, address, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))`,
    [id, hashToken(token), userId, userAgent.slice(0, MAX_USER_AGENT), address, SESSION_DAYS],
  )
  return { id, token }
}

type MemberRow = Member & { lastSeenAt: Date }

/** The member behind a token, and the session kept alive by it; undefined when there is no such session any more. */
export const findMember = async (sql: Sql, token: string, now = new Date()): Promise<Member | undefined> => {
  const [row] = await sql.query<MemberRow>(
    `select replace(s.id::text, '-', '') as "sessionId", u.id as "userId", a.id as "accountId", a.plan, u.name, u.email,
       a.is_admin as "isAdmin", s.last_seen_at as "lastSeenAt"
     from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
     where s.token_hash = $1 and s.expires_at > $2`,
    [hashToken(token), now],
  )
  if (!row) return undefined
  const { lastSeenAt, ...member } = row
  if (now.getTime() - lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await sql.query(
      `update sessions set last_seen_at = $2, expires_at = $2::timestamptz + make_interval(days => $3) where id = $1`,
      [member.sessionId, now, SESSION_DAYS],
    )
  }
  return member
}

/** The sessions of a user that have not ended, the one used last first. */
export const listSessions = async (sql: Sql, userId: string): Promise<Session[]> =>
  sql.query<Session>(
    `select replace(id::text, '-', '') as id, user_agent as "userAgent", address, created_at as "createdAt",
       last_seen_at as "lastSeenAt", expires_at as "expiresAt"
     from sessions where user_id = $1 and expires_at > now() order by last_seen_at desc, id desc`,
    [userId],
  )

/** Ends one session of a user at once. False when it is not theirs. */
export const endSession = async (sql: Sql, userId: string, sessionId: string): Promise<boolean> =>
  (await sql.query('delete from sessions where id = $1 and user_id = $2 returning id', [sessionId, userId])).length > 0

/** Ends every session of a user but one, or all; says how many. */
export const endOtherSessions = async (sql: Sql, userId: string, keptSessionId: string | null): Promise<number> => {
  const ended = await sql.query(
    'delete from sessions where user_id = $1 and id is distinct from $2::uuid returning id',
    [userId, keptSessionId],
  )
  return ended.length
}

/** Deletes sessions that have ended by themselves. */
export const sweepSessions = async (sql: Sql): Promise<void> => {
  await sql.query('delete from sessions where expires_at < now()')
}
