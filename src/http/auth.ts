import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, type Caller } from '../accounts/keys.ts'
import { RequestError } from '../core/errors.ts'
import type { AccountPlan } from '../core/plans.ts'
import { createRateLimiter, type RateState } from './rate-limit.ts'
import type { Service } from './service.ts'

/** Who may call a route: anyone, any valid key, or keys of Pro accounts. */
export type Access = 'public' | 'key' | 'pro'

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
export const createAuthHook = ({ config, database }: Service) => {
  const limiter = createRateLimiter(config.rateLimitPerMinute)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const access = request.routeOptions.config.access ?? 'key'
    if (access === 'public') return
    const key = request.headers[KEY_HEADER]
    if (key === undefined || key === '') {
      limit(reply, limiter.count(`address:${request.ip}`))
      throw new RequestError('api_key.required')
    }
    const caller = await authenticate(database, Array.isArray(key) ? key.join() : key, request.ip)
    limit(reply, limiter.count(caller ? `key:${caller.keyId}` : `address:${request.ip}`))
    if (!caller) throw new RequestError('api_key.invalid_or_ip_not_allowed')
    request.caller = { ...caller, accountPlan: config.plans[caller.plan] }
    if (access === 'pro' && caller.plan !== 'pro') {
      throw new RequestError('api_key.pro_required', { requiredTier: 'pro', currentTier: caller.plan })
    }
  }
}

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
