import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeProof } from '../../src/accounts/proofs.ts'
import { readServiceSecret } from '../../src/accounts/secrets.ts'
import { submittedSchema } from '../../src/http/web/contract.ts'
import { expectError } from '../api/expect-error.ts'
import { sendRaw } from '../api/multipart.ts'
import { slow } from '../jobs/deeds.ts'
import { listKeys, listScratch } from '../jobs/store.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { BEHIND_PROXY, createGuest, createMember, type JobVisitor, proofQuery, readEvents } from './jobs-visitor.ts'

let service: TestService
let guest: JobVisitor
let signingKey: Buffer
beforeAll(async () => {
  service = await startTestService(BEHIND_PROXY)
  guest = createGuest(service, '192.0.2.1')
  signingKey = await readServiceSecret(service.database, 'website')
})
afterAll(() => service.stop())

const countJobs = async (): Promise<number> =>
  (await service.database.query<{ count: number }>('select count(*) as count from jobs'))[0]?.count ?? -1
const deck = (slides: number): string => Array.from({ length: slides }, (_, i) => `slide ${i}`).join('\n')

describe('a file of a guest', () => {
  test('becomes a job, is followed, looked at, downloaded and deleted with its proof', async () => {
    const { status, headers, body } = await guest.submit('talk.deck', deck(3))
    expect(status).toBe(202)
    expect(submittedSchema.parse(body)).toEqual(body)
    const { job, proof } = body
    expect(headers.get('location')).toBe(`/web/jobs/${job.id}`)
    expect(job).toMatchObject({ status: 'Queued', fileName: 'talk', format: 'deck', quotedCredits: 1 })
    const query = proofQuery(proof)

    const events = await readEvents(guest, `/web/jobs/${job.id}/events${query}`)
    expect(events.at(-1)?.status).toBe('succeeded')
    const record = await guest.get(`/web/jobs/${job.id}${query}`)
    expect(record.body).toEqual(events.at(-1))
    const file = await guest.get<string>(`/web/jobs/${job.id}/files/text/deck.txt${query}`)
    expect([file.status, file.body]).toEqual([200, 'slide 0\nslide 1\nslide 2\n'])
    const zip = await guest.fetchBytes(`/extract/job/${job.id}/download${query}`)
    expect([zip.status, zip.bytes.length]).toEqual([200, events.at(-1)?.output?.bytes])

    expectError(await guest.call('POST', `/web/jobs/${job.id}/cancel${query}`), 409, 'jobs.not_cancellable')
    expect((await guest.call('DELETE', `/web/jobs/${job.id}${query}`)).status).toBe(204)
    expectError(await guest.get(`/web/jobs/${job.id}${query}`), 404, 'jobs.not_found')
    expectError(await guest.get(`/extract/job/${job.id}/download${query}`), 404, 'jobs.not_found')
  })

  test('is canceled with its proof', async () => {
    const { body } = await guest.submit('a.mischief', slow(60))
    const query = proofQuery(body.proof)
    const canceled = await guest.call<{ status: string; billing: string }>(
      'POST',
      `/web/jobs/${body.job.id}/cancel${query}`,
    )
    expect(canceled.status).toBe(202)
    expect(canceled.body).toMatchObject({ status: 'canceled', billing: 'released' })
    expect(await listKeys(service, 'uploads/')).toEqual([])
  })
})

describe('the job of a guest is refused', () => {
  let id: string
  let proof: string
  beforeAll(async () => {
    const { job, proof: own } = await guest.extract('a.deck', deck(1))
    id = job.id
    proof = own as string
  })
  const routes: [string, (query: string) => string][] = [
    ['GET', (query) => `/web/jobs/${id}${query}`],
    ['GET', (query) => `/web/jobs/${id}/events${query}`],
    ['GET', (query) => `/web/jobs/${id}/files/text/deck.txt${query}`],
    ['POST', (query) => `/web/jobs/${id}/cancel${query}`],
    ['DELETE', (query) => `/web/jobs/${id}${query}`],
    ['GET', (query) => `/extract/job/${id}/download${query}`],
  ]
  const expectForbidden = async (visitor: JobVisitor, query: string) => {
    for (const [method, path] of routes) expectError(await visitor.call(method, path(query)), 403, 'jobs.forbidden')
  }

  test('without a proof, to another guest of the same network and to the same one', async () => {
    for (const [method, path] of routes.slice(0, -1))
      expectError(await createGuest(service, '192.0.2.1').call(method, path('')), 403, 'jobs.forbidden')
    expectError(await guest.get(`/extract/job/${id}/download`), 401, 'api_key.required')
  })
  test('to a member without the proof', async () => {
    await expectForbidden(await createMember(service, 'pro'), '')
  })
  test('with a proof that was changed anywhere', async () => {
    for (const at of [0, 3, proof.length - 2]) {
      const changed = `${proof.slice(0, at)}${proof[at] === '2' ? '3' : '2'}${proof.slice(at + 1)}`
      await expectForbidden(guest, proofQuery(changed))
    }
    await expectForbidden(guest, proofQuery(`${proof}.x`))
    await expectForbidden(guest, '?proof=')
  })
  test('with a proof that has run out', async () => {
    await expectForbidden(guest, proofQuery(makeProof(signingKey, id, new Date(Date.now() - 1000))))
    const good = proofQuery(makeProof(signingKey, id, new Date(Date.now() + 60_000)))
    expect((await guest.get(`/web/jobs/${id}${good}`)).status).toBe(200)
  })
  test('with the proof of another job', async () => {
    const { proof: other } = await guest.extract('b.deck', deck(1))
    await expectForbidden(guest, proofQuery(other))
  })
  test('with two proofs, or a parameter that there is not', async () => {
    for (const path of [`/web/jobs/${id}`, `/extract/job/${id}/download`]) {
      expectError(await guest.get(`${path}?proof=${proof}&proof=${proof}`), 400, 'request.invalid_parameter')
      expectError(await guest.get(`${path}${proofQuery(proof)}&x=1`), 400, 'request.unknown_field', { field: 'x' })
    }
  })
  test('a proof holds from everywhere', async () => {
    expect((await createGuest(service, '198.51.100.9').get(`/web/jobs/${id}${proofQuery(proof)}`)).status).toBe(200)
  })
  test('guests have no list of jobs', async () => {
    expectError(await guest.get('/web/jobs'), 401, 'session.required')
  })
})

describe('what a guest sends is refused', () => {
  const expectNothing = async (send: () => Promise<void>) => {
    const before = [await countJobs(), ...(await listKeys(service, 'uploads/'))]
    await send()
    expect([await countJobs(), ...(await listKeys(service, 'uploads/'))]).toEqual(before)
    expect(listScratch(service)).toEqual([])
  }
  test.each(['/web/jobs', '/web/measure', '/web/jobs/measured'])('%s from another site', (path) =>
    expectNothing(async () => {
      const init = path.endsWith('measured') ? { json: { ticket: 'x' } } : { body: new FormData() }
      for (const origin of ['https://evil.example', 'null']) {
        const answer = await guest.call('POST', path, { ...init, headers: { origin } })
        expectError(answer, 403, 'session.cross_origin')
      }
    }),
  )
  test('with a webhook', () =>
    expectNothing(async () => {
      const options = { webhookUrl: 'https://example.com/hook' }
      const params = { path: 'options.webhookUrl' }
      expectError(await guest.submit('a.deck', deck(1), options), 400, 'request.invalid_parameter', params)
      expectError(await guest.measure('a.deck', deck(1), options), 400, 'request.invalid_parameter', params)
    }))
  test('over the price that was agreed to', () =>
    expectNothing(async () => {
      const answer = await guest.submit('a.deck', deck(16), undefined, '?maxCredits=3')
      const metrics = { durationSeconds: null, pageCount: null, slideCount: 16, sheetCount: null, frameCount: null }
      expectError(answer, 409, 'quote.exceeded', { quotedCredits: 4, maxCredits: 3, metrics })
    }))
  test.each(['0', '-1', '1.5', 'x', ''])('with maxCredits=%s', (maxCredits) =>
    expectNothing(async () => {
      const answer = await guest.submit('a.deck', deck(1), undefined, `?maxCredits=${maxCredits}`)
      expectError(answer, 400, 'request.invalid_parameter', { path: 'maxCredits' })
    }),
  )
  test('over the duration of the plan, at a submission and when it is measured', () =>
    expectNothing(async () => {
      const params = { maxDurationMinutes: 10 }
      expectError(await guest.submit('a.clip', '660'), 400, 'estimate.duration_limit_exceeded', params)
      expectError(await guest.measure('a.clip', '660'), 400, 'estimate.duration_limit_exceeded', params)
    }))
  test.each(['/web/jobs', '/web/measure'])('over the size of the plan, before a byte of it is read: %s', (path) =>
    expectNothing(async () => {
      const { host } = new URL(service.base)
      const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${service.base}`, 'X-Forwarded-For: 192.0.2.1']
      const body = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${60 * 1_048_576}`]
      const { status, body: text } = await sendRaw(service.base, [...head, ...body, '', ''].join('\r\n'))
      expect([status, JSON.parse(text).code]).toEqual([413, 'request.file_too_large'])
    }),
  )
  test('a body that is no form', () =>
    expectNothing(async () => {
      for (const path of ['/web/jobs', '/web/measure'])
        expectError(await guest.call('POST', path, { json: {} }), 400, 'request.invalid_content_type')
    }))
})

test('the price that was agreed to is enough', async () => {
  const { status, body } = await guest.submit('a.deck', deck(16), undefined, '?maxCredits=4')
  expect([status, body.job.quotedCredits]).toEqual([202, 4])
  await guest.waitForEnd(body.job.id, body.proof)
})

test('a file that cannot be measured becomes a job that has failed, whatever was agreed to', async () => {
  const { status, body } = await guest.submit('a.clip', 'no seconds', undefined, '?maxCredits=1')
  expect(status).toBe(202)
  const record = await guest.waitForEnd(body.job.id, body.proof)
  expect(record).toMatchObject({ status: 'failed', billing: 'released', error: { code: 'extract.source_unreadable' } })
})

test('guests of one network share the limit of a day; those of another do not', async () => {
  const [one, other, elsewhere] = ['203.0.113.5', '203.0.113.5', '203.0.113.6'].map((address) =>
    createGuest(service, address),
  ) as [JobVisitor, JobVisitor, JobVisitor]
  await one.extract('a.deck', deck(60))
  const params = { dailyLimit: 20, dailyUsed: 12, required: 12 }
  expectError(await other.submit('b.deck', deck(60)), 402, 'usage.daily_limit_exceeded', params)
  expect((await other.submit('b.deck', deck(40))).status).toBe(202)
  expect((await elsewhere.submit('b.deck', deck(60))).status).toBe(202)
})

test('a network that has used up its day is refused before a large body is read', async () => {
  const spender = createGuest(service, '203.0.113.7')
  await spender.extract('a.deck', deck(100))
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('--x\r\n'))
    },
  })
  const response = await fetch(`${service.base}/web/jobs`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: {
      origin: service.base,
      'x-forwarded-for': '203.0.113.7',
      'content-type': 'multipart/form-data; boundary=x',
    },
  } as RequestInit)
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    402,
    'usage.daily_limit_exceeded',
  ])
})

test('a network sends only so many files in a while', async () => {
  const hasty = createGuest(service, '203.0.113.8')
  const send = (path: string) => hasty.call('POST', path, { body: new FormData() })
  for (const path of ['/web/measure', '/web/jobs']) {
    for (let count = 0; count < 60; count++) expectError(await send(path), 400, 'request.no_files')
    const answer = await send(path)
    expectError(answer, 429, 'rate_limited')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
  }
  expectError(await hasty.submitMeasured({ ticket: 'x' }), 429, 'rate_limited')
})

test('two guests of a network never meet in a sandboxed child; the files of one member do', async () => {
  const remember = JSON.stringify({ do: 'remember', text: 'mine' })
  const recall = JSON.stringify({ do: 'find-files' })
  const readMemory = async (visitor: JobVisitor, content: string): Promise<string | null> => {
    const { job, proof } = await visitor.extract('a.mischief', content)
    const { body } = await visitor.get<{ memory?: string }>(
      `/web/jobs/${job.id}/files/metadata/report.json${proofQuery(proof)}`,
    )
    return body.memory ?? null
  }
  const member = await createMember(service)
  await readMemory(member, remember)
  expect(await readMemory(member, recall)).toBe('mine')
  const shared = createGuest(service, '203.0.113.9')
  await readMemory(shared, remember)
  for (let count = 0; count < 4; count++) expect(await readMemory(shared, recall)).toBeNull()
})
