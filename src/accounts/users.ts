import { newId, toUuid } from '../core/ids.ts'
import type { Database, Sql } from '../storage/database.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { createAccountIn } from './accounts.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { endOtherSessions, openSession } from './sessions.ts'

export type User = { id: string; accountId: string; name: string; email: string; createdAt: Date }

/** True where the address belongs to a user already, in whatever case it is written. */
export const isEmailTaken = (error: unknown): boolean => isUniqueViolation(error, 'users_by_email')

/**
 * Opens a free account whose user can sign in. Does nothing when the address is taken, and says nothing of it: the
 * account is made either way and deleted again in the same transaction, so that neither the answer nor its time tells.
 */
export const signUp = async (
  database: Database,
  { email, password, name }: { email: string; password: string; name: string },
): Promise<void> => {
  const passwordHash = await hashPassword(password)
  try {
    await database.transaction(async (tx) => {
      const { id, userId } = await createAccountIn(tx, { name, plan: 'free' })
      const isTaken = (await findUser(tx, email)) !== undefined
      if (isTaken) await tx.query('delete from accounts where id = $1', [id])
      else
        await tx.query('update users set email = $2, password_hash = $3 where id = $1', [userId, email, passwordHash])
    })
  } catch (error) {
    // Somebody took it in this very moment.
    if (!isEmailTaken(error)) throw error
  }
}

/** Adds a user who can sign in to an account. Throws where the address is taken. */
export const addUser = async (
  sql: Sql,
  { accountId, email, name, password }: { accountId: string; email: string; name: string; password: string },
): Promise<User> => {
  const id = toUuid(newId())
  const [row] = await sql.query<{ createdAt: Date }>(
    `insert into users (id, account_id, name, email, password_hash) values ($1, $2, $3, $4, $5)
     returning created_at as "createdAt"`,
    [id, accountId, name, email, await hashPassword(password)],
  )
  if (!row) throw new Error('the user was not returned')
  return { id, accountId, name, email, createdAt: row.createdAt }
}

const USER = `id, account_id as "accountId", name, email, created_at as "createdAt"`

/** Those who can sign in, in the order in which they came. */
export const listUsers = async (sql: Sql): Promise<User[]> =>
  sql.query<User>(`select ${USER} from users where email is not null order by created_at, id`)

export const findUser = async (sql: Sql, email: string): Promise<User | undefined> => {
  const [row] = await sql.query<User>(`select ${USER} from users where lower(email) = lower($1)`, [email])
  return row
}

type Secret = { id: string; passwordHash: string | null }

/** Opens a session for whoever knows the password; undefined where the address or the password is not right. */
export const signIn = async (
  database: Database,
  { email, password, userAgent, address }: { email: string; password: string; userAgent: string; address: string },
): Promise<string | undefined> => {
  const [user] = await database.query<Secret>(
    'select id, password_hash as "passwordHash" from users where lower(email) = lower($1)',
    [email],
  )
  if (!(await checkPassword(user?.passwordHash ?? null, password)) || !user) return undefined
  return database.transaction(async (tx) => {
    // Locked until the session is there: whoever changes the password now ends this session too.
    const held = await tx.query('select 1 from users where id = $1 and password_hash = $2 for share', [
      user.id,
      user.passwordHash,
    ])
    return held.length > 0 ? (await openSession(tx, { userId: user.id, userAgent, address })).token : undefined
  })
}

/** Changes the password for whoever knows the current one, and ends every other session. False where it is not right. */
export const changePassword = async (
  database: Database,
  {
    userId,
    sessionId,
    currentPassword,
    newPassword,
  }: { userId: string; sessionId: string; currentPassword: string; newPassword: string },
): Promise<boolean> => {
  const [user] = await database.query<Secret>('select id, password_hash as "passwordHash" from users where id = $1', [
    userId,
  ])
  if (!user || !(await checkPassword(user.passwordHash, currentPassword))) return false
  const passwordHash = await hashPassword(newPassword)
  return database.transaction(async (tx) => {
    const changed = await tx.query(
      'update users set password_hash = $3 where id = $1 and password_hash = $2 returning id',
      [userId, user.passwordHash, passwordHash],
    )
    if (changed.length === 0) return false
    await endOtherSessions(tx, userId, sessionId)
    return true
  })
}

/** Sets the password whatever it was, for the operator, and ends every session of the user. */
export const setPassword = async (database: Database, userId: string, password: string): Promise<void> => {
  const passwordHash = await hashPassword(password)
  await database.transaction(async (tx) => {
    await tx.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
    await endOtherSessions(tx, userId, null)
  })
}
