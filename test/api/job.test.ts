import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobRecordSchema } from '../../src/http/schemas.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from './multipart.ts'

let service: TestService
let client: TestClient
beforeAll(async () => {
  // Nobody serves the image pool: flipbooks wait for ever.
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const time = expect.stringMatching(TIME)
const FIELDS = [
  'id',
  'status',
  'job',
  'workflow',
  'fileName',
  'format',
  'category',
  'queue',
  'progress',
  'metrics',
  'billing',
  'output',
  'warnings',
  'transcription',
  'error',
  'createdAt',
  'startedAt',
  'finishedAt',
]
const METRICS = ['inputBytes', 'outputBytes', 'durationSeconds', 'quotedCredits', 'chargedCredits', 'refundedCredits']

const read = async (id: string): Promise<JobRecord> => {
  const { status, headers, body } = await client.get<JobRecord>(`/extract/job/${id}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(jobRecordSchema.parse(body)).toEqual(body)
  expect(Object.keys(body).sort()).toEqual([...FIELDS].sort())
  expect(Object.keys(body.metrics)).toEqual(expect.arrayContaining(METRICS))
  expect(Object.keys(body.progress).sort()).toEqual(['percent', 'phase'])
  expect(body.progress.percent === 100).toBe(body.status === 'succeeded')
  return body
}
const submitDeed = async (deed: object) => (await client.submit('a.mischief', JSON.stringify(deed))).body.id

describe('200: every field in each state', () => {
  test('queued', async () => {
    const { body } = await client.submit('talk.flipbook', 'one\n\ntwo')
    expect(await read(body.id)).toEqual({
      id: body.id,
      status: 'queued',
      job: 'extract.flipbook',
      workflow: 'extract',
      fileName: 'talk',
      format: 'flipbook',
      category: 'image',
      queue: { pool: 'image', position: 1 },
      progress: { percent: 0, phase: null },
      metrics: {
        inputBytes: 8,
        outputBytes: null,
        durationSeconds: null,
        pageCount: null,
        slideCount: null,
        sheetCount: null,
        frameCount: 2,
        quotedCredits: 1,
        chargedCredits: 0,
        refundedCredits: 0,
      },
      billing: 'held',
      output: null,
      warnings: [],
      transcription: null,
      error: null,
      createdAt: body.createdAt,
      startedAt: null,
      finishedAt: null,
    })
  })

  test('running', async () => {
    const id = await submitDeed({ do: 'slow', seconds: 30, steps: 300 })
    const job = await until(
      () => read(id),
      ({ progress }) => progress.percent > 0,
    )
    expect(job).toMatchObject({
      status: 'running',
      queue: null,
      progress: { phase: 'mischief.act' },
      metrics: { outputBytes: null, chargedCredits: 0 },
      billing: 'held',
      output: null,
      error: null,
      startedAt: time,
      finishedAt: null,
    })
    await client.call('POST', `/extract/job/${id}/cancel`)
  })

  test('succeeded', async () => {
    const { id } = await client.extract('talk.deck', 'one\ntwo')
    const job = await read(id)
    expect(job).toMatchObject({
      status: 'succeeded',
      queue: null,
      progress: { percent: 100 },
      metrics: { inputBytes: 7, slideCount: 2, quotedCredits: 1, chargedCredits: 1, refundedCredits: 0 },
      billing: 'charged',
      output: {
        fileName: 'talk.zip',
        contentType: 'application/zip',
        bytes: job.metrics.outputBytes,
        fileCount: 2,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: time,
        files: [
          { path: 'text/deck.txt', bytes: 8, capabilityId: 'deck.text' },
          { path: 'manifest.json', bytes: expect.any(Number), capabilityId: null },
        ],
      },
      warnings: [],
      error: null,
      startedAt: time,
      finishedAt: time,
    })
    const kept = Date.parse(job.output?.expiresAt ?? '') - Date.parse(job.finishedAt ?? '')
    expect(kept).toBe(3_600_000)
    expect(job.createdAt <= (job.startedAt ?? '') && (job.startedAt ?? '') <= (job.finishedAt ?? '')).toBe(true)
  })

  test('succeeded with a warning', async () => {
    const { id } = await client.extract('a.mischief', JSON.stringify({ do: 'warn' }))
    expect((await read(id)).warnings).toEqual([
      { code: 'mischief.partial', capabilityId: 'mischief.act', detail: 'Some of it is missing.' },
    ])
  })

  test('succeeded, with a duration', async () => {
    const { id } = await client.extract('a.clip', '61.2')
    expect((await read(id)).metrics).toMatchObject({ durationSeconds: 61.2, quotedCredits: 1 })
  })

  test('failed', async () => {
    const { id } = await client.extract('a.mischief', JSON.stringify({ do: 'fail:extract.source_encrypted' }))
    expect(await read(id)).toMatchObject({
      status: 'failed',
      queue: null,
      metrics: { outputBytes: null, chargedCredits: 0, refundedCredits: 0 },
      billing: 'released',
      output: null,
      error: {
        error: 'extract.source_encrypted',
        code: 'extract.source_encrypted',
        params: {},
        detail: expect.any(String),
      },
      startedAt: time,
      finishedAt: time,
    })
  })

  test('canceled', async () => {
    const { body } = await client.submit('a.flipbook', 'frame')
    await client.call('POST', `/extract/job/${body.id}/cancel`)
    expect(await read(body.id)).toMatchObject({
      status: 'canceled',
      queue: null,
      billing: 'released',
      output: null,
      error: null,
      startedAt: null,
      finishedAt: time,
    })
  })
})

test('200: percent never goes back, and is 100 only at the end', async () => {
  const id = await submitDeed({ do: 'slow', seconds: 3, steps: 60 })
  const seen: number[] = []
  for (;;) {
    const { status, progress } = await read(id)
    seen.push(progress.percent)
    if (status === 'succeeded') break
    expect(['queued', 'running']).toContain(status)
    expect(progress.percent).toBeLessThan(100)
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(new Set(seen).size).toBeGreaterThan(2)
  expect(seen.at(-1)).toBe(100)
})

test('200: the place in the queue moves up', async () => {
  const own = createClient(service.base, (await service.account()).key)
  const ids: string[] = []
  for (let place = 0; place < 3; place++) ids.push((await own.submit('a.flipbook', 'frame')).body.id)
  const place = async (id = '') => (await own.get<JobRecord>(`/extract/job/${id}`)).body.queue?.position ?? 0
  const before = await place(ids[2])
  await own.call('POST', `/extract/job/${ids[0]}/cancel`)
  expect(await place(ids[2])).toBe(before - 1)
})
