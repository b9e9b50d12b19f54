import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { estimate } from '../../core/estimate.ts'
import { callerOf } from '../auth.ts'
import { errorResponses, estimateRequestSchema, quoteSchema } from '../schemas.ts'
import type { Service } from '../service.ts'

const ERRORS = [
  'estimate.unsupported_format',
  'estimate.invalid_file_size',
  'estimate.duration_limit_exceeded',
  'estimate.exact_metrics_required',
  'request.invalid_content_type',
  'request.malformed',
  'request.unknown_field',
  'request.invalid_parameter',
  'request.constraint_violated',
  'request.file_too_large',
] as const

export const estimateParams = z.object({
  sourceFileExtension: z.string().describe('With or without a leading dot.'),
})

/** A request without a body has no size, and is told so. */
export const acceptNoBody = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {}
}

/** `POST /extract/estimate/{ext}`: the price of a file nobody has sent. */
export const estimateRoutes = (app: FastifyInstance, { catalog }: Service): void => {
  app.withTypeProvider<ZodTypeProvider>().post('/extract/estimate/:sourceFileExtension', {
    config: { access: 'key', query: [] },
    schema: {
      summary: 'Quote a job from metrics, without the file',
      tags: ['Pricing'],
      params: estimateParams,
      body: estimateRequestSchema,
      response: { 200: quoteSchema, ...errorResponses(ERRORS) },
    },
    preValidation: acceptNoBody,
    handler: async (request) =>
      estimate(catalog, callerOf(request).accountPlan, request.params.sourceFileExtension, request.body),
  })
}
