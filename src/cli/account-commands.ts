import {
  type Account,
  createAccount,
  findAccount,
  listAccounts,
  setAdmin,
  setPlan,
  webhookSecretOf,
} from '../accounts/accounts.ts'
import { readEntitlements } from '../accounts/entitlements.ts'
import { createKey, listKeys, parseCidr, revokeKey } from '../accounts/keys.ts'
import { BUCKETS, type Bucket, grantCredits, listEntries, readBalance } from '../accounts/ledger.ts'
import { parseId } from '../core/ids.ts'
import { PLAN_IDS, type PlanId } from '../core/plans.ts'
import type { Foundation } from '../foundation.ts'
import { type Command, type Flags, numberFlag, textFlag, UsageError } from './command.ts'
import { table } from './print.ts'

const takeId = (text: string | undefined, what: string): string => {
  const id = text === undefined ? undefined : parseId(text)
  if (!id) throw new UsageError(`name the ${what} by its id`)
  return id
}

/** The account of `--account`, or of the first argument. */
export const takeAccount = async (foundation: Foundation, flags: Flags, args: readonly string[]): Promise<Account> => {
  const id = takeId(textFlag(flags, 'account') ?? args[0], 'account')
  const account = await findAccount(foundation.database, id)
  if (!account) throw new UsageError(`there is no account ${id}`)
  return account
}

const takePlan = (text: string | undefined): PlanId => {
  const plan = PLAN_IDS.find((candidate) => candidate === text)
  if (!plan) throw new UsageError(`the plan must be one of ${PLAN_IDS.join(', ')}`)
  return plan
}

const takeBucket = (text: string | undefined): Bucket => {
  const bucket = BUCKETS.find((candidate) => candidate === (text ?? 'wallet'))
  if (!bucket) throw new UsageError(`--bucket must be one of ${BUCKETS.join(', ')}`)
  return bucket
}

const takeExpiry = (text: string | undefined): Date | null => {
  if (text === undefined) return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires must be a date such as 2030-01-31T00:00:00Z')
  return date
}

const takeCidr = (text: string | undefined): string | null => {
  if (text === undefined) return null
  const cidr = parseCidr(text)
  if (!cidr) throw new UsageError('--ip must be an IPv4 or IPv6 address or CIDR')
  return cidr
}

/** Accounts, keys and credits. */
export const accountCommands: Readonly<Record<string, Command>> = {
  'account create': {
    args: '--plan guest|free|pro [--name NAME] [--credits N]',
    detail: 'opens an account',
    needsFoundation: true,
    run: async ({ flags, foundation: { database } }) => {
      const plan = takePlan(textFlag(flags, 'plan') ?? 'free')
      const credits = numberFlag(flags, 'credits', { min: 0, fallback: 0 })
      const { id } = await createAccount(database, { name: textFlag(flags, 'name') ?? 'account', plan, credits })
      const account = await findAccount(database, id)
      return { value: { id: account?.id, userId: account?.userId, plan, credits }, text: `account ${account?.id}` }
    },
  },
  'account list': {
    args: '',
    detail: 'all accounts',
    needsFoundation: true,
    run: async ({ foundation: { database } }) => {
      const accounts = await listAccounts(database)
      return { value: accounts, text: table(accounts) }
    },
  },
  'account show': {
    args: 'ID',
    detail: 'plan, credits, limits, keys',
    needsFoundation: true,
    run: async ({ flags, args, config, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const { database } = foundation
      const entitlements = await readEntitlements(
        database,
        { accountId: account.id, userId: account.userId },
        config.plans[account.plan],
      )
      const keys = await listKeys(database, account.id)
      const value = { ...account, webhookSecret: await webhookSecretOf(database, account.id), entitlements, keys }
      return { value, text: `${table([account])}\n\n${JSON.stringify(entitlements, null, 2)}\n\n${table(keys)}` }
    },
  },
  'account set-plan': {
    args: 'ID PLAN',
    detail: 'changes the plan at once',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const plan = takePlan(textFlag(flags, 'plan') ?? args.at(-1))
      await setPlan(foundation.database, account.id, plan)
      return { value: { id: account.id, plan }, text: `account ${account.id} is now ${plan}` }
    },
  },
  'account admin': {
    args: '--account ID --on|--off',
    detail: "shows its users the operator's pages, or no longer",
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      if (flags.on === flags.off) throw new UsageError('say --on or --off')
      const isAdmin = flags.on === true
      await setAdmin(foundation.database, account.id, isAdmin)
      const text = `account ${account.id} is ${isAdmin ? 'now' : 'no longer'} an operator's`
      return { value: { id: account.id, isAdmin }, text }
    },
  },
  'key create': {
    args: '--account ID [--name NAME] [--ip CIDR] [--expires ISO]',
    detail: 'makes a key, shown only this once',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const { id, key } = await createKey(foundation.database, {
        accountId: account.id,
        userId: account.userId,
        name: textFlag(flags, 'name') ?? 'key',
        allowedCidr: takeCidr(textFlag(flags, 'ip')),
        expiresAt: takeExpiry(textFlag(flags, 'expires')),
      })
      return { value: { id, key }, text: `key ${id}\n${key}` }
    },
  },
  'key list': {
    args: '--account ID',
    detail: 'keys of an account',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const keys = await listKeys(foundation.database, account.id)
      return { value: keys, text: table(keys) }
    },
  },
  'key revoke': {
    args: 'KEY-ID',
    detail: 'stops a key at once',
    needsFoundation: true,
    run: async ({ args, foundation: { database } }) => {
      const id = takeId(args[0], 'key')
      if (!(await revokeKey(database, id))) throw new UsageError(`there is no key ${id}`)
      return { value: { id, revoked: true }, text: `key ${id} is revoked` }
    },
  },
  'credits grant': {
    args: '--account ID --credits N [--bucket plan|loyalty|wallet] [--note TEXT]',
    detail: 'gives credits',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const credits = numberFlag({ credits: args.at(-1), ...flags }, 'credits', { min: 1 })
      const bucket = takeBucket(textFlag(flags, 'bucket'))
      await grantCredits(foundation.database, {
        accountId: account.id,
        bucket,
        credits,
        note: textFlag(flags, 'note') ?? 'granted by the operator',
      })
      const balance = await readBalance(foundation.database, account.id)
      return {
        value: { id: account.id, granted: credits, bucket, balance },
        text: `granted; ${balance.total} credits now`,
      }
    },
  },
  'credits balance': {
    args: '--account ID',
    detail: 'credits by bucket',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const balance = await readBalance(foundation.database, account.id)
      return { value: { id: account.id, ...balance }, text: table([balance]) }
    },
  },
  'credits ledger': {
    args: '--account ID [--limit N]',
    detail: 'entries, newest first',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      const entries = await listEntries(
        foundation.database,
        account.id,
        numberFlag(flags, 'limit', { min: 1, fallback: 100 }),
      )
      return { value: entries, text: table(entries) }
    },
  },
}
