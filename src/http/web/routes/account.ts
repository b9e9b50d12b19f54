import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { webhookSecretOf } from '../../../accounts/accounts.ts'
import { countAttempt } from '../../../accounts/attempts.ts'
import { readEntitlements } from '../../../accounts/entitlements.ts'
import { type ApiKey, countActiveKeys, createKey, listKeys, parseCidr, revokeOwnKey } from '../../../accounts/keys.ts'
import { listEntries, lockBalance, readBuckets } from '../../../accounts/ledger.ts'
import { readUsage } from '../../../accounts/usage.ts'
import { RequestError } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { listDeliveries } from '../../../jobs/webhook-deliveries.ts'
import type { Service } from '../../service.ts'
import {
  type ApiKeyRecord,
  type Credits,
  creditsSchema,
  type Keys,
  keysSchema,
  type Ledger,
  ledgerSchema,
  type NewKey,
  newKeyBody,
  newKeySchema,
  pageQuery,
  usageQuery,
  usageSchema,
  type Webhooks,
  webhookSecretSchema,
  webhooksSchema,
} from '../contract.ts'
import { memberOf, planOf, visitorOf } from '../visitor.ts'

const MAX_ACTIVE_KEYS = 100
const MAX_NEW_KEYS_PER_HOUR = 200
const HOUR = 3600

const MEMBER = { access: 'member', query: [] } as const
const PAGED = { access: 'member', query: ['limit', 'cursor'] } as const

/** What an account has: keys, credits, usage, webhooks. */
export const webAccountRoutes = (fastify: FastifyInstance, service: Service): void => {
  keyRoutes(fastify, service)
  creditRoutes(fastify, service)
  webhookRoutes(fastify, service)
}

const keyRoutes = (fastify: FastifyInstance, { database }: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.get('/web/keys', {
    config: MEMBER,
    schema: { hide: true, response: { 200: keysSchema } },
    handler: async (request): Promise<Keys> => ({
      keys: (await listKeys(database, memberOf(request).accountId)).map((key) => toKeyRecord(key)),
    }),
  })
  app.post('/web/keys', {
    config: MEMBER,
    schema: { hide: true, body: newKeyBody, response: { 201: newKeySchema } },
    handler: async (request, reply) => {
      const { accountId, userId } = memberOf(request)
      const { name } = request.body
      const expiresAt = takeExpiry(request.body.expiresAt)
      const allowedCidr = takeCidr(request.body.allowedCidr)
      await countAttempt(database, 'new-key', accountId, MAX_NEW_KEYS_PER_HOUR, HOUR)
      const made = await database.transaction(async (tx) => {
        // The account's lock: keys made at the same moment are counted one after the other.
        await lockBalance(tx, accountId)
        if ((await countActiveKeys(tx, accountId)) >= MAX_ACTIVE_KEYS) {
          throw new RequestError(
            'request.invalid_parameter',
            { path: '', maxActiveKeys: MAX_ACTIVE_KEYS },
            { detail: `The account has ${MAX_ACTIVE_KEYS} active keys; revoke one before you make another.` },
          )
        }
        return createKey(tx, { accountId, userId, name, expiresAt, allowedCidr })
      })
      const record = (await listKeys(database, accountId)).find(({ id }) => id === made.id)
      if (!record) throw new Error(`the new key ${made.id} is gone`)
      return reply.code(201).send({ key: made.key, record: toKeyRecord(record) } satisfies NewKey)
    },
  })
  app.delete('/web/keys/:id', {
    config: MEMBER,
    schema: { hide: true, params: z.object({ id: z.string() }), response: { 204: z.null() } },
    handler: async (request, reply) => {
      const id = parseId(request.params.id)
      if (!id || !(await revokeOwnKey(database, memberOf(request).accountId, id))) {
        throw new RequestError('keys.not_found')
      }
      return reply.code(204).send(null)
    },
  })
}

const creditRoutes = (fastify: FastifyInstance, service: Service): void => {
  const { database } = service
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.get('/web/credits', {
    config: MEMBER,
    schema: { hide: true, response: { 200: creditsSchema } },
    handler: async (request): Promise<Credits> => {
      const member = memberOf(request)
      // As the entitlements have it: the day's allowance can be spent before it stands in the ledger.
      const { planCredits } = await readEntitlements(database, member, planOf(service, visitorOf(request)))
      const buckets = (await readBuckets(database, member.accountId)).map((one) =>
        one.bucket === 'plan' ? { ...one, available: planCredits } : one,
      )
      const sum = (field: 'available' | 'held') => buckets.reduce((total, one) => total + one[field], 0)
      return { buckets, available: sum('available'), held: sum('held') }
    },
  })
  app.get('/web/ledger', {
    config: PAGED,
    schema: { hide: true, querystring: pageQuery, response: { 200: ledgerSchema } },
    handler: async (request): Promise<Ledger> => {
      const { limit, cursor } = request.query
      const entries = await listEntries(database, memberOf(request).accountId, limit + 1, takeEntryCursor(cursor))
      const page = entries.slice(0, limit)
      return {
        entries: page.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
        nextCursor: entries.length > limit ? String(page.at(-1)?.id) : null,
      }
    },
  })
  app.get('/web/usage', {
    config: { access: 'member', query: ['days'] },
    schema: { hide: true, querystring: usageQuery, response: { 200: usageSchema } },
    handler: (request) => readUsage(database, memberOf(request).accountId, request.query.days),
  })
}

const webhookRoutes = (fastify: FastifyInstance, { database }: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.get('/web/webhooks', {
    config: PAGED,
    schema: { hide: true, querystring: pageQuery, response: { 200: webhooksSchema } },
    handler: async (request): Promise<Webhooks> => {
      const { limit, cursor } = request.query
      const before = cursor === undefined ? null : parseId(cursor)
      if (before === undefined) throw refuse('cursor', cursor, 'is not the nextCursor of a page')
      const deliveries = await listDeliveries(database, memberOf(request).accountId, limit + 1, before)
      const page = deliveries.slice(0, limit)
      return {
        deliveries: page.map((one) => ({
          ...one,
          createdAt: one.createdAt.toISOString(),
          deliveredAt: one.deliveredAt?.toISOString() ?? null,
          nextAttemptAt: one.nextAttemptAt?.toISOString() ?? null,
        })),
        nextCursor: deliveries.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  })
  app.post('/web/webhook-secret', {
    config: MEMBER,
    schema: { hide: true, response: { 200: webhookSecretSchema } },
    handler: async (request) => ({ secret: await webhookSecretOf(database, memberOf(request).accountId) }),
  })
}

const toKeyRecord = (key: ApiKey, now = new Date()): ApiKeyRecord => ({
  ...key,
  state: key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'active',
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
})

const refuse = (path: string, value: unknown, why: string): RequestError =>
  new RequestError('request.invalid_parameter', { path, value }, { detail: `${path}: ${why}.` })

const takeExpiry = (text: string | null | undefined): Date | null => {
  if (text === null || text === undefined) return null
  const date = new Date(text)
  if (!(date.getTime() > Date.now())) throw refuse('expiresAt', text, 'must lie in the future')
  return date
}

const takeCidr = (text: string | null | undefined): string | null => {
  if (!text) return null
  const cidr = parseCidr(text)
  if (!cidr) throw refuse('allowedCidr', text, 'is neither an IPv4 or IPv6 address nor a CIDR')
  return cidr
}

const takeEntryCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null
  if (!/^\d{1,15}$/.test(cursor)) throw refuse('cursor', cursor, 'is not the nextCursor of a page')
  return Number(cursor)
}
