import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { API_ERRORS, JOB_FAILURES, type JobFailureCode } from '../../src/core/errors.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { type Answer, createClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { fieldPart, MULTIPART, until, writeForm } from './multipart.ts'

let service: TestService
/** One more API, with plans and limits that are used up at once. */
let strict: RunningProcess
const newClient = async (options: Parameters<TestService['account']>[0] = {}, base = service.base) =>
  createClient(base, (await service.account(options)).key)

beforeAll(async () => {
  service = await startTestService({
    // Nobody serves the image pool: flipbooks wait for ever.
    QUARRY_WORKER_POOLS: 'document,video',
    QUARRY_STALL_SECONDS: '1',
    QUARRY_JOB_OUTPUT_MB: '4',
  })
  strict = await service.start('api', {
    QUARRY_PLANS: JSON.stringify({ pro: { dailyCredits: 1, maxQueuedJobs: 1 } }),
    QUARRY_POOL_LIMIT: '1',
    QUARRY_RATE_LIMIT_PER_MINUTE: '10',
  })
})
afterAll(() => service.stop())

const FRAME = 'one frame\n'
const submitForm = async (body: RequestInit['body'], headers: Record<string, string> = {}) =>
  (await newClient()).call('POST', '/extract', { body, headers })
const estimate = async (format: string, json: unknown) =>
  (await newClient()).call('POST', `/extract/estimate/${format}`, { json })

const endedJob = async (deed: string) => {
  const client = await newClient()
  const job = await client.extract('a.mischief', JSON.stringify({ do: deed }))
  return { client, path: `/extract/job/${job.id}` }
}
const waitingJob = async () => {
  const client = await newClient()
  const { body } = await client.submit('a.flipbook', FRAME)
  return {
    client,
    path: `/extract/job/${body.id}`,
    cancel: () => client.call('POST', `/extract/job/${body.id}/cancel`),
  }
}

/** A PostgreSQL that can be cut off: everything goes through a door of ours. */
const openDoor = async () => {
  const open = new Set<Socket>()
  const server = createServer((inside) => {
    const outside = connect(join(inject('postgresSocket'), '.s.PGSQL.5432'))
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    shut: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** What the contract and the decisions say, and a request that brings it about. */
const REQUESTS: Record<
  keyof typeof API_ERRORS,
  { status: number; provoke: () => Promise<Answer<unknown>>; params?: object }
> = {
  'api_key.required': { status: 401, provoke: () => createClient(service.base, null).get('/extract/schema') },
  'api_key.invalid_or_ip_not_allowed': {
    status: 401,
    provoke: () => createClient(service.base, 'fast_prod_nobody').get('/extract/schema'),
  },
  'api_key.pro_required': {
    status: 403,
    params: { requiredTier: 'pro', currentTier: 'free' },
    provoke: async () => (await newClient({ plan: 'free' })).submit('a.txt', 'a'),
  },
  'estimate.unsupported_format': { status: 400, provoke: () => estimate('nope', { fileSizeBytes: 1 }) },
  'estimate.invalid_file_size': { status: 400, provoke: () => estimate('txt', {}) },
  'estimate.duration_limit_exceeded': {
    status: 400,
    provoke: () => estimate('clip', { fileSizeBytes: 1, durationMinutes: 301 }),
  },
  'estimate.exact_metrics_required': { status: 422, provoke: () => estimate('deck', { fileSizeBytes: 1 }) },
  'request.no_files': {
    status: 400,
    provoke: () => submitForm(writeForm([fieldPart('options', '{}')]), { 'content-type': MULTIPART }),
  },
  'request.multiple_files': {
    status: 400,
    provoke: () => {
      const form = new FormData()
      form.append('file', new File(['a'], 'a.txt'))
      form.append('file', new File(['b'], 'b.txt'))
      return submitForm(form)
    },
  },
  'request.empty_file': { status: 400, provoke: async () => (await newClient()).submit('a.txt', '') },
  'request.invalid_content_type': {
    status: 400,
    provoke: () => submitForm('a', { 'content-type': 'application/octet-stream' }),
  },
  'request.malformed': { status: 400, provoke: () => submitForm('a', { 'content-type': MULTIPART }) },
  'request.unknown_field': {
    status: 400,
    params: { field: 'colour', allowed: [] },
    provoke: async () => (await newClient()).get('/extract/schema?colour=red'),
  },
  'request.invalid_parameter': {
    status: 400,
    params: { path: 'options' },
    provoke: async () => (await newClient()).submit('a.txt', 'a', 'not JSON'),
  },
  'request.constraint_violated': {
    status: 400,
    params: { constraint: { type: 'requires', capabilityId: 'deck.notes' } },
    provoke: async () =>
      (await newClient()).submit('a.deck', 'a', { extraction: { selectedCapabilities: ['deck.notes'] } }),
  },
  'request.invalid_extension': { status: 400, provoke: async () => (await newClient()).submit('a.nope', 'a') },
  'request.content_mismatch': {
    status: 400,
    params: { detected: 'pdf' },
    provoke: async () => (await newClient()).submit('a.txt', '%PDF-1.7\n'),
  },
  'formats.not_found': { status: 404, provoke: async () => (await newClient()).get('/extract/options/nope') },
  'entitlements.insufficient_credits': {
    status: 402,
    params: { required: 2, available: 1 },
    provoke: async () => (await newClient({ credits: 1 })).submit('a.deck', 'slide\n'.repeat(6)),
  },
  'usage.daily_limit_exceeded': {
    status: 402,
    params: { dailyLimit: 1, dailyUsed: 1, resetDate: expect.stringMatching(/T00:00:00\.000Z$/) },
    provoke: async () => {
      const { key } = await service.account({ credits: 0 })
      const client = createClient(strict.base, key)
      const { status, body } = await client.submit('a.txt', 'a')
      expect(status).toBe(202)
      // As long as it waits, the queue is full.
      await createClient(service.base, key).waitForEnd(body.id)
      return client.submit('b.txt', 'b')
    },
  },
  'jobs.forbidden': {
    status: 403,
    provoke: async () => (await newClient()).get((await endedJob('ok')).path),
  },
  'jobs.not_found': { status: 404, provoke: async () => (await newClient()).get(`/extract/job/${'0'.repeat(32)}`) },
  'route.not_found': { status: 404, provoke: async () => (await newClient()).get('/extract/nothing/here') },
  'route.method_not_allowed': {
    status: 405,
    params: { method: 'PUT', allowed: ['POST'] },
    provoke: async () => (await newClient()).call('PUT', '/extract'),
  },
  'jobs.not_ready': {
    status: 409,
    params: { status: 'queued' },
    provoke: async () => {
      const { client, path } = await waitingJob()
      return client.get(`${path}/download`)
    },
  },
  'jobs.failed': {
    status: 409,
    params: { status: 'failed' },
    provoke: async () => {
      const { client, path } = await endedJob('nothing')
      return client.get(`${path}/download`)
    },
  },
  'jobs.canceled': {
    status: 409,
    params: { status: 'canceled' },
    provoke: async () => {
      const { client, path, cancel } = await waitingJob()
      await cancel()
      return client.get(`${path}/download`)
    },
  },
  'jobs.not_cancellable': {
    status: 409,
    params: { status: 'succeeded' },
    provoke: async () => {
      const { client, path } = await endedJob('ok')
      return client.call('POST', `${path}/cancel`)
    },
  },
  'jobs.not_deletable': {
    status: 409,
    params: { status: 'queued' },
    provoke: async () => {
      const { client, path } = await waitingJob()
      return client.call('DELETE', path)
    },
  },
  'idempotency.key_reused': {
    status: 409,
    provoke: async () => {
      const client = await newClient()
      const headers = { 'Idempotency-Key': 'once' }
      await client.submit('a.txt', 'a', undefined, { headers })
      return client.submit('a.txt', 'b', undefined, { headers })
    },
  },
  'jobs.result_expired': {
    status: 410,
    params: { status: 'succeeded' },
    provoke: async () => {
      const { client, path } = await endedJob('ok')
      await service.database.query(`update jobs set expires_at = now() where id = $1`, [path.split('/').at(-1)])
      return client.get(`${path}/download`)
    },
  },
  'request.file_too_large': {
    status: 413,
    params: { maxFileSizeMb: 1024 },
    provoke: () => estimate('txt', { fileSizeMb: 1024.5 }),
  },
  rate_limited: {
    status: 429,
    params: { limitPerMinute: 10 },
    provoke: async () => {
      const client = await newClient({}, strict.base)
      return until(
        () => client.get('/extract/schema'),
        ({ status }) => status !== 200,
      )
    },
  },
  'queue.limit_exceeded': {
    status: 429,
    params: { maxQueuedJobs: 1, queued: 1 },
    provoke: async () => {
      const { key } = await service.account()
      const first = await createClient(service.base, key).submit('a.flipbook', FRAME)
      expect(first.status).toBe(202)
      return createClient(strict.base, key).submit('b.flipbook', FRAME)
    },
  },
  'queue.pool_saturated': {
    status: 429,
    params: { pool: 'image' },
    provoke: async () => {
      await waitingJob()
      return (await newClient({}, strict.base)).submit('b.flipbook', FRAME)
    },
  },
  internal: {
    status: 500,
    provoke: async () => {
      const client = await newClient()
      await service.database.script('alter table idempotency_keys rename to mislaid')
      try {
        return await client.submit('a.txt', 'a', undefined, { headers: { 'Idempotency-Key': 'lost' } })
      } finally {
        await service.database.script('alter table mislaid rename to idempotency_keys')
      }
    },
  },
  'service.unavailable': {
    status: 503,
    provoke: async () => {
      const door = await openDoor()
      const [row] = await service.database.query<{ name: string }>('select current_database() as name')
      const cutOff = await service.start('api', {
        DATABASE_URL: `postgresql://quarry@127.0.0.1:${door.port}/${row?.name}`,
      })
      try {
        const client = await newClient({}, cutOff.base)
        expect((await client.get('/extract/schema')).status).toBe(200)
        await door.shut()
        const [answer, health] = await Promise.all([client.get('/extract/schema'), client.get('/healthz')])
        expect(health.status).toBe(200)
        return answer
      } finally {
        await cutOff.kill()
      }
    },
  },
}

const WITH_RETRY_AFTER = ['rate_limited', 'queue.limit_exceeded', 'queue.pool_saturated', 'service.unavailable']

describe('request errors', () => {
  test('every code of the table is provoked here', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(Object.keys(API_ERRORS).sort())
  })
  test.each(Object.entries(REQUESTS))('%s', async (code, { status, provoke, params = {} }) => {
    const answer = await provoke()
    expectError(answer, status, code, params as Record<string, unknown>)
    expect(answer.headers.has('retry-after')).toBe(WITH_RETRY_AFTER.includes(code))
    if (code === 'internal') {
      const { requestId } = answer.body as { requestId: string }
      expect(service.first.log()).toMatch(new RegExp(`"level":50.*${requestId}.*idempotency_keys`))
    }
  })
})

test('402 usage.daily_limit_exceeded: one job dearer than the day', async () => {
  const client = await newClient({}, strict.base)
  const params = { dailyLimit: 1, dailyUsed: 0, required: 2 }
  expectError(await client.submit('a.deck', 'slide\n'.repeat(6)), 402, 'usage.daily_limit_exceeded', params)
})

/** A file and options that make a job end so. Codes of families that do not exist yet are thrown by mischief. */
type Failing = { name: string; content: string; options?: unknown; path?: string; params?: Record<string, unknown> }
const failing = (code: JobFailureCode): Failing => mischief(`fail:${code}`)
const mischief = (deed: string, params: Record<string, unknown> = {}): Failing => ({
  name: 'a.mischief',
  content: JSON.stringify({ do: deed }),
  params,
})
const FAILURES: Record<JobFailureCode, Failing> = {
  'extract.pdf.no_markdown_content_found': failing('extract.pdf.no_markdown_content_found'),
  'extract.pdf.no_ocr_text_found': failing('extract.pdf.no_ocr_text_found'),
  'extract.audio_transcription.provider_not_configured': {
    name: 'a.clip',
    content: '60',
    path: '/extract/transcribe',
    params: { mode: 'fast' },
  },
  'extract.source_unreadable': { name: 'a.scroll', content: ' ' },
  'extract.source_encrypted': {
    name: 'a.deck',
    content: 'locked:secret\ntitle | notes',
    options: { extraction: { selectedCapabilities: ['deck.text', 'deck.notes'] } },
  },
  'extract.limit_exceeded': mischief('fill-disk', { limit: expect.any(String) }),
  'extract.timed_out': mischief('stall'),
  'extract.output_empty': mischief('nothing'),
  'extract.engine_failed': mischief('throw'),
  'extract.worker_lost': failing('extract.worker_lost'),
  'transcribe.no_audio': failing('transcribe.no_audio'),
  'transcribe.no_speech': failing('transcribe.no_speech'),
}

describe('job failures', () => {
  test('every code of the table is provoked here', () => {
    expect(Object.keys(FAILURES).sort()).toEqual(Object.keys(JOB_FAILURES).sort())
  })
  test.concurrent.each(Object.entries(FAILURES))('%s', async (code, { name, content, options, path, params = {} }) => {
    const account = await service.account({ credits: 50 })
    const client = createClient(service.base, account.key)
    const { status, body } = await client.submit(name, content, options, path ? { path } : {})
    expect(status).toBe(202)
    const job = await client.waitForEnd(body.id)
    expect(job).toMatchObject({
      status: 'failed',
      billing: 'released',
      output: null,
      error: { error: code, code, params, detail: expect.any(String) },
      metrics: { chargedCredits: 0, refundedCredits: 0, outputBytes: null },
    } satisfies Record<keyof Pick<JobRecord, 'status' | 'billing' | 'output' | 'error' | 'metrics'>, unknown>)
    expect(job.error?.detail).not.toMatch(/\/tmp\/|\.ts:|\n/)
    const { body: after } = await client.get<{ totalCredits: number }>('/extract/entitlements/me')
    expect(after.totalCredits).toBe(50)
  })
})
