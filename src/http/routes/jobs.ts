import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { JOB_STATES, type JobState } from '../../core/job-states.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { deleteJob } from '../../jobs/delete.ts'
import { findPlacedJob, listJobs, type PlacedJob, toRecord } from '../../jobs/records.ts'
import { callerOf } from '../auth.ts'
import { errorResponses, jobListSchema, jobRecordSchema } from '../schemas.ts'
import type { Service } from '../service.ts'

const tags = ['Jobs']
const config = { access: 'pro', query: [] } as const
export const jobParams = z.object({ id: z.string() })
const OWN = ['api_key.pro_required', 'jobs.forbidden', 'jobs.not_found'] as const

/** The job of the path, if it is the caller's. */
export const takeOwnJob = async ({ database }: Service, request: FastifyRequest): Promise<PlacedJob> => {
  const id = parseId((request.params as { id: string }).id)
  const job = id && (await findPlacedJob(database, id))
  if (!job) throw new RequestError('jobs.not_found')
  if (job.accountId !== callerOf(request).accountId) throw new RequestError('jobs.forbidden')
  return job
}

type JobsPage = { limit: number; cursor?: string; status?: JobState; format?: string; name?: string }

/** A page of an account's jobs, the newest first, and where the next one begins. */
export const pageJobs = async (
  { database }: Service,
  accountId: string,
  { limit, cursor, status, format, name }: JobsPage,
) => {
  const before = cursor === undefined ? null : parseId(cursor)
  if (before === undefined) throw new RequestError('request.invalid_parameter', { path: 'cursor', value: cursor })
  for (const [path, value] of Object.entries({ format, name })) {
    // No name holds it, and the database takes no text with it.
    if (value?.includes('\0')) throw new RequestError('request.invalid_parameter', { path, value })
  }
  const filters = { state: status ?? null, format: format?.toLowerCase() ?? null, name: name ?? null }
  const jobs = await listJobs(database, { accountId, limit: limit + 1, before, ...filters })
  const page = jobs.slice(0, limit)
  return { jobs: page.map(toRecord), nextCursor: jobs.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Status, list, cancel and delete. */
export const jobRoutes = (fastify: FastifyInstance, service: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  app.get('/extract/job/:id', {
    config,
    schema: {
      summary: 'Status of a job',
      tags,
      params: jobParams,
      response: { 200: jobRecordSchema, ...errorResponses(OWN) },
    },
    handler: async (request) => toRecord(await takeOwnJob(service, request)),
  })
  app.get('/extract/jobs', {
    config: { access: 'pro', query: ['limit', 'cursor', 'status'] },
    schema: {
      summary: "The caller's jobs, newest first",
      tags,
      querystring: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(20),
        cursor: z.string().optional().describe('nextCursor of the page before.'),
        status: z.enum(JOB_STATES).optional(),
      }),
      response: {
        200: jobListSchema,
        ...errorResponses(['api_key.pro_required', 'request.invalid_parameter', 'request.unknown_field']),
      },
    },
    handler: async (request) => pageJobs(service, callerOf(request).accountId, request.query),
  })
  app.post('/extract/job/:id/cancel', {
    config,
    schema: {
      summary: 'Cancel a queued or running job',
      tags,
      params: jobParams,
      response: { 202: jobRecordSchema, ...errorResponses([...OWN, 'jobs.not_cancellable']) },
    },
    handler: async (request, reply) => {
      const job = await cancelJob(service, await takeOwnJob(service, request))
      reply.header('location', `/extract/job/${job.id}`)
      return reply.code(202).send(toRecord(job))
    },
  })
  app.delete('/extract/job/:id', {
    config,
    schema: {
      summary: 'Delete a job that has ended, and its result',
      tags,
      params: jobParams,
      response: { 204: z.null().describe('Deleted.'), ...errorResponses([...OWN, 'jobs.not_deletable']) },
    },
    handler: async (request, reply) => {
      await deleteJob(service, await takeOwnJob(service, request))
      return reply.code(204).send(null)
    },
  })
}
