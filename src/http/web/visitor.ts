import type { FastifyReply, FastifyRequest } from 'fastify'
import { ensureGuestAccount, findGuestAccount, hashNetwork } from '../../accounts/guests.ts'
import { checkProof } from '../../accounts/proofs.ts'
import { findMember, type Member } from '../../accounts/sessions.ts'
import { RequestError } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import type { AccountPlan } from '../../core/plans.ts'
import { findPlacedJob, type PlacedJob } from '../../jobs/records.ts'
import type { Service } from '../service.ts'

/** Whoever looks at the website: signed in, or a guest known by the network they come from. */
export type Visitor = { member: Member | null; network: Buffer }

/** An account that something is done for. */
export type Actor = { accountId: string; userId: string; accountPlan: AccountPlan }

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
}

/** The member of the request's session cookie, if there is one. */
export const readMember = async (service: Service, request: FastifyRequest): Promise<Member | null> => {
  const token = request.cookies[cookieName(request)]
  return (token && (await findMember(service.database, token))) || null
}

/** Who visits; changes are taken only from the site's own pages, which browsers tell by the Origin header. */
export const readVisitor = async (service: Service, request: FastifyRequest): Promise<Visitor> => {
  if (!['GET', 'HEAD'].includes(request.method) && request.headers.origin !== ownOrigin(request)) {
    throw new RequestError('session.cross_origin', { expected: ownOrigin(request) })
  }
  const member = await readMember(service, request)
  return { member, network: hashNetwork(service.signingKey, request.ip) }
}

export const visitorOf = (request: FastifyRequest): Visitor => {
  if (!request.visitor) throw new Error('the route is not one of the website')
  return request.visitor
}

/** The member that the hook let in. */
export const memberOf = (request: FastifyRequest): Member => {
  const { member } = visitorOf(request)
  if (!member) throw new RequestError('session.required')
  return member
}

/** The plan in force for a visitor, without opening an account for a guest. */
export const planOf = ({ config }: Service, { member }: Visitor): AccountPlan => config.plans[member?.plan ?? 'guest']

/** The account a visitor already has; null for guests of a network that never did anything. */
export const findActor = async (service: Service, visitor: Visitor): Promise<Actor | null> => {
  const account = visitor.member ?? (await findGuestAccount(service.database, visitor.network))
  if (!account) return null
  return { accountId: account.accountId, userId: account.userId, accountPlan: planOf(service, visitor) }
}

/** The account that a visitor acts for; a guest's is opened with the first thing they do. */
export const ensureActor = async (service: Service, visitor: Visitor): Promise<Actor> => {
  const { accountId, userId } = visitor.member ?? (await ensureGuestAccount(service.database, visitor.network))
  return { accountId, userId, accountPlan: planOf(service, visitor) }
}

/**
 * The job of the path, if the visitor is its owner: by session, or by a proof in the query. A guest has only the
 * proof, because others on the same network share the account.
 */
export const takeVisitorJob = async (
  service: Service,
  request: FastifyRequest,
  member: Member | null,
): Promise<PlacedJob> => {
  const id = parseId((request.params as { id: string }).id)
  const job = id && (await findPlacedJob(service.database, id))
  const { proof } = request.query as { proof?: string }
  const isProven = id !== undefined && proof !== undefined && checkProof(service.signingKey, id, proof)
  if (!job) throw new RequestError('jobs.not_found')
  if (!isProven && job.accountId !== member?.accountId) throw new RequestError('jobs.forbidden')
  return job
}

// ---- The cookie ----

/** As long as browsers keep one: the session itself ends earlier, in the database, when it is not used. */
const COOKIE_DAYS = 400

/** With `__Host-` a browser takes the cookie only over https, for this host and every path: nobody else can set it. */
const cookieName = (request: FastifyRequest): string =>
  request.protocol === 'https' ? '__Host-quarry_session' : 'quarry_session'

export const hasSessionCookie = (request: FastifyRequest): boolean => request.cookies[cookieName(request)] !== undefined

const cookieOptions = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const

export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, token: string): FastifyReply =>
  reply.setCookie(cookieName(request), token, { ...cookieOptions(request), maxAge: COOKIE_DAYS * 86_400 })

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.clearCookie(cookieName(request), cookieOptions(request))

/** Scheme, name and port as the browser sees them; behind a proxy, as the proxy tells it. */
const ownOrigin = (request: FastifyRequest): string => `${request.protocol}://${request.host}`
