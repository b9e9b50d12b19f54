import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { describeConfig } from '../../../config.ts'
import { JOB_FAILURES, REQUEST_ERRORS, WEB_ERRORS } from '../../../core/errors.ts'
import { estimate } from '../../../core/estimate.ts'
import { type AccountPlans, PLAN_IDS } from '../../../core/plans.ts'
import { createDiscovery } from '../../routes/discovery.ts'
import { acceptNoBody, estimateParams } from '../../routes/estimate.ts'
import {
  estimateRequestSchema,
  extractorsSchema,
  optionsDescriptorSchema,
  quoteSchema,
  schemaSchema,
} from '../../schemas.ts'
import type { Service } from '../../service.ts'
import { type Reference, referenceSchema } from '../contract.ts'
import { planOf, visitorOf } from '../visitor.ts'

const config = { access: 'visitor', query: [] } as const
const CACHE_SECONDS = 60

/** What can be sent and what it costs, for whoever looks at the website; the same projections as under `/extract`. */
export const webDiscoveryRoutes = (fastify: FastifyInstance, service: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  const discovery = createDiscovery(service)
  const reference = describeReference(service.config.plans)
  app.get('/web/options/:format', {
    config,
    schema: { hide: true, params: z.object({ format: z.string() }), response: { 200: optionsDescriptorSchema } },
    onSend: keepForAWhile,
    handler: async (request) => discovery.optionsOf(request.params.format),
  })
  app.get('/web/extractors', {
    config,
    schema: { hide: true, response: { 200: extractorsSchema } },
    onSend: keepForAWhile,
    handler: async (request) => discovery.extractors(planOf(service, visitorOf(request))),
  })
  app.get('/web/schema', {
    config,
    schema: { hide: true, response: { 200: schemaSchema } },
    onSend: keepForAWhile,
    handler: async () => discovery.schema(),
  })
  app.post('/web/estimate/:sourceFileExtension', {
    config,
    schema: { hide: true, params: estimateParams, body: estimateRequestSchema, response: { 200: quoteSchema } },
    preValidation: acceptNoBody,
    handler: async (request) =>
      estimate(service.catalog, planOf(service, visitorOf(request)), request.params.sourceFileExtension, request.body),
  })
  app.get('/web/openapi.json', {
    config,
    schema: { hide: true },
    onSend: keepForAWhile,
    handler: async () => fastify.swagger(),
  })
  app.get('/web/reference', {
    config,
    schema: { hide: true, response: { 200: referenceSchema } },
    onSend: keepForAWhile,
    handler: async () => reference,
  })
}

/** An answer is kept, an error never; nor beyond a change of who is signed in, which changes the limits. */
const keepForAWhile = async (_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
  if (reply.statusCode === 200)
    reply.header('cache-control', `private, max-age=${CACHE_SECONDS}`).header('vary', 'cookie')
  return payload
}

/** The tables of the reference. Of the settings only what holds everywhere: the values in force are the operator's. */
const describeReference = (plans: AccountPlans): Reference => ({
  errors: Object.entries(REQUEST_ERRORS).map(([code, error]) => ({
    code,
    ...error,
    webOnly: Object.hasOwn(WEB_ERRORS, code),
  })),
  failures: Object.entries(JOB_FAILURES).map(([code, detail]) => ({ code, detail })),
  plans: PLAN_IDS.map((id) => {
    const { accessDisplayName: _shownElsewhere, ...plan } = plans[id]
    return plan
  }),
  settings: describeConfig({}).map(({ setting, default: fallback, detail }) => ({
    setting,
    default: fallback,
    detail,
  })),
})
