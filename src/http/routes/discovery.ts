import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readEntitlements } from '../../accounts/entitlements.ts'
import { type Format, findFormat, normalizeExtension } from '../../core/catalog.ts'
import { describeExtractor, describeOptions, describeSchema } from '../../core/discovery.ts'
import { RequestError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { callerOf } from '../auth.ts'
import {
  entitlementsSchema,
  errorResponses,
  extractorsSchema,
  optionsDescriptorSchema,
  schemaSchema,
} from '../schemas.ts'
import type { Service } from '../service.ts'

const tags = ['Discovery']
const config = { access: 'key', query: [] } as const

/** What can be sent, with which options, at which price, and by whom: projections of the catalog and the account. */
export const discoveryRoutes = (fastify: FastifyInstance, { catalog, database, hasTool }: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  const take = (text: string): { format: Format; extension: string } => {
    const extension = normalizeExtension(text)
    const format = findFormat(catalog, extension)
    if (!format) throw new RequestError('formats.not_found', { format: extension })
    return { format, extension }
  }
  app.get('/extract/options/:format', {
    config,
    schema: {
      summary: 'Capabilities, options and constraints of a format',
      tags,
      params: z.object({ format: z.string() }),
      response: { 200: optionsDescriptorSchema, ...errorResponses(['formats.not_found']) },
    },
    handler: async (request) => {
      const { format, extension } = take(request.params.format)
      return describeOptions(format, extension, hasTool)
    },
  })
  app.get('/extract/extractors', {
    config,
    schema: { summary: 'Every extractor', tags, response: { 200: extractorsSchema, ...errorResponses([]) } },
    handler: async (request) => {
      const plan = callerOf(request).accountPlan
      return { extractors: catalog.formats.map((format) => describeExtractor(format, null, plan, hasTool)) }
    },
  })
  app.get('/extract/extractors/:sourceFileType', {
    config,
    schema: {
      summary: 'The extractors that take one extension',
      tags,
      params: z.object({ sourceFileType: z.string() }),
      response: { 200: extractorsSchema, ...errorResponses(['formats.not_found']) },
    },
    handler: async (request) => {
      const { format, extension } = take(request.params.sourceFileType)
      return { extractors: [describeExtractor(format, extension, callerOf(request).accountPlan, hasTool)] }
    },
  })
  app.get('/extract/schema', {
    config,
    schema: {
      summary: 'Compact list of supported formats',
      tags,
      response: { 200: schemaSchema, ...errorResponses([]) },
    },
    handler: async () => describeSchema(catalog, VERSION),
  })
  app.get('/extract/entitlements/me', {
    config,
    schema: {
      summary: 'Credits and limits of the key owner',
      tags: ['Account'],
      response: { 200: entitlementsSchema, ...errorResponses([]) },
    },
    handler: async (request) => {
      const caller = callerOf(request)
      return readEntitlements(database, caller, caller.accountPlan)
    },
  })
}
