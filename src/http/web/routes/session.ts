import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { clearAttempts, countAttempt, returnAttempt } from '../../../accounts/attempts.ts'
import { readEntitlements } from '../../../accounts/entitlements.ts'
import { unmapAddress } from '../../../accounts/keys.ts'
import { endOtherSessions, endSession, findMember, listSessions } from '../../../accounts/sessions.ts'
import { changePassword, signIn, signUp } from '../../../accounts/users.ts'
import { RequestError } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { VERSION } from '../../../core/version.ts'
import type { Service } from '../../service.ts'
import { type Me, meSchema, passwordBody, type Sessions, sessionsSchema, signInBody, signUpBody } from '../contract.ts'
import {
  clearSessionCookie,
  findActor,
  memberOf,
  planOf,
  setSessionCookie,
  type Visitor,
  visitorOf,
} from '../visitor.ts'

const MINUTES_15 = 900
const HOUR = 3600
const LIMITS = { signInPair: 10, signInNetwork: 60, signInEmail: 100, signUpNetwork: 20, password: 10 } as const
/** Stands for the account of guests who have none yet: it owns nothing. */
const NOBODY = { accountId: '0'.repeat(32), userId: '0'.repeat(32) }

const VISITOR = { access: 'visitor', query: [] } as const
const MEMBER = { access: 'member', query: [] } as const

/** Signing up, in and out, the password, and the sessions of a user. */
export const webSessionRoutes = (fastify: FastifyInstance, service: Service): void => {
  const { config, database } = service
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.get('/web/me', {
    config: VISITOR,
    schema: { hide: true, response: { 200: meSchema } },
    handler: (request) => describeVisitor(service, visitorOf(request)),
  })
  app.post('/web/sign-up', {
    config: VISITOR,
    schema: { hide: true, body: signUpBody, response: { 202: z.object({}) } },
    handler: async (request, reply) => {
      if (config.signUp === 'closed') throw new RequestError('session.sign_up_closed')
      const { email, password, name } = request.body
      await countAttempt(database, 'sign-up', networkOf(request), LIMITS.signUpNetwork, HOUR)
      await signUp(database, { email, password, name: name || (email.split('@')[0] ?? email) })
      return reply.code(202).send({})
    },
  })
  app.post('/web/sign-in', {
    config: VISITOR,
    schema: { hide: true, body: signInBody, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const email = request.body.email.trim()
      const tries = await countSignIn(service, email, networkOf(request))
      const token = await signIn(database, {
        email,
        password: request.body.password,
        userAgent: request.headers['user-agent'] ?? '',
        address: unmapAddress(request.ip),
      })
      const member = token === undefined ? undefined : await findMember(database, token)
      if (token === undefined || !member) throw new RequestError('session.invalid_credentials')
      await tries.forgive()
      const visitor = visitorOf(request)
      // This browser had a session already, which nothing can show any more.
      if (visitor.member) await endSession(database, visitor.member.userId, visitor.member.sessionId)
      setSessionCookie(request, reply, token)
      return describeVisitor(service, { ...visitor, member })
    },
  })
  app.post('/web/sign-out', {
    config: VISITOR,
    schema: { hide: true, response: { 204: z.null() } },
    handler: async (request, reply) => {
      const { member } = visitorOf(request)
      if (member) await endSession(database, member.userId, member.sessionId)
      return clearSessionCookie(request, reply).code(204).send(null)
    },
  })
  app.post('/web/password', {
    config: MEMBER,
    schema: { hide: true, body: passwordBody, response: { 204: z.null() } },
    handler: async (request, reply) => {
      const { userId, sessionId } = memberOf(request)
      await countAttempt(database, 'password', userId, LIMITS.password, MINUTES_15)
      if (!(await changePassword(database, { userId, sessionId, ...request.body }))) {
        throw new RequestError('session.invalid_credentials', {}, { detail: 'The current password is not right.' })
      }
      return reply.code(204).send(null)
    },
  })
  app.get('/web/sessions', {
    config: MEMBER,
    schema: { hide: true, response: { 200: sessionsSchema } },
    handler: async (request): Promise<Sessions> => {
      const { userId, sessionId } = memberOf(request)
      const sessions = await listSessions(database, userId)
      return {
        sessions: sessions.map(({ createdAt, lastSeenAt, expiresAt, ...session }) => ({
          ...session,
          isCurrent: session.id === sessionId,
          createdAt: createdAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      }
    },
  })
  app.delete('/web/sessions', {
    config: MEMBER,
    schema: { hide: true, response: { 204: z.null() } },
    handler: async (request, reply) => {
      const { userId, sessionId } = memberOf(request)
      await endOtherSessions(database, userId, sessionId)
      return reply.code(204).send(null)
    },
  })
  app.delete('/web/sessions/:id', {
    config: MEMBER,
    schema: { hide: true, params: z.object({ id: z.string() }), response: { 204: z.null() } },
    handler: async (request, reply) => {
      const { userId, sessionId } = memberOf(request)
      const id = parseId(request.params.id)
      if (!id || !(await endSession(database, userId, id))) throw new RequestError('sessions.not_found')
      if (id === sessionId) clearSessionCookie(request, reply)
      return reply.code(204).send(null)
    },
  })
}

const networkOf = (request: FastifyRequest): string => visitorOf(request).network.toString('hex')

const describeVisitor = async (service: Service, visitor: Visitor): Promise<Me> => {
  const { config, database } = service
  const { member } = visitor
  const owner = (await findActor(service, visitor)) ?? NOBODY
  return {
    version: VERSION,
    signUpOpen: config.signUp === 'open',
    retentionMinutes: config.retentionMinutes,
    user: member && { id: member.userId, name: member.name, email: member.email, isAdmin: member.isAdmin },
    entitlements: await readEntitlements(database, owner, planOf(service, visitor)),
  }
}

/**
 * Counts a try to sign in as a failure until it is forgiven. The pair of address and network first: past its limit the
 * others do not move, so that one who guesses from one place cannot lock the owner out of theirs.
 */
const countSignIn = async ({ database }: Service, email: string, network: string) => {
  const address = email.toLowerCase()
  const pair = `${address}\n${network}`
  await countAttempt(database, 'sign-in', pair, LIMITS.signInPair, MINUTES_15)
  await countAttempt(database, 'sign-in-network', network, LIMITS.signInNetwork, MINUTES_15)
  await countAttempt(database, 'sign-in-email', address, LIMITS.signInEmail, MINUTES_15)
  return {
    forgive: async () => {
      await clearAttempts(database, 'sign-in', pair)
      await returnAttempt(database, 'sign-in-network', network)
      await returnAttempt(database, 'sign-in-email', address)
    },
  }
}
