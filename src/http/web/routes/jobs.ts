import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { cancelJob } from '../../../jobs/cancel.ts'
import { deleteJob } from '../../../jobs/delete.ts'
import { toRecord } from '../../../jobs/records.ts'
import { createJobStreams } from '../../job-stream.ts'
import { jobParams, pageJobs } from '../../routes/jobs.ts'
import type { Service } from '../../service.ts'
import { jobsQuery, proofQuery } from '../contract.ts'
import { memberOf, takeVisitorJob, visitorOf } from '../visitor.ts'
import { webFileRoutes } from './files.ts'

/** The jobs of a member, and single jobs of whoever owns them. */
export const webJobRoutes = (fastify: FastifyInstance, service: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  const streamJob = createJobStreams(fastify, service)
  const take = (request: FastifyRequest) => takeVisitorJob(service, request, visitorOf(request).member)
  const one = {
    config: { access: 'visitor', query: ['proof'] },
    schema: { hide: true, params: jobParams, querystring: proofQuery },
  } as const
  app.get('/web/jobs', {
    config: { access: 'member', query: ['limit', 'cursor', 'status', 'format', 'name'] },
    schema: { hide: true, querystring: jobsQuery },
    handler: async (request) => pageJobs(service, memberOf(request).accountId, request.query),
  })
  app.get('/web/jobs/:id', { ...one, handler: async (request) => toRecord(await take(request)) })
  app.get('/web/jobs/:id/events', {
    ...one,
    handler: async (request, reply) => streamJob(request, reply, await take(request)),
  })
  app.post('/web/jobs/:id/cancel', {
    ...one,
    handler: async (request, reply) => reply.code(202).send(toRecord(await cancelJob(service, await take(request)))),
  })
  app.delete('/web/jobs/:id', {
    ...one,
    handler: async (request, reply) => {
      await deleteJob(service, await take(request))
      return reply.code(204).send(null)
    },
  })
  webFileRoutes(fastify, service)
}
