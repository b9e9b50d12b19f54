import { createHmac } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { toUuid } from '../core/ids.ts'
import type { Database, Sql } from '../storage/database.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { createAccountIn } from './accounts.ts'
import { unmapAddress } from './keys.ts'

export type GuestAccount = { accountId: string; userId: string }

/**
 * The network a guest comes from, as a keyed hash: one IPv4 address, or the /64 that one IPv6 household has. Guests
 * of a network share a daily limit, so that no limit is escaped by forgetting a cookie.
 */
export const hashNetwork = (signingKey: Buffer, address: string): Buffer =>
  createHmac('sha256', signingKey)
    .update(`guest-network\n${networkOf(unmapAddress(address))}`)
    .digest()

const networkOf = (address: string): string => {
  if (isIPv4(address) || !address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    while (groups.length + after.length < 8) groups.push('0')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The account of a network's guests, if one of them has done something yet. */
export const findGuestAccount = async (sql: Sql, network: Buffer): Promise<GuestAccount | undefined> => {
  const [row] = await sql.query<GuestAccount>(
    `select a.id as "accountId", u.id as "userId" from accounts a join users u on u.account_id = a.id
     where a.guest_network = $1 limit 1`,
    [network],
  )
  return row
}

/** The same, opened where there is none. */
export const ensureGuestAccount = async (database: Database, network: Buffer): Promise<GuestAccount> => {
  const found = await findGuestAccount(database, network)
  if (found) return found
  try {
    return await database.transaction(async (tx) => {
      const { id, userId } = await createAccountIn(tx, { name: 'guest', plan: 'guest' })
      await tx.query('update accounts set guest_network = $2 where id = $1', [id, network])
      // Written as the database writes it, as in every later answer: it is compared as text.
      return { accountId: toUuid(id), userId: toUuid(userId) }
    })
  } catch (error) {
    // Another request of the same network was faster.
    const other = isUniqueViolation(error, 'accounts_guest_network_key')
      ? await findGuestAccount(database, network)
      : undefined
    if (!other) throw error
    return other
  }
}
