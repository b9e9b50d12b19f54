import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const YEAR_MS = 365 * 86_400_000

/** The paths that are pages; what is on them is for the browser to find out. */
const PAGES = [
  '/',
  '/jobs/:id',
  '/sign-in',
  '/sign-up',
  '/account',
  '/account/*',
  '/admin',
  '/admin/*',
  '/docs',
  '/docs/*',
]
const REFERENCE_PAGE = '/docs/api'
const PUBLIC = { access: 'public' } as const

/** Scripts and styles come from files of this site alone, and nothing talks to any other host. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}
const writePolicy = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

const PAGE_POLICY = writePolicy(POLICY)
// The viewer of the API writes styles as it draws; scripts are held as strictly as everywhere.
const REFERENCE_POLICY = writePolicy({ ...POLICY, 'style-src': "'self' 'unsafe-inline'" })

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  // Addresses of a guest's pages and files carry the proof of ownership.
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

type Page = 'index.html' | 'api.html'

/** Serves the pages as set-up has built them, each with a strict content security policy. */
export const websiteRoutes = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyStatic, { root: DIST, serve: false, preCompressed: true, decorateReply: true })
  const page = (name: Page) => async (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply, name)
  const schema = { hide: true }
  for (const url of PAGES) app.get(url, { config: PUBLIC, schema, handler: page('index.html') })
  app.get(REFERENCE_PAGE, { config: PUBLIC, schema, handler: page('api.html') })
  app.get('/assets/*', {
    config: PUBLIC,
    schema,
    // The names carry a hash of the content.
    handler: async (request, reply) =>
      reply.sendFile(`assets/${(request.params as { '*': string })['*']}`, { maxAge: YEAR_MS, immutable: true }),
  })
  for (const name of ['icon.svg', 'theme.js']) {
    app.get(`/${name}`, { config: PUBLIC, schema, handler: async (_request, reply) => reply.sendFile(name) })
  }
  if (!existsSync(`${DIST}index.html`)) app.log.warn('the website is not built: "npm run setup" does it')
}

const sendPage = (request: FastifyRequest, reply: FastifyReply, name: Page): FastifyReply => {
  reply.headers(PAGE_HEADERS)
  reply.header('content-security-policy', name === 'api.html' ? REFERENCE_POLICY : PAGE_POLICY)
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  if (!existsSync(`${DIST}${name}`)) return reply.type('text/html; charset=utf-8').send(UNBUILT)
  return reply.type('text/html; charset=utf-8').sendFile(name, { cacheControl: false })
}

/** Whether someone is looking for a page, rather than a program for a route. */
export const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  (request.headers.accept ?? '').includes('text/html') &&
  !/^\/(extract|web|assets)(\/|$|\?)/.test(request.url)

/** The page that says that there is no page. */
export const sendMissingPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(request, reply.code(404), 'index.html')

const UNBUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quarry</title>
<h1>Quarry</h1>
<p>The API is at <code>/extract</code>. The website is not built yet: run <code>npm run setup</code>.</p>
</html>
`
