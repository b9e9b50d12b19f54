import { toUuid } from '../core/ids.ts'
import type { Database } from '../storage/database.ts'
import { createAccountIn } from './accounts.ts'
import { createKey, findKeyOwner, KEY_PREFIX } from './keys.ts'

const DEMO_CREDITS = 100_000
const DEMO_LOCK = 7_201_970
const MIN_KEY_LENGTH = KEY_PREFIX.length + 20

/**
 * On a database without accounts, opens a Pro account with a key so that the first request can be sent at once; with
 * a key given from outside, makes sure that key exists. Undefined when there is nothing to say.
 */
export const ensureDemoAccount = async (
  database: Database,
  fixedKey: string,
): Promise<{ accountId: string; key: string; isNew: boolean } | undefined> => {
  if (fixedKey && (!fixedKey.startsWith(KEY_PREFIX) || fixedKey.length < MIN_KEY_LENGTH)) {
    throw new Error(`QUARRY_DEMO_KEY must start with ${KEY_PREFIX} and have at least ${MIN_KEY_LENGTH} characters`)
  }
  return database.transaction(async (tx) => {
    // Held until the account is there: processes that start at once must make one, not one each.
    await tx.query('select pg_advisory_xact_lock($1)', [DEMO_LOCK])
    const owner = fixedKey ? await findKeyOwner(tx, fixedKey) : undefined
    if (owner) return { accountId: owner, key: fixedKey, isNew: false }
    if (!fixedKey && (await tx.query('select 1 from accounts limit 1')).length > 0) return undefined
    const { id, userId } = await createAccountIn(tx, { name: 'demo', plan: 'pro', credits: DEMO_CREDITS })
    const given = fixedKey ? { key: fixedKey } : {}
    const { key } = await createKey(tx, { accountId: id, userId, name: 'demo', ...given })
    return { accountId: toUuid(id), key, isNew: true }
  })
}
