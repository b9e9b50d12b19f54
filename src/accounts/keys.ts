import { createHash, randomBytes } from 'node:crypto'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { newId, toUuid } from '../core/ids.ts'
import type { PlanId } from '../core/plans.ts'
import type { Sql } from '../storage/database.ts'

export const KEY_PREFIX = 'fast_prod_'
const HINT_CHARACTERS = KEY_PREFIX.length + 4
const LAST_USED_EVERY_MS = 60_000

/** Who a valid key speaks for. */
export type Caller = { keyId: string; accountId: string; userId: string; plan: PlanId }

export type ApiKey = {
  id: string
  name: string
  hint: string
  allowedCidr: string | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** An address or CIDR in canonical form, IPv4 mapped into IPv6 written as IPv4; undefined when it is neither. */
export const parseCidr = (text: string): string | undefined => {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const plain = unmapAddress(address)
  if (rest.length > 0 || isIP(plain) === 0) return undefined
  const width = isIPv4(plain) ? 32 : 128
  if (bits === undefined) return `${plain}/${width}`
  if (!/^\d{1,3}$/.test(bits)) return undefined
  // ::ffff:10.0.0.0/104 covers the same hosts as 10.0.0.0/8.
  const prefix = plain === address ? Number(bits) : Number(bits) - 96
  return prefix >= 0 && prefix <= width ? `${plain}/${prefix}` : undefined
}

/** `::ffff:192.0.2.1`, in either spelling, is the IPv4 address in it. */
export const unmapAddress = (address: string): string => {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const canonical = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '0', 16), Number.parseInt(mapped[2] ?? '0', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether the address lies in one of the CIDRs. */
export const isInside = (address: string, cidrs: readonly string[]): boolean => {
  const plain = unmapAddress(address)
  const family = isIP(plain)
  if (family === 0) return false
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    // The list would look for an IPv4 address in IPv6 networks too, mapped: it is in none of them.
    if (isIP(network) === family) list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

/** Makes a key; its text is returned this once and never stored. */
export const createKey = async (
  sql: Sql,
  {
    accountId,
    userId,
    name,
    allowedCidr = null,
    expiresAt = null,
    key = `${KEY_PREFIX}${randomBytes(32).toString('base64url')}`,
  }: {
    accountId: string
    userId: string
    name: string
    allowedCidr?: string | null
    expiresAt?: Date | null
    key?: string
  },
): Promise<{ id: string; key: string }> => {
  const id = toUuid(newId())
  await sql.query(
    `insert into api_keys (id, account_id, user_id, name, hint, secret_hash, allowed_cidr, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, accountId, userId, name, key.slice(0, HINT_CHARACTERS), hashKey(key), allowedCidr, expiresAt],
  )
  return { id, key }
}

type KeyRow = {
  id: string
  name: string
  hint: string
  allowed_cidr: string | null
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
}

export const listKeys = async (sql: Sql, accountId: string): Promise<ApiKey[]> => {
  const rows = await sql.query<KeyRow>(
    `select id, name, hint, allowed_cidr, created_at, last_used_at, expires_at, revoked_at
     from api_keys where account_id = $1 order by created_at, id`,
    [accountId],
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    hint: row.hint,
    allowedCidr: row.allowed_cidr,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }))
}

/** Stops a key at once: keys are looked up at every request, never cached. False when there is no such key. */
export const revokeKey = async (sql: Sql, keyId: string): Promise<boolean> =>
  (await sql.query('update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning id', [keyId]))
    .length > 0

/** The same for one of an account's own keys. False when the account has no such key. */
export const revokeOwnKey = async (sql: Sql, accountId: string, keyId: string): Promise<boolean> =>
  (
    await sql.query(
      'update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 and account_id = $2 returning id',
      [keyId, accountId],
    )
  ).length > 0

/** Keys that can be used now. */
export const countActiveKeys = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) from api_keys
     where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [accountId],
  )
  return row?.count ?? 0
}

type CallerRow = {
  id: string
  account_id: string
  user_id: string
  plan: PlanId
  allowed_cidr: string | null
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

/**
 * The caller behind a key presented from an address; undefined when the key is malformed, unknown, expired, revoked
 * or used from elsewhere. Every case costs one hash and one look-up, so that none can be told from another by time.
 */
export const authenticate = async (
  sql: Sql,
  key: string,
  address: string,
  now = new Date(),
): Promise<Caller | undefined> => {
  const [row] = await sql.query<CallerRow>(
    `select k.id, k.account_id, k.user_id, k.allowed_cidr, k.expires_at, k.revoked_at, k.last_used_at, a.plan
     from api_keys k join accounts a on a.id = k.account_id where k.secret_hash = $1`,
    [hashKey(key)],
  )
  if (!row || !key.startsWith(KEY_PREFIX) || row.revoked_at !== null) return undefined
  if (row.expires_at !== null && row.expires_at <= now) return undefined
  if (row.allowed_cidr !== null && !isInside(address, [row.allowed_cidr])) return undefined
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > LAST_USED_EVERY_MS) {
    await sql.query('update api_keys set last_used_at = $2 where id = $1', [row.id, now])
  }
  return { keyId: row.id, accountId: row.account_id, userId: row.user_id, plan: row.plan }
}

/** The owner of a key text, whatever its state; for the demo account, whose key may be fixed from outside. */
export const findKeyOwner = async (sql: Sql, key: string): Promise<string | undefined> => {
  const [row] = await sql.query<{ account_id: string }>('select account_id from api_keys where secret_hash = $1', [
    hashKey(key),
  ])
  return row?.account_id
}
