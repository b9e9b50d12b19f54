import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { REQUEST_ERRORS } from '../../src/core/errors.ts'
import { VERSION } from '../../src/core/version.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { until } from './multipart.ts'
import { findProblems, type Schema } from './schema-check.ts'

let service: TestService
let client: TestClient
let nobody: TestClient
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = createClient(service.base, (await service.account()).key)
  nobody = createClient(service.base, null)
})
afterAll(() => service.stop())

describe('GET /healthz', () => {
  test('200: alive, without a key', async () => {
    expect(await nobody.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok', version: VERSION } })
  })
})

describe('GET /readyz', () => {
  test('200: ready, without a key', async () => {
    expect(await nobody.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
  test('503 service.unavailable: the database does not let it in; then it does', async () => {
    const [row] = await service.database.query<{ name: string }>('select current_database() as name')
    const admin = openDatabase({
      connection: { host: inject('postgresSocket'), user: 'quarry', database: 'quarry' },
      maxConnections: 1,
      patienceMs: 5000,
      log: () => undefined,
    })
    try {
      await admin.script(`alter database ${row?.name} with allow_connections false`)
      await admin.script(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${row?.name}'`)
      expectError(await nobody.get('/readyz'), 503, 'service.unavailable')
      expect((await nobody.get('/healthz')).status).toBe(200)
    } finally {
      await admin.script(`alter database ${row?.name} with allow_connections true`)
      await admin.close()
    }
    await until(
      () => nobody.get('/readyz'),
      ({ status }) => status === 200,
    )
  })
})

describe('GET /metrics', () => {
  const read = async () => (await nobody.get<string>('/metrics')).body
  test('200: Prometheus text, without a key', async () => {
    const { status, headers } = await nobody.get('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  })
  test('200: every metric that is promised, with its type', async () => {
    await client.extract('a.txt', 'a')
    await client.extract('a.mischief', JSON.stringify({ do: 'nothing' }))
    await client.submit('a.flipbook', 'frame')
    const text = await read()
    const types = Object.fromEntries(
      [...text.matchAll(/^# TYPE (quarry_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
    )
    expect(types).toEqual({
      quarry_jobs_submitted_total: 'counter',
      quarry_jobs_ended_total: 'counter',
      quarry_credits_held_total: 'counter',
      quarry_credits_captured_total: 'counter',
      quarry_job_wait_seconds: 'histogram',
      quarry_job_duration_seconds: 'histogram',
      quarry_http_request_seconds: 'histogram',
      quarry_jobs: 'gauge',
      quarry_queue_age_seconds: 'gauge',
      quarry_sandbox_children: 'gauge',
      quarry_sandbox_restarts: 'gauge',
    })
    expect(text).toMatch(/^quarry_jobs\{pool="image",state="queued"\} 1$/m)
    expect(text).toMatch(/^quarry_queue_age_seconds\{pool="image"\} [\d.e-]+$/m)
    expect(text).toMatch(/^quarry_jobs_ended_total\{pool="document",state="succeeded",code=""\} \d+$/m)
    expect(text).toMatch(/^quarry_jobs_ended_total\{pool="document",state="failed",code="extract\.output_empty"\} 1$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  })
  test('200: the counters count', async () => {
    const value = async (line: RegExp) => Number(line.exec(await read())?.[1] ?? 0)
    const submitted = /^quarry_jobs_submitted_total\{pool="document"\} (\d+)$/m
    const captured = /^quarry_credits_captured_total (\d+)$/m
    const before = [await value(submitted), await value(captured)] as const
    await client.extract('a.deck', 'slide\n'.repeat(11))
    expect(await value(submitted)).toBe(before[0] + 1)
    await until(
      () => value(captured),
      (now) => now === before[1] + 3,
    )
  })
  test('200: no key, account or job is in the labels', async () => {
    await client.get('/extract/job/0123456789abcdef0123456789abcdef')
    await client.get('/extract/options/a-format-of-my-own')
    await client.get('/extract/some/path/of/my/own')
    const text = await read()
    expect(text).not.toMatch(/fast_prod_|0123456789abcdef|my-own|my\/own/)
    expect(text).toMatch(/route="\/extract\/job\/:id"/)
  })
})

describe('GET /', () => {
  test('200: a front door', async () => {
    const { status, headers } = await nobody.get('/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })
})

type Operation = {
  summary?: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  components: { securitySchemes: Record<string, unknown> }
  security: unknown[]
  paths: Record<string, Record<string, Operation>>
}

describe('GET /extract/openapi.json', () => {
  let document: Document
  beforeAll(async () => {
    document = (await client.get<Document>('/extract/openapi.json')).body
  })
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )

  test('200: OpenAPI 3.1, with the key as its security', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: 'Quarry', version: VERSION })
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Fast-Api-Key' },
    })
    expect(document.security).toEqual([{ apiKey: [] }])
  })
  test('every route is there, and no other', () => {
    expect(
      operations()
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual(
      [
        'POST /extract',
        'POST /extract/transcribe',
        'POST /extract/estimate/{sourceFileExtension}',
        'GET /extract/options/{format}',
        'GET /extract/extractors',
        'GET /extract/extractors/{sourceFileType}',
        'GET /extract/schema',
        'GET /extract/entitlements/me',
        'GET /extract/jobs',
        'GET /extract/job/{id}',
        'GET /extract/job/{id}/download',
        'GET /extract/job/{id}/events',
        'POST /extract/job/{id}/cancel',
        'DELETE /extract/job/{id}',
        'GET /extract/openapi.json',
        'GET /healthz',
        'GET /readyz',
        'GET /metrics',
      ].sort(),
    )
  })
  test('every operation is whole: summary, path parameters, a described answer for each status', () => {
    for (const { path, method, operation } of operations()) {
      const where = `${method} ${path}`
      expect(operation.summary, where).toMatch(/\S/)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path')
      expect(
        declared.map(({ name }) => name),
        where,
      ).toEqual(named)
      expect(
        declared.every(({ required }) => required),
        where,
      ).toBe(true)
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        where,
      ).toBe(true)
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.description, `${where} ${status}`).toMatch(/\S/)
      }
    }
  })
  test('errors are JSON on every route, and each names its codes', () => {
    for (const { path, method, operation } of operations()) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        const where = `${method} ${path} ${status}`
        expect(Object.keys(content ?? {}), where).toEqual(['application/json'])
        const codes = content?.['application/json']?.schema.properties?.code?.enum as (keyof typeof REQUEST_ERRORS)[]
        expect(
          codes.map((code) => REQUEST_ERRORS[code].status),
          where,
        ).toEqual(codes.map(() => Number(status)))
      }
    }
  })
  test('uploads are multipart, with one file and options', () => {
    for (const path of ['/extract', '/extract/transcribe']) {
      const schema = document.paths[path]?.post?.requestBody?.content['multipart/form-data']?.schema
      expect(schema).toMatchObject({
        required: ['file'],
        properties: { file: { format: 'binary' }, options: { type: 'string' } },
      })
    }
  })
  test('operations are public, the rest is not', () => {
    for (const { path, operation } of operations()) {
      expect(operation.security, path).toEqual(path.startsWith('/extract') ? undefined : [])
    }
  })

  test('real answers fit their schemas', async () => {
    const done = await client.extract('a.deck', 'one')
    const failed = await client.extract('a.mischief', JSON.stringify({ do: 'nothing' }))
    const waiting = (await client.submit('a.flipbook', 'frame')).body.id
    const json = { fileSizeMb: 1 }
    const free = createClient(service.base, (await service.account({ plan: 'free' })).key)
    const asked: [string, string, Promise<{ status: number; body: unknown }>][] = [
      ['post', '/extract', client.submit('a.txt', 'a')],
      ['post', '/extract', client.submit('a.nope', 'a')],
      ['post', '/extract', client.submit('a.txt', '')],
      ['post', '/extract', free.submit('a.txt', 'a')],
      ['post', '/extract/transcribe', client.submit('a.clip', '60', undefined, { path: '/extract/transcribe' })],
      ['post', '/extract/estimate/{sourceFileExtension}', client.call('POST', '/extract/estimate/txt', { json })],
      ['post', '/extract/estimate/{sourceFileExtension}', client.call('POST', '/extract/estimate/deck', { json })],
      ['post', '/extract/estimate/{sourceFileExtension}', client.call('POST', '/extract/estimate/nope', { json })],
      [
        'post',
        '/extract/estimate/{sourceFileExtension}',
        client.call('POST', '/extract/estimate/txt', { json: { a: 1 } }),
      ],
      ['get', '/extract/options/{format}', client.get('/extract/options/deck')],
      ['get', '/extract/options/{format}', client.get('/extract/options/clip')],
      ['get', '/extract/options/{format}', client.get('/extract/options/nope')],
      ['get', '/extract/extractors', client.get('/extract/extractors')],
      ['get', '/extract/extractors', client.get('/extract/extractors?a=1')],
      ['get', '/extract/extractors/{sourceFileType}', client.get('/extract/extractors/csv')],
      ['get', '/extract/schema', client.get('/extract/schema')],
      ['get', '/extract/schema', nobody.get('/extract/schema')],
      ['get', '/extract/entitlements/me', client.get('/extract/entitlements/me')],
      ['get', '/extract/entitlements/me', free.get('/extract/entitlements/me')],
      ['get', '/extract/jobs', client.get('/extract/jobs')],
      ['get', '/extract/jobs', client.get('/extract/jobs?limit=0')],
      ['get', '/extract/job/{id}', client.get(`/extract/job/${done.id}`)],
      ['get', '/extract/job/{id}', client.get(`/extract/job/${failed.id}`)],
      ['get', '/extract/job/{id}', client.get(`/extract/job/${waiting}`)],
      ['get', '/extract/job/{id}', client.get('/extract/job/none')],
      ['get', '/extract/job/{id}/download', client.get(`/extract/job/${failed.id}/download`)],
      ['get', '/extract/job/{id}/download', client.get(`/extract/job/${waiting}/download`)],
      ['get', '/extract/job/{id}/events', client.get('/extract/job/none/events')],
      ['post', '/extract/job/{id}/cancel', client.call('POST', `/extract/job/${done.id}/cancel`)],
      ['delete', '/extract/job/{id}', client.call('DELETE', `/extract/job/${failed.id}`)],
      ['get', '/extract/openapi.json', client.get('/extract/openapi.json')],
      ['get', '/healthz', nobody.get('/healthz')],
      ['get', '/readyz', nobody.get('/readyz')],
      ['get', '/metrics', nobody.get('/metrics')],
    ]
    for (const [method, path, asking] of asked) {
      const { status, body } = await asking
      const described = document.paths[path]?.[method]?.responses[status]
      expect(described, `${method} ${path} answers ${status}`).toBeDefined()
      const [content] = Object.values(described?.content ?? {})
      if (content) expect(findProblems(content.schema, body, document), `${method} ${path} ${status}`).toEqual([])
      else expect(body).toBe('')
    }
  })
})
