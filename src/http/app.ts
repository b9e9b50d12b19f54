import cookie from '@fastify/cookie'
import swagger, { type FastifyDynamicSwaggerOptions as SwaggerOptions } from '@fastify/swagger'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { createJsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod'
import { RequestError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { VERSION } from '../core/version.ts'
import { createAuthHook } from './auth.ts'
import { endConnectionsOnClose } from './closing.ts'
import { replyWithError, toEnvelope } from './errors.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { downloadRoutes } from './routes/download.ts'
import { estimateRoutes } from './routes/estimate.ts'
import { eventRoutes } from './routes/events.ts'
import { jobRoutes } from './routes/jobs.ts'
import { operationRoutes } from './routes/operations.ts'
import { submitRoutes } from './routes/submit.ts'
import type { Service } from './service.ts'
import { answerBeforeTheBody } from './unread-body.ts'
import { ClientGone } from './upload.ts'
import { webAccountRoutes } from './web/routes/account.ts'
import { webAdminRoutes } from './web/routes/admin.ts'
import { webDiscoveryRoutes } from './web/routes/discovery.ts'
import { webJobRoutes } from './web/routes/jobs.ts'
import { webSessionRoutes } from './web/routes/session.ts'
import { webSubmitRoutes } from './web/routes/submit.ts'
import { sendMissingPage, wantsPage, websiteRoutes } from './website.ts'

const MAX_JSON_BYTES = 1_048_576

/** The HTTP side of the service, not yet listening. */
export const createApp = async (service: Service): Promise<FastifyInstance> => {
  const { config, log, telemetry } = service
  const app = Fastify({
    loggerInstance: log as never,
    // The hook below logs each answer once, with its route and its time.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    bodyLimit: MAX_JSON_BYTES,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // An upload may take as long as it takes; a client that sends nothing at all is cut off.
    requestTimeout: 0,
    connectionTimeout: 120_000,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenHttp,
    // A path that cannot be decoded never reaches a route, nor its hooks.
    frameworkErrors: (error, request, reply) =>
      void replyWithError(error, request, reply.header('x-request-id', request.id)),
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(validatorCompiler)
  // The response schemas describe; the routes' own types already hold them to it.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ClientGone) {
      request.log.info('the client went away during an upload')
      reply.hijack()
      return request.raw.socket.destroy()
    }
    return replyWithError(error, request, reply)
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('visitor', null)
  // Registered first: who visits is known by a cookie, before any other hook.
  await app.register(cookie)
  answerBeforeTheBody(app)
  endConnectionsOnClose(app, config.shutdownSeconds * 1000)
  const allowedMethods = answerUnknownRoutes(app)
  const authenticate = createAuthHook(service)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    await authenticate(request, reply)
    const allowed = request.routeOptions.config.query
    for (const field of Object.keys(request.query as object)) {
      if (allowed && !allowed.includes(field)) throw new RequestError('request.unknown_field', { field, allowed })
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    const seconds = reply.elapsedTime / 1000
    const route = request.routeOptions.url ?? 'unknown'
    telemetry.requestAnswered(route, request.method, reply.statusCode, seconds)
    request.log.debug({ method: request.method, route, status: reply.statusCode, seconds }, 'answered')
  })
  takeBodies(app)
  await app.register(swagger, { openapi: OPENAPI, transform: describeRoute })
  for (const register of [
    submitRoutes,
    estimateRoutes,
    discoveryRoutes,
    jobRoutes,
    downloadRoutes,
    eventRoutes,
    operationRoutes,
    webSessionRoutes,
    webAccountRoutes,
    webSubmitRoutes,
    webJobRoutes,
    webDiscoveryRoutes,
    webAdminRoutes,
  ]) {
    register(app, service)
  }
  await websiteRoutes(app)
  allowedMethods.freeze()
  return app
}

/** JSON bodies, empty ones too; multipart bodies are left to the upload; anything else is refused. */
const takeBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if ((body as string).trim() === '') return done(null, {})
    try {
      done(null, JSON.parse(body as string))
    } catch (cause) {
      done(new RequestError('request.malformed', {}, { detail: 'The body is not JSON.', cause }) as never)
    }
  })
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (request.routeOptions.schema?.consumes?.includes('multipart/form-data')) return done(null)
    done(new RequestError('request.invalid_content_type', { allowed: ['application/json'] }) as never)
  })
  app.addContentTypeParser('*', (request, _payload, done) => {
    // `curl -d ''` names a type for a body that is not there.
    if (request.headers['content-length'] === '0') return done(null)
    const multipart = request.routeOptions.schema?.consumes?.includes('multipart/form-data')
    done(
      new RequestError('request.invalid_content_type', {
        allowed: [multipart ? 'multipart/form-data' : 'application/json'],
      }) as never,
    )
  })
}

/** 404 for paths that do not exist, 405 with `Allow` for methods that a path does not take. */
const answerUnknownRoutes = (app: FastifyInstance) => {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  let frozen = false
  app.addHook('onRoute', ({ url, method }) => {
    if (frozen) return
    const pattern = new RegExp(
      `^${url
        .replace(/:[^/]+/g, '[^/]+')
        .replace('*', '.*')
        .replace(/\/$/, '')}/?$`,
    )
    routes.push({ pattern, methods: [method].flat() })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allow = [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
    reply.header('x-request-id', request.id)
    if (allow.length === 0 && wantsPage(request)) return sendMissingPage(request, reply)
    // A route that takes the method has itself found nothing.
    if (allow.length === 0 || allow.includes(request.method))
      return replyWithError(new RequestError('route.not_found'), request, reply)
    reply.header('allow', allow.join(', '))
    return replyWithError(
      new RequestError('route.method_not_allowed', { method: request.method, allowed: allow }),
      request,
      reply,
    )
  })
  return { freeze: () => (frozen = true) }
}

const answerBrokenHttp = (error: Error & { code?: string }, socket: import('node:net').Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const requestId = newId()
  const body = JSON.stringify(
    toEnvelope(new RequestError('request.malformed', {}, { detail: 'This is not HTTP.' }), requestId),
  )
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Quarry', version: VERSION, description: 'One file in, one ZIP of artifacts out, one debit taken.' },
  components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Fast-Api-Key' } } },
  security: [{ apiKey: [] }],
} satisfies SwaggerOptions['openapi']

const UPLOAD_BODY = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'Exactly one source file.' },
    options: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The options object, as JSON text; see GET /extract/options/{format}.',
    },
  },
}

const zodTransform = createJsonSchemaTransform({ skipList: [] })
const describeRoute: typeof zodTransform = (input) => {
  const { schema, url } = zodTransform(input)
  const config = (input.route as { config?: { access?: string } }).config
  const security = config?.access === 'public' ? { security: [] } : {}
  const body = schema.consumes?.includes('multipart/form-data') ? { body: UPLOAD_BODY } : {}
  const response = describeErrors(schema.response as Record<string, { description?: string }> | undefined)
  return { schema: { ...schema, ...security, ...body, response }, url }
}

// `produces` would speak for the errors of a route too, and they are always JSON.
const describeErrors = (responses: Record<string, { description?: string }> = {}) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, schema]) =>
      Number(status) < 400
        ? [status, schema]
        : [status, { description: schema.description, content: { 'application/json': { schema } } }],
    ),
  )
