import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Jobs, jobsSchema } from '../../src/http/web/contract.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { expectError } from '../api/expect-error.ts'
import { slow } from '../jobs/deeds.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createMember, type JobVisitor, readEvents } from './jobs-visitor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
})
afterAll(() => service.stop())

const deck = (slides: number): string => Array.from({ length: slides }, (_, i) => `slide ${i}`).join('\n')

describe('a job of a member', () => {
  test.each(['free', 'pro'] as const)(
    'of the plan %s is made, followed and looked at by session alone',
    async (plan) => {
      const member = await createMember(service, plan)
      const { status, body } = await member.submit('talk.deck', deck(2))
      expect([status, body.proof]).toEqual([202, null])
      const path = `/web/jobs/${body.job.id}`
      const events = await readEvents(member, `${path}/events`)
      expect(events.at(-1)?.status).toBe('succeeded')
      expect((await member.get(path)).body).toEqual(events.at(-1))
      expect((await member.get(`${path}/files/text/deck.txt`)).body).toBe('slide 0\nslide 1\n')
      expect((await member.fetchBytes(`/extract/job/${body.job.id}/download`)).status).toBe(200)
      expect((await member.call('DELETE', path)).status).toBe(204)
      expectError(await member.get(path), 404, 'jobs.not_found')
    },
  )

  test('is canceled while it runs', async () => {
    const member = await createMember(service)
    const { body } = await member.submit('a.mischief', slow(60, 60))
    const canceled = await member.call<JobRecord>('POST', `/web/jobs/${body.job.id}/cancel`)
    expect([canceled.status, canceled.body.status, canceled.body.billing]).toEqual([202, 'canceled', 'released'])
    expect((await member.call('POST', `/web/jobs/${body.job.id}/cancel`)).status).toBe(202)
  })

  test('cannot be deleted before it ends', async () => {
    const member = await createMember(service)
    const { body } = await member.submit('a.flipbook', 'frame')
    expectError(await member.call('DELETE', `/web/jobs/${body.job.id}`), 409, 'jobs.not_deletable')
    expectError(await member.get(`/web/jobs/${body.job.id}/files/x.txt`), 409, 'jobs.not_ready')
  })

  test('is forbidden to another member and to nobody in particular', async () => {
    const [owner, other] = [await createMember(service), await createMember(service, 'pro')]
    const { job } = await owner.extract('a.deck', deck(1))
    for (const path of ['', '/events', '/files/text/deck.txt'])
      expectError(await other.get(`/web/jobs/${job.id}${path}`), 403, 'jobs.forbidden')
    expectError(await other.call('POST', `/web/jobs/${job.id}/cancel`), 403, 'jobs.forbidden')
    expectError(await other.call('DELETE', `/web/jobs/${job.id}`), 403, 'jobs.forbidden')
    expectError(await other.get(`/extract/job/${job.id}/download`), 403, 'jobs.forbidden')
    const unknown = await fetch(`${service.base}/web/jobs/${job.id}`, { headers: { cookie: 'quarry_session=x' } })
    expect(unknown.status).toBe(403)
    expect((await owner.get(`/web/jobs/${job.id}`)).status).toBe(200)
  })

  test('may have a webhook', async () => {
    const member = await createMember(service)
    // Waits in a pool that nobody serves: nothing is ever called.
    const { status } = await member.submit('a.flipbook', 'frame', { webhookUrl: 'https://example.com/hook' })
    expect(status).toBe(202)
    const answer = await member.submit('a.flipbook', 'frame', { webhookUrl: 'https://127.0.0.1/hook' })
    expectError(answer, 400, 'request.invalid_parameter', { path: 'options.webhookUrl' })
  })

  test('of a free account ends at the limit of its day', async () => {
    const member = await createMember(service)
    await member.extract('a.deck', deck(300))
    const params = { dailyLimit: 100, dailyUsed: 60, required: 60 }
    expectError(await member.submit('b.deck', deck(300)), 402, 'usage.daily_limit_exceeded', params)
    expect((await member.submit('b.deck', deck(200))).status).toBe(202)
    expectError(await member.submit('c.deck', deck(1)), 402, 'usage.daily_limit_exceeded', { dailyUsed: 100 })
  })

  test('transcripts are asked for by the workflow', async () => {
    const member = await createMember(service)
    const { body } = await member.submit('a.clip', '61', { transcription: { mode: 'quality' } }, '?workflow=transcribe')
    expect(body.job).toMatchObject({ workflow: 'transcribe', quotedCredits: 10 })
    expect(await member.waitForEnd(body.job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'extract.audio_transcription.provider_not_configured' },
    })
    expectError(
      await member.submit('a.deck', deck(1), undefined, '?workflow=transcribe'),
      400,
      'request.invalid_extension',
    )
    expectError(await member.submit('a.deck', deck(1), undefined, '?workflow=x'), 400, 'request.invalid_parameter')
  })
})

describe('the list', () => {
  let member: JobVisitor
  let ids: string[]
  beforeAll(async () => {
    member = await createMember(service, 'pro')
    const other = await createMember(service, 'pro')
    await other.extract('Report.deck', deck(1))
    const made: string[] = []
    for (const [name, content] of [
      ['Report 2025.deck', deck(1)],
      ['Über 100% _report.deck', deck(1)],
      ['clip.clip', 'broken'],
      ['notes.txt', 'a text'],
    ] as const) {
      made.push((await member.extract(name, content)).job.id)
    }
    made.push((await member.submit('waits.flipbook', 'frame')).body.job.id)
    ids = made.reverse()
  })
  const list = async (query = ''): Promise<string[]> => {
    const { status, body } = await member.get<Jobs>(`/web/jobs${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(jobsSchema.parse(body)).toEqual(body)
    return body.jobs.map(({ id }) => id)
  }
  test('has the own jobs, the newest first', async () => {
    expect(await list()).toEqual(ids)
  })
  test.each([
    ['status=queued', [0]],
    ['status=failed', [2]],
    ['status=succeeded', [1, 3, 4]],
    ['format=deck', [3, 4]],
    ['format=DECK&name=2025', [4]],
    ['name=report', [3, 4]],
    ['name=REPORT', [3, 4]],
    ['name=%C3%BCber', [3]],
    ['name=%25', [3]],
    ['name=_', [3]],
    ['name=u%CC%88ber', [3]],
    ['name=.*', []],
    ['name=%5E%24%5B%5D%28%29%7B%7D%5C%7C%2B-', []],
    ['name=rt+2', [4]],
    ['name=notes.txt', [1]],
    ['name=report&status=queued', []],
    ['format=pdf', []],
  ])('of %s', async (query, places) => {
    expect(await list(`?${query}`)).toEqual(places.map((place) => ids[place]))
  })
  test('comes in pages', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const path: string = `/web/jobs?limit=2&name=.${cursor === null ? '' : `&cursor=${cursor}`}`
      const { body }: { body: Jobs } = await member.get<Jobs>(path)
      seen.push(...body.jobs.map(({ id }) => id))
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(ids)
  })
  test('refuses what it does not know', async () => {
    expectError(await member.get('/web/jobs?status=done'), 400, 'request.invalid_parameter', { path: 'status' })
    expectError(await member.get('/web/jobs?cursor=x'), 400, 'request.invalid_parameter', { path: 'cursor' })
    expectError(await member.get('/web/jobs?limit=101'), 400, 'request.invalid_parameter', { path: 'limit' })
    expectError(await member.get('/web/jobs?name=a%00'), 400, 'request.invalid_parameter', { path: 'name' })
    expectError(await member.get('/web/jobs?format=%00'), 400, 'request.invalid_parameter', { path: 'format' })
    expectError(await member.get('/web/jobs?proof=x'), 400, 'request.unknown_field', { field: 'proof' })
  })
})
