import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, 'api')
})
afterAll(() => service.stop())

const look = (path: string, headers: Record<string, string> = { accept: 'text/html' }): Promise<Response> =>
  fetch(`${service.base}${path}`, { headers, redirect: 'manual' })

/** The directives of a content security policy. */
const policyOf = (response: Response): Map<string, string> =>
  new Map(
    (response.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((directive) => directive.split(/ (.*)/s) as [string, string]),
  )

const PAGES = [
  '/',
  '/jobs/0',
  '/sign-in',
  '/sign-up',
  '/account',
  '/account/keys',
  '/admin/jobs',
  '/docs',
  '/docs/errors',
]

test.each(PAGES)('%s is a page that runs nothing but scripts of this site', async (path) => {
  const response = await look(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = policyOf(response)
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('script-src')).toBe("'self'")
  expect(policy.get('style-src')).toBe("'self'")
  expect(policy.get('connect-src')).toBe("'self'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/)
})

test('the viewer of the API may write styles, and no more', async () => {
  const policy = policyOf(await look('/docs/api'))
  expect(policy.get('style-src')).toBe("'self' 'unsafe-inline'")
  expect(policy.get('script-src')).toBe("'self'")
})

test('a page that is not there is said to be missing, by a page to people and by the envelope to programs', async () => {
  const page = await look('/no/such/page')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(policyOf(page).get('script-src')).toBe("'self'")
  const file = await look('/assets/none.js')
  expect([file.status, ((await file.json()) as { code: string }).code]).toEqual([404, 'route.not_found'])
  expect((await look('/extract/none')).headers.get('content-type')).toMatch('application/json')
  expect((await look('/web/none')).headers.get('content-type')).toMatch('application/json')
})

test('scripts come compressed, and stay in the cache for as long as their name', async () => {
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(await (await look('/')).text()) ?? []
  const response = await look(script ?? '', { 'accept-encoding': 'br' })
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-type')).toMatch('javascript')
  expect((await look(script ?? '', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull()
})

test.each(['/assets/../index.html', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json'])(
  'nothing outside the built site is served: %s',
  async (path) => {
    const response = await look(path, {})
    expect(response.status).toBeGreaterThanOrEqual(300)
    expect(await response.text()).not.toContain('"dependencies"')
  },
)
