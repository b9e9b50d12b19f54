import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { errorResponses } from '../schemas.ts'
import type { Service } from '../service.ts'

const config = { access: 'public', query: [] } as const

/** For whoever runs the service: alive, ready, metrics, and the API's description. */
export const operationRoutes = (app: FastifyInstance, { database, blobs, telemetry, sandbox }: Service): void => {
  const tags = ['Operations']
  app.get('/healthz', {
    config,
    schema: {
      summary: 'The process is alive',
      tags,
      response: { 200: z.object({ status: z.string(), version: z.string() }) },
    },
    handler: async () => ({ status: 'ok', version: VERSION }),
  })
  app.get('/readyz', {
    config,
    schema: {
      summary: 'The database and the blob store answer',
      tags,
      response: { 200: z.object({ status: z.string() }), 503: errorResponses([])['503'] },
    },
    handler: async () => {
      try {
        await Promise.all([database.query('select 1'), blobs.check()])
      } catch (cause) {
        throw new RequestError('service.unavailable', {}, { cause })
      }
      return { status: 'ready' }
    },
  })
  app.get('/metrics', {
    config,
    schema: { summary: 'Prometheus metrics', tags, produces: ['text/plain'], response: { 200: z.string() } },
    handler: async (_request, reply) =>
      reply.type(telemetry.contentType).send(await telemetry.render(database, sandbox.stats())),
  })
  app.get('/extract/openapi.json', {
    config: { access: 'key', query: [] },
    schema: {
      summary: 'This description',
      tags,
      response: { 200: z.record(z.string(), z.unknown()), ...errorResponses([]) },
    },
    handler: async () => app.swagger(),
  })
}
