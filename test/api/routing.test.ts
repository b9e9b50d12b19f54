import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { openSocket, sendRaw, until } from './multipart.ts'

let service: TestService
/** One more API, that allows five requests a minute. */
let slow: RunningProcess
let account: TestAccount
let client: TestClient
let jobId: string
beforeAll(async () => {
  service = await startTestService()
  slow = await service.start('api', { QUARRY_RATE_LIMIT_PER_MINUTE: '5' })
  account = await service.account()
  client = createClient(service.base, account.key)
  jobId = (await client.extract('a.txt', 'a')).id
})
afterAll(() => service.stop())

describe('404 route.not_found', () => {
  test.each([
    '/extract/nothing',
    '/extract/estimate',
    '/extract/options',
    '/extract/options/txt/more',
    '/extract/entitlements',
    '/extract/entitlements/you',
    '/extract/job',
    '/extract/transcribe/x',
    '/extracts',
    '/extract%2Fschema',
    '/EXTRACT/schema',
    '/extract//schema',
    '/schema',
    '/console',
    '/.env',
  ])('%s', async (path) => {
    expectError(await client.get(path), 404, 'route.not_found')
  })
  test('401 before it, without a key', async () => {
    expectError(await createClient(service.base, null).get('/extract/nothing'), 401, 'api_key.required')
  })
})

describe('405 route.method_not_allowed', () => {
  test.each([
    ['GET', '/extract', 'POST'],
    ['DELETE', '/extract', 'POST'],
    ['GET', '/extract/transcribe', 'POST'],
    ['GET', '/extract/estimate/txt', 'POST'],
    ['POST', '/extract/options/txt', 'GET, HEAD'],
    ['POST', '/extract/schema', 'GET, HEAD'],
    ['PUT', '/extract/entitlements/me', 'GET, HEAD'],
    ['PATCH', '/extract/job/JOB', 'DELETE, GET, HEAD'],
    ['POST', '/extract/job/JOB/download', 'GET, HEAD'],
    ['GET', '/extract/job/JOB/cancel', 'POST'],
    ['DELETE', '/extract/jobs', 'GET, HEAD'],
    ['POST', '/extract/openapi.json', 'GET, HEAD'],
    ['PROPFIND', '/extract/schema', 'GET, HEAD'],
  ])('%s %s, with Allow: %s', async (method, path, allow) => {
    const answer = await client.call(method, path.replace('JOB', jobId))
    const body = expectError(answer, 405, 'route.method_not_allowed', { method })
    const allowed = (answer.headers.get('allow') ?? '').split(', ').sort()
    expect(allowed.join(', ')).toBe(allow)
    expect([...(body.params.allowed as string[])].sort()).toEqual(allowed)
  })
  test('a slash at the end changes nothing', async () => {
    const answer = await client.get('/extract/')
    expectError(answer, 405, 'route.method_not_allowed')
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('a slash at the end', () => {
  test.each([
    '/extract/schema/',
    '/extract/extractors/',
    '/extract/extractors/txt/',
    '/extract/options/txt/',
    '/extract/jobs/',
  ])('200: GET %s', async (path) => {
    expect((await client.get(path)).status).toBe(200)
  })
  test('202 and 200: submission, estimate, job', async () => {
    expect((await client.submit('a.txt', 'a', undefined, { path: '/extract/' })).status).toBe(202)
    const json = { fileSizeMb: 1 }
    expect((await client.call('POST', '/extract/estimate/txt/', { json })).status).toBe(200)
    expect((await client.get(`/extract/job/${jobId}/`)).status).toBe(200)
    expect((await client.download(`${jobId}`)).status).toBe(200)
  })
})

describe('400 request.unknown_field: a query parameter', () => {
  test.each([
    ['POST', '/extract'],
    ['POST', '/extract/transcribe'],
    ['POST', '/extract/estimate/txt'],
    ['GET', '/extract/options/txt'],
    ['GET', '/extract/extractors'],
    ['GET', '/extract/extractors/txt'],
    ['GET', '/extract/schema'],
    ['GET', '/extract/entitlements/me'],
    ['GET', '/extract/openapi.json'],
    ['GET', '/extract/job/JOB'],
    ['GET', '/extract/job/JOB/download', ['proof']],
    ['GET', '/extract/job/JOB/events'],
    ['POST', '/extract/job/JOB/cancel'],
    ['DELETE', '/extract/job/JOB'],
  ])('%s %s', async (method, path, allowed: string[] = []) => {
    const answer = await client.call(method, `${path.replace('JOB', jobId)}?verbose=1`)
    expectError(answer, 400, 'request.unknown_field', { field: 'verbose', allowed })
  })
  test('401 before it, without a key', async () => {
    expectError(await createClient(service.base, null).get('/extract/schema?a=1'), 401, 'api_key.required')
  })
})

describe('CORS is off', () => {
  test('no answer has an Access-Control header', async () => {
    const origin = { Origin: 'https://example.com' }
    const preflight = { ...origin, 'Access-Control-Request-Method': 'POST' }
    const answers = [
      await client.get('/extract/schema', origin),
      await client.call('OPTIONS', '/extract', { headers: preflight }),
      await createClient(service.base, null).call('OPTIONS', '/extract', { headers: preflight }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 401])
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('request ids', () => {
  test('every answer has one of its own, and errors repeat it', async () => {
    const answers = [
      await client.get('/extract/schema'),
      await client.get('/healthz'),
      await client.get('/extract/nothing'),
      await client.submit('a.txt', 'a'),
      await createClient(service.base, null).get('/extract/schema'),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })
  test('a client cannot choose it', async () => {
    const { headers } = await client.get('/extract/schema', { 'X-Request-Id': 'mine' })
    expect(headers.get('x-request-id')).not.toBe('mine')
  })
})

describe('rate', () => {
  const read = (headers: Headers) => ({
    limit: Number(headers.get('ratelimit-limit')),
    remaining: Number(headers.get('ratelimit-remaining')),
    reset: Number(headers.get('ratelimit-reset')),
  })
  test('200: RateLimit headers on every answer to a key', async () => {
    const fresh = createClient(service.base, (await service.account()).key)
    const first = (await fresh.get('/extract/schema')).headers
    expect(read(first).limit).toBe(120_000)
    expect(read(first).reset).toBeGreaterThan(0)
    expect(read(first).reset).toBeLessThanOrEqual(60)
    expect(first.get('ratelimit-policy')).toBe('"default";q=120000;w=60')
    expect(first.get('ratelimit')).toBe(`"default";r=${read(first).remaining};t=${read(first).reset}`)
    for (const answer of [await fresh.get('/extract/nothing'), await fresh.submit('a.nope', 'a')]) {
      expect(read(answer.headers).limit).toBe(120_000)
    }
  })
  /** Asks again when the minute turned between the requests: then the count began anew. */
  const spend = async (asking: TestClient, count: number) => {
    const answers = []
    for (let i = 0; i < count; i++) answers.push(await asking.get('/extract/schema'))
    return answers
  }
  test('429 rate_limited: with Retry-After, for this key alone', async () => {
    const limited = createClient(slow.base, (await service.account()).key)
    const answers = await until(
      () => spend(limited, 6),
      (all) => all.at(-1)?.status === 429,
    )
    const last = answers.at(-1)
    if (!last) return expect.fail('nothing was asked')
    const body = expectError(last, 429, 'rate_limited', { limitPerMinute: 5 })
    const retryAfter = Number(last.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(body.params.retryAfterSeconds).toBe(retryAfter)
    expect(read(last.headers)).toMatchObject({ limit: 5, remaining: 0, reset: retryAfter })
    const other = createClient(slow.base, (await service.account()).key)
    expect((await other.get('/extract/schema')).status).toBe(200)
    expect((await createClient(slow.base, null).get('/healthz')).status).toBe(200)
  })
  test('429 rate_limited: guessing keys is limited by address', async () => {
    const guess = () => createClient(slow.base, `fast_prod_${Math.random()}`).get<ErrorBody>('/extract/schema')
    const answer = await until(guess, ({ status }) => status !== 401)
    expectError(answer, 429, 'rate_limited')
    // Who has a key is not kept out by who has none.
    const known = createClient(slow.base, (await service.account()).key)
    expect((await known.get('/extract/schema')).status).toBe(200)
  })
})

describe('400 request.malformed: what is hardly HTTP', () => {
  const parse = ({ status, headers, body }: { status: number; headers: Headers; body: string }) => ({
    status,
    headers,
    body: JSON.parse(body) as ErrorBody,
  })
  test.each([
    ['a path that cannot be decoded', '/extract/job/%E0%A4%A'],
    ['a bad escape', '/extract/options/%zz'],
    ['a very long parameter', `/extract/job/${'a'.repeat(2000)}`],
  ])('%s', async (_, path) => {
    expectError(await client.get(path), 400, 'request.malformed')
  })
  test('no HTTP at all', async () => {
    expectError(parse(await sendRaw(service.base, 'hello\r\n\r\n')), 400, 'request.malformed')
  })
  test('headers without end', async () => {
    const lines = `GET /healthz HTTP/1.1\r\nHost: x\r\n${'X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(2000)}\r\n`
    expectError(parse(await sendRaw(service.base, lines)), 400, 'request.malformed')
  })
  test('two lengths, or a length that is no number', async () => {
    for (const length of [
      'Content-Length: 1\r\nContent-Length: 2',
      'Content-Length: x',
      'Content-Length: 1\r\nTransfer-Encoding: chunked',
    ]) {
      const head = `POST /extract/estimate/txt HTTP/1.1\r\nHost: x\r\nX-Fast-Api-Key: ${account.key}\r\n${length}\r\n\r\n`
      expectError(parse(await sendRaw(service.base, head)), 400, 'request.malformed')
    }
  })
  test('a chunk that is no chunk', async () => {
    const head = `POST /extract/estimate/txt HTTP/1.1\r\nHost: x\r\nX-Fast-Api-Key: ${account.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`
    expectError(parse(await sendRaw(service.base, head)), 400, 'request.malformed')
  })
  test('the service goes on', async () => {
    const { socket, write } = openSocket(service.base)
    await write('GET /extract/schema HTT')
    socket.destroy()
    expect((await client.get('/extract/schema')).status).toBe(200)
  })
})
