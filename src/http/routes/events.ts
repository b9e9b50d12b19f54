import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createJobStreams } from '../job-stream.ts'
import { errorResponses } from '../schemas.ts'
import type { Service } from '../service.ts'
import { jobParams, takeOwnJob } from './jobs.ts'

/** `GET /extract/job/{id}/events`: the job record at each change, until the job ends. */
export const eventRoutes = (app: FastifyInstance, service: Service): void => {
  const streamJob = createJobStreams(app, service)
  app.get('/extract/job/:id/events', {
    config: { access: 'pro', query: [] },
    schema: {
      summary: 'Server-sent events with the job record',
      tags: ['Jobs'],
      params: jobParams,
      produces: ['text/event-stream'],
      response: {
        200: z.string().describe('Events named `job`; the data is the job record.'),
        ...errorResponses(['api_key.pro_required', 'jobs.forbidden', 'jobs.not_found']),
      },
    },
    handler: async (request, reply) => streamJob(request, reply, await takeOwnJob(service, request)),
  })
}
