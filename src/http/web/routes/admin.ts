import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { setPlan } from '../../../accounts/accounts.ts'
import { type AdminAccountRecord, findAdminAccount, listAdminAccounts } from '../../../accounts/admin-accounts.ts'
import { grantCredits } from '../../../accounts/ledger.ts'
import { listPools } from '../../../core/catalog.ts'
import { RequestError } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { readOverview } from '../../../jobs/overview.ts'
import { findPlacedJob, listJobs, type PlacedJob, toRecord } from '../../../jobs/records.ts'
import { refundJob } from '../../../jobs/refund.ts'
import type { Service } from '../../service.ts'
import {
  type AdminAccount,
  type AdminJob,
  adminAccountSchema,
  adminAccountsQuery,
  adminAccountsSchema,
  adminJobSchema,
  adminJobsQuery,
  adminJobsSchema,
  grantBody,
  overviewSchema,
  planBody,
  refundBody,
} from '../contract.ts'
import { memberOf } from '../visitor.ts'

const config = { access: 'admin', query: [] } as const
const params = z.object({ id: z.string() })

/** What operators see and do: the state of the service, every account, every job. */
export const webAdminRoutes = (fastify: FastifyInstance, service: Service): void => {
  const { database, catalog } = service
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  const pools = listPools(catalog)

  const takeAccount = async (text: string): Promise<AdminAccountRecord> => {
    const id = parseId(text)
    const account = id && (await findAdminAccount(database, id))
    if (!account) throw new RequestError('accounts.not_found')
    return account
  }
  const withAccounts = async (jobs: readonly PlacedJob[]): Promise<AdminJob[]> => {
    const rows = await database.query<{ id: string; name: string }>(
      'select id, name from accounts where id = any($1::uuid[])',
      [jobs.map(({ accountId }) => accountId)],
    )
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return jobs.map((job) => ({
      accountId: job.accountId,
      accountName: names.get(job.accountId) ?? '',
      record: toRecord(job),
    }))
  }

  app.get('/web/admin/overview', {
    config,
    schema: { hide: true, response: { 200: overviewSchema } },
    onRequest: neverKeep,
    handler: async () => {
      const { heartbeatSeconds } = service.config
      const overview = await readOverview(database, { pools, heartbeatSeconds })
      return {
        ...overview,
        workers: overview.workers.map((worker) => ({
          ...worker,
          startedAt: worker.startedAt.toISOString(),
          seenAt: worker.seenAt.toISOString(),
        })),
        failures: overview.failures.map((failure) => ({ ...failure, lastAt: failure.lastAt.toISOString() })),
      }
    },
  })
  app.get('/web/admin/accounts', {
    config: { access: 'admin', query: ['search', 'plan', 'limit', 'cursor'] },
    schema: { hide: true, querystring: adminAccountsQuery, response: { 200: adminAccountsSchema } },
    onRequest: neverKeep,
    handler: async (request) => {
      const { search = '', plan = null, limit, cursor } = request.query
      const before = takeId('cursor', cursor)
      const accounts = await listAdminAccounts(database, { search, plan, before, limit: limit + 1 })
      const page = accounts.slice(0, limit)
      return {
        accounts: page.map(toAnswer),
        nextCursor: accounts.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  })
  app.get('/web/admin/accounts/:id', {
    config,
    schema: { hide: true, params, response: { 200: adminAccountSchema } },
    onRequest: neverKeep,
    handler: async (request) => toAnswer(await takeAccount(request.params.id)),
  })
  app.post('/web/admin/accounts/:id/credits', {
    config,
    schema: { hide: true, params, body: grantBody, response: { 200: adminAccountSchema } },
    onRequest: neverKeep,
    handler: async (request) => {
      const { id } = await takeAccount(request.params.id)
      const { bucket, credits, note } = request.body
      await grantCredits(database, { accountId: id, bucket, credits, note: signNote(request, note || 'granted') })
      request.log.info({ accountId: id, bucket, credits, by: memberOf(request).userId }, 'credits granted')
      return toAnswer(await takeAccount(id))
    },
  })
  app.post('/web/admin/accounts/:id/plan', {
    config,
    schema: { hide: true, params, body: planBody, response: { 200: adminAccountSchema } },
    onRequest: neverKeep,
    handler: async (request) => {
      const { id, plan: before } = await takeAccount(request.params.id)
      const { plan } = request.body
      await setPlan(database, id, plan)
      request.log.info({ accountId: id, before, plan, by: memberOf(request).userId }, 'plan changed')
      return toAnswer(await takeAccount(id))
    },
  })
  app.get('/web/admin/jobs', {
    config: { access: 'admin', query: ['status', 'accountId', 'limit', 'cursor'] },
    schema: { hide: true, querystring: adminJobsQuery, response: { 200: adminJobsSchema } },
    onRequest: neverKeep,
    handler: async (request) => {
      const { status, accountId, limit, cursor } = request.query
      const jobs = await listJobs(database, {
        accountId: takeId('accountId', accountId),
        limit: limit + 1,
        before: takeId('cursor', cursor),
        state: status ?? null,
      })
      const page = jobs.slice(0, limit)
      return {
        jobs: await withAccounts(page),
        nextCursor: jobs.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  })
  app.post('/web/admin/jobs/:id/refund', {
    config,
    schema: { hide: true, params, body: refundBody, response: { 200: adminJobSchema } },
    onRequest: neverKeep,
    handler: async (request) => {
      const id = parseId(request.params.id)
      const job = id && (await findPlacedJob(database, id))
      if (!job) throw new RequestError('jobs.not_found')
      const refunded = await refundJob(database, job.id, signNote(request, request.body.note))
      if (!refunded) throw new RequestError('jobs.not_refundable', { status: job.state, billing: job.billing })
      const by = memberOf(request).userId
      request.log.info({ jobId: job.id, credits: refunded.refundedCredits, by }, 'job refunded')
      const [answer] = await withAccounts([{ ...refunded, position: null }])
      return answer as AdminJob
    },
  })
}

/** What an operator sees is true now, and nobody else's to find in a cache. */
const neverKeep = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  reply.header('cache-control', 'no-store')
}

/** The id of a query parameter; null where there is none. */
const takeId = (path: string, value: string | undefined): string | null => {
  if (value === undefined) return null
  const id = parseId(value)
  if (!id) throw new RequestError('request.invalid_parameter', { path, value })
  return id
}

/** The ledger tells by whom: what an operator gives is on record as theirs. */
const signNote = (request: FastifyRequest, note: string): string => `${note} (by ${memberOf(request).email})`

const toAnswer = (account: AdminAccountRecord): AdminAccount => ({
  ...account,
  createdAt: account.createdAt.toISOString(),
  lastJobAt: account.lastJobAt?.toISOString() ?? null,
})
