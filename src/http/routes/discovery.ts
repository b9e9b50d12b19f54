import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readEntitlements } from '../../accounts/entitlements.ts'
import { type Format, findFormat, normalizeExtension } from '../../core/catalog.ts'
import { describeExtractor, describeOptions, describeSchema } from '../../core/discovery.ts'
import { RequestError } from '../../core/errors.ts'
import type { AccountPlan } from '../../core/plans.ts'
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

/** The projections of the catalog, as clients with a key and visitors of the website both get them. */
export const createDiscovery = ({ catalog, hasTool }: Service) => {
  const take = (text: string): { format: Format; extension: string } => {
    const extension = normalizeExtension(text)
    const format = findFormat(catalog, extension)
    if (!format) throw new RequestError('formats.not_found', { format: extension })
    return { format, extension }
  }
  return {
    optionsOf: (text: string) => {
      const { format, extension } = take(text)
      return describeOptions(format, extension, hasTool)
    },
    extractors: (plan: AccountPlan) => ({
      extractors: catalog.formats.map((format) => describeExtractor(format, null, plan, hasTool)),
    }),
    extractorsOf: (text: string, plan: AccountPlan) => {
      const { format, extension } = take(text)
      return { extractors: [describeExtractor(format, extension, plan, hasTool)] }
    },
    schema: () => describeSchema(catalog, VERSION),
  }
}

/** What can be sent, with which options, at which price, and by whom: projections of the catalog and the account. */
export const discoveryRoutes = (fastify: FastifyInstance, service: Service): void => {
  const app = fastify.withTypeProvider<ZodTypeProvider>()
  const discovery = createDiscovery(service)
  app.get('/extract/options/:format', {
    config,
    schema: {
      summary: 'Capabilities, options and constraints of a format',
      tags,
      params: z.object({ format: z.string() }),
      response: { 200: optionsDescriptorSchema, ...errorResponses(['formats.not_found']) },
    },
    handler: async (request) => discovery.optionsOf(request.params.format),
  })
  app.get('/extract/extractors', {
    config,
    schema: { summary: 'Every extractor', tags, response: { 200: extractorsSchema, ...errorResponses([]) } },
    handler: async (request) => discovery.extractors(callerOf(request).accountPlan),
  })
  app.get('/extract/extractors/:sourceFileType', {
    config,
    schema: {
      summary: 'The extractors that take one extension',
      tags,
      params: z.object({ sourceFileType: z.string() }),
      response: { 200: extractorsSchema, ...errorResponses(['formats.not_found']) },
    },
    handler: async (request) => discovery.extractorsOf(request.params.sourceFileType, callerOf(request).accountPlan),
  })
  app.get('/extract/schema', {
    config,
    schema: {
      summary: 'Compact list of supported formats',
      tags,
      response: { 200: schemaSchema, ...errorResponses([]) },
    },
    handler: async () => discovery.schema(),
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
      return readEntitlements(service.database, caller, caller.accountPlan)
    },
  })
}
