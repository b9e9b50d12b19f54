import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, type Caller } from '../accounts/keys.ts'
import { RequestError } from '../core/errors.ts'
import type { AccountPlan } from '../core/plans.ts'
import { createRateLimiter, type RateState } from './rate-limit.ts'
import type { Service } from './service.ts'
import { hasSessionCookie, readVisitor } from './web/visitor.ts'
import { wantsPage } from './website.ts'

/**
 * Who may call a route. Of the public API: anyone, any valid key, or keys of Pro accounts; with `owner`, keys of Pro
 * accounts or, where no key is sent, the visitor of the website who owns the job. Of the website: any visitor, those
 * who are signed in, or operators.
 */
export type Access = 'public' | 'key' | 'pro' | 'owner' | 'visitor' | 'member' | 'admin'

export type AuthenticatedCaller = Caller & { accountPlan: AccountPlan }

declare module 'fastify' {
  interface FastifyRequest {
    caller: AuthenticatedCaller | null
  }
  interface FastifyContextConfig {
    access?: Access
    /** Names of the query parameters the route takes. */
    query?: readonly string[]
  }
}

export const KEY_HEADER = 'x-fast-api-key'

/** Key present, key valid from this address, rate, tier: in this order, before a byte of the body is read. */
export const createAuthHook = (service: Service) => {
  const { config, database } = service
  const limiter = createRateLimiter(config.rateLimitPerMinute)
  const admitVisitor = async (request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> => {
    const visitor = await readVisitor(service, request)
    request.visitor = visitor
    limit(reply, limiter.count(visitor.member ? `user:${visitor.member.userId}` : `address:${request.ip}`))
    // What the pages ask for is the visitor's own; a route that knows better says so after this.
    if (access !== 'owner') reply.header('cache-control', 'no-store')
    if (access === 'visitor' || access === 'owner') return
    if (!visitor.member) throw new RequestError('session.required')
    if (access === 'admin' && !visitor.member.isAdmin) throw new RequestError('session.admin_required')
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const access = request.routeOptions.config.access ?? 'key'
    if (access === 'public') return
    // People and their pages ask without a key: what is not there for them is just that.
    if (request.is404 && (request.url.startsWith('/web/') || wantsPage(request))) return
    if (access === 'visitor' || access === 'member' || access === 'admin') return admitVisitor(request, reply, access)
    const key = request.headers[KEY_HEADER]
    if (access === 'owner' && key === undefined && mayOwn(request)) return admitVisitor(request, reply, access)
    if (key === undefined || key === '') {
      limit(reply, limiter.count(`address:${request.ip}`))
      throw new RequestError('api_key.required')
    }
    const caller = await authenticate(database, Array.isArray(key) ? key.join() : key, request.ip)
    limit(reply, limiter.count(caller ? `key:${caller.keyId}` : `address:${request.ip}`))
    if (!caller) throw new RequestError('api_key.invalid_or_ip_not_allowed')
    request.caller = { ...caller, accountPlan: config.plans[caller.plan] }
    if (access !== 'key' && caller.plan !== 'pro') {
      throw new RequestError('api_key.pro_required', { requiredTier: 'pro', currentTier: caller.plan })
    }
  }
}

/** Shows something other than a key: without that the answer is the one that every keyless request gets. */
const mayOwn = (request: FastifyRequest): boolean =>
  hasSessionCookie(request) || (request.query as { proof?: string }).proof !== undefined

/** The caller that the hook let in. */
export const callerOf = (request: FastifyRequest): AuthenticatedCaller => {
  if (!request.caller) throw new Error('the route is public and has no caller')
  return request.caller
}

const limit = (reply: FastifyReply, { allowed, limitPerMinute, remaining, resetSeconds }: RateState): void => {
  reply.header('ratelimit-limit', limitPerMinute)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', resetSeconds)
  reply.header('ratelimit-policy', `"default";q=${limitPerMinute};w=60`)
  reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`)
  if (allowed) return
  reply.header('retry-after', resetSeconds)
  throw new RequestError('rate_limited', { limitPerMinute, retryAfterSeconds: resetSeconds })
}
