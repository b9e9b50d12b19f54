import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantCredits } from '../../src/accounts/ledger.ts'
import { submissionSchema } from '../../src/http/schemas.ts'
import { createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { listUploads } from './multipart.ts'

let service: TestService
let client: TestClient
const newClient = async (options?: Parameters<TestService['account']>[0]) =>
  createClient(service.base, (await service.account(options)).key)
beforeAll(async () => {
  // Nobody serves the image pool: flipbooks wait for ever.
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  client = await newClient()
})
afterAll(() => service.stop())

describe('202', () => {
  test('a text file becomes a job, and the job a ZIP', async () => {
    const answer = await client.submit('notes.txt', 'one two three\n')
    expect(answer.status).toBe(202)
    expect(answer.headers.get('location')).toBe(`/extract/job/${answer.body.id}`)
    expect(answer.body).toMatchObject({
      status: 'Queued',
      fileName: 'notes',
      format: 'txt',
      job: 'extract.txt',
      workflow: 'extract',
      quotedCredits: 1,
    })
    const job = await client.waitForEnd(answer.body.id)
    expect(job).toMatchObject({ status: 'succeeded', billing: 'charged', metrics: { chargedCredits: 1 } })
  })

  test('the record to the letter', async () => {
    const before = Date.now()
    const { body, headers } = await client.submit('Talk.Final.DECK', 'a\nb\nc\nd\ne\nf')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      // A UUIDv7: the first 48 bits are the time.
      id: expect.stringMatching(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
      status: 'Queued',
      fileName: 'Talk.Final',
      format: 'deck',
      job: 'extract.deck',
      workflow: 'extract',
      queue: { pool: 'document', position: expect.any(Number) },
      quotedCredits: 2,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(submissionSchema.safeParse(body).success).toBe(true)
    expect(Number.parseInt(body.id.slice(0, 12), 16)).toBeGreaterThanOrEqual(before - 1000)
  })

  test('places in the queue count from one', async () => {
    const own = await newClient()
    const positions: number[] = []
    for (let place = 0; place < 3; place++) {
      positions.push((await own.submit('a.flipbook', 'frame')).body.queue.position)
    }
    expect(positions).toEqual([1, 2, 3])
    // Accounts take turns: the newcomer's first job goes before the others' second.
    expect((await (await newClient()).submit('a.flipbook', 'frame')).body.queue.position).toBe(2)
  })

  test('ids sort by time', async () => {
    const first = (await client.submit('a.txt', 'a')).body.id
    const second = (await client.submit('a.txt', 'a')).body.id
    expect(second > first).toBe(true)
  })

  test('the credits are held at once, charged at the end', async () => {
    const own = await newClient({ credits: 10 })
    const credits = async () => (await own.get<{ totalCredits: number }>('/extract/entitlements/me')).body.totalCredits
    const { body } = await own.submit('a.flipbook', 'frame\n\n'.repeat(25))
    expect(body.quotedCredits).toBe(3)
    expect(await credits()).toBe(7)
    await own.call('POST', `/extract/job/${body.id}/cancel`)
    expect(await credits()).toBe(10)
    const job = await own.extract('a.deck', 'slide\n'.repeat(11))
    expect(job.metrics).toMatchObject({ quotedCredits: 3, chargedCredits: 3, refundedCredits: 0 })
    expect(await credits()).toBe(7)
  })

  test('plan credits burn first, then loyalty, then wallet', async () => {
    const account = await service.account({ credits: 1 })
    const own = createClient(service.base, account.key)
    for (const bucket of ['loyalty', 'wallet'] as const) {
      await grantCredits(service.database, { accountId: account.id, bucket, credits: 2, note: 'test' })
    }
    const buckets = async () => {
      const { body } = await own.get<Record<string, number>>('/extract/entitlements/me')
      return [body.planCredits, body.loyaltyCredits, body.walletCredits]
    }
    const { body } = await own.submit('a.flipbook', 'frame\n\n'.repeat(40))
    expect(body.quotedCredits).toBe(4)
    expect(await buckets()).toEqual([0, 0, 1])
    await own.call('POST', `/extract/job/${body.id}/cancel`)
    expect(await buckets()).toEqual([1, 2, 2])
  })

  test('the last credit can be spent', async () => {
    const own = await newClient({ credits: 1 })
    expect((await own.submit('a.flipbook', 'frame')).status).toBe(202)
    expectError(await own.submit('a.flipbook', 'frame'), 402, 'entitlements.insufficient_credits', {
      required: 1,
      available: 0,
    })
  })

  test('a file that cannot be measured makes a job that has failed, uncharged', async () => {
    const own = await newClient({ credits: 5 })
    const { status, body } = await own.submit('a.scroll', ' \n')
    expect(status).toBe(202)
    const { body: job } = await own.get(`/extract/job/${body.id}`)
    expect(job).toMatchObject({
      status: 'failed',
      billing: 'released',
      error: { code: 'extract.source_unreadable' },
      finishedAt: expect.any(String),
    })
    expect((await own.get('/extract/entitlements/me')).body).toMatchObject({ totalCredits: 5 })
    expect((await listUploads(service)).filter((name) => name.startsWith(body.id))).toEqual([])
  })

  test('capabilities are run in the order of the catalog, each once', async () => {
    const options = { extraction: { selectedCapabilities: ['deck.images', 'deck.text', 'deck.images'] } }
    const job = await client.extract('a.deck', 'one', options)
    expect(job.output?.files.map((file) => file.path)).toEqual([
      'images/slide-001.svg',
      'text/deck.txt',
      'manifest.json',
    ])
  })

  test('option values of every type reach the capability', async () => {
    const options = {
      extraction: {
        includeManifest: false,
        selectedCapabilities: ['deck.text', 'deck.images', 'deck.notes'],
        capabilityOptions: {
          'deck.text': { lineEnding: 'crlf', includeNumbers: true },
          'deck.images': { maxImages: 1, scale: 0.5 },
          'deck.notes': { password: 'opens', language: 'de-AT', parts: ['notes'] },
        },
      },
    }
    const job = await client.extract('a.deck', 'locked:opens\none | first\ntwo | second', options)
    expect(job).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'deck.images_cut', capabilityId: 'deck.images' }],
    })
    expect(job.output?.files).toEqual([
      { path: 'images/slide-001.svg', bytes: expect.any(Number), capabilityId: 'deck.images' },
      { path: 'text/deck.txt', bytes: '1. one\r\n2. two\r\n'.length, capabilityId: 'deck.text' },
      { path: 'text/notes.de-AT.txt', bytes: 'first\nsecond\n'.length, capabilityId: 'deck.notes' },
    ])
    // What was secret is nowhere in the record, the database or the log.
    const [row] = await service.database.query<{ plan: string }>('select plan::text as plan from jobs where id = $1', [
      job.id,
    ])
    expect(row?.plan).not.toContain('opens')
    expect(service.first.log()).not.toContain('opens')
  })

  test('a capability that finds nothing beside others is a warning at most, never a failure', async () => {
    const options = { extraction: { selectedCapabilities: ['deck.text', 'deck.notes'] } }
    expect((await client.extract('a.deck', 'no notes here', options)).status).toBe('succeeded')
  })
})

describe('400 request.invalid_parameter', () => {
  const path = 'options.extraction'
  test.each([
    [{ selectedCapabilities: 'deck.text' }, `${path}.selectedCapabilities`],
    [{ selectedCapabilities: [] }, `${path}.selectedCapabilities`],
    [{ selectedCapabilities: ['deck.text', 7] }, `${path}.selectedCapabilities[1]`],
    [{ selectedCapabilities: ['text.text'] }, `${path}.selectedCapabilities[0]`],
    [{ includeManifest: 'yes' }, `${path}.includeManifest`],
    [{ capabilityOptions: [] }, `${path}.capabilityOptions`],
    [{ capabilityOptions: { nope: {} } }, `${path}.capabilityOptions.nope`],
    [{ capabilityOptions: { 'deck.text': 5 } }, `${path}.capabilityOptions.deck.text`],
    [{ capabilityOptions: { 'deck.text': { toString: 1 } } }, `${path}.capabilityOptions.deck.text.toString`],
    [{ capabilityOptions: { 'deck.text': { lineEnding: 'cr' } } }, `${path}.capabilityOptions.deck.text.lineEnding`],
    [{ capabilityOptions: { 'deck.text': { lineEnding: null } } }, `${path}.capabilityOptions.deck.text.lineEnding`],
    [
      { capabilityOptions: { 'deck.text': { includeNumbers: 1 } } },
      `${path}.capabilityOptions.deck.text.includeNumbers`,
    ],
    [{ capabilityOptions: { 'deck.images': { maxImages: 0 } } }, `${path}.capabilityOptions.deck.images.maxImages`],
    [{ capabilityOptions: { 'deck.images': { maxImages: 1.5 } } }, `${path}.capabilityOptions.deck.images.maxImages`],
    [{ capabilityOptions: { 'deck.images': { maxImages: '5' } } }, `${path}.capabilityOptions.deck.images.maxImages`],
    [{ capabilityOptions: { 'deck.images': { scale: 4.1 } } }, `${path}.capabilityOptions.deck.images.scale`],
    [{ capabilityOptions: { 'deck.notes': { language: 'english' } } }, `${path}.capabilityOptions.deck.notes.language`],
    [{ capabilityOptions: { 'deck.notes': { parts: ['nope'] } } }, `${path}.capabilityOptions.deck.notes.parts`],
    [{ capabilityOptions: { 'deck.notes': { parts: 'notes' } } }, `${path}.capabilityOptions.deck.notes.parts`],
  ])('%j', async (extraction, where) => {
    const body = expectError(await client.submit('a.deck', 'a', { extraction }), 400, 'request.invalid_parameter', {
      path: where,
    })
    expect(body.detail).toContain(where)
    expect(body.params).toHaveProperty('value')
  })
  test('a secret is not sent back', async () => {
    const extraction = { capabilityOptions: { 'deck.notes': { password: 'p4ss'.repeat(50) } } }
    const body = expectError(await client.submit('a.deck', 'a', { extraction }), 400, 'request.invalid_parameter')
    expect(JSON.stringify(body)).not.toContain('p4ss')
  })
  test.each([
    ['not a URL', { webhookUrl: 'nope' }, 'options.webhookUrl'],
    ['plain http', { webhookUrl: 'http://example.com/' }, 'options.webhookUrl'],
    ['a loopback address', { webhookUrl: 'https://127.0.0.1/' }, 'options.webhookUrl'],
    ['a private address', { webhookUrl: 'https://10.1.2.3/' }, 'options.webhookUrl'],
    ['a mapped loopback address', { webhookUrl: 'https://[::ffff:127.0.0.1]/' }, 'options.webhookUrl'],
    ['an IPv6 loopback address', { webhookUrl: 'https://[::1]/' }, 'options.webhookUrl'],
    ['an address in decimal', { webhookUrl: 'https://2130706433/' }, 'options.webhookUrl'],
    ['localhost', { webhookUrl: 'https://localhost/' }, 'options.webhookUrl'],
    ['a password in the URL', { webhookUrl: 'https://user:pass@example.com/' }, 'options.webhookUrl'],
    ['a secret alone', { webhookSecret: 'whsec_x' }, 'options.webhookSecret'],
    ['a short secret', { webhookUrl: 'https://example.com/', webhookSecret: 'whsec_abc' }, 'options.webhookSecret'],
    ['unknown events', { webhookUrl: 'https://example.com/', webhookEvents: ['job.born'] }, 'options.webhookEvents'],
    ['no events', { webhookUrl: 'https://example.com/', webhookEvents: [] }, 'options.webhookEvents'],
  ])('a webhook with %s', async (_, options, where) => {
    expectError(await client.submit('a.txt', 'a', options), 400, 'request.invalid_parameter', { path: where })
  })
})

describe('other refusals', () => {
  test('400 request.unknown_field: in the options', async () => {
    const cases: [unknown, string][] = [
      [{ colour: 'red' }, 'options.colour'],
      [{ transcription: {} }, 'options.transcription'],
      [{ extraction: { capabilities: [] } }, 'options.extraction.capabilities'],
    ]
    for (const [options, field] of cases) {
      const body = expectError(await client.submit('a.txt', 'a', options), 400, 'request.unknown_field', { field })
      expect(body.params.allowed).toBeInstanceOf(Array)
    }
  })
  test('400 request.constraint_violated: requires and excludes', async () => {
    const needsText = await client.submit<ErrorBody>('a.deck', 'a', {
      extraction: { selectedCapabilities: ['deck.notes'] },
    })
    expect(expectError(needsText, 400, 'request.constraint_violated').params.constraint).toEqual({
      type: 'requires',
      capabilityId: 'deck.notes',
      targets: ['deck.text'],
      detail: expect.any(String),
    })
    const handout = {
      selectedCapabilities: ['deck.text', 'deck.images', 'deck.notes'],
      capabilityOptions: { 'deck.images': { layout: 'handout' } },
    }
    expectError(await client.submit('a.deck', 'a', { extraction: handout }), 400, 'request.constraint_violated', {
      constraint: { type: 'excludes', capabilityId: 'deck.images' },
    })
  })
  test('400 estimate.duration_limit_exceeded: the measured duration is over the plan', async () => {
    expectError(await client.submit('a.clip', String(300 * 60 + 1)), 400, 'estimate.duration_limit_exceeded', {
      maxDurationMinutes: 300,
    })
  })
  test('402 entitlements.insufficient_credits: nothing is stored or held', async () => {
    const own = await newClient({ credits: 2 })
    expectError(await own.submit('a.deck', 'slide\n'.repeat(30)), 402, 'entitlements.insufficient_credits', {
      required: 6,
      available: 2,
    })
    expect((await own.get('/extract/jobs')).body).toMatchObject({ jobs: [] })
    expect((await own.get('/extract/entitlements/me')).body).toMatchObject({ totalCredits: 2 })
  })
  test('402 entitlements.insufficient_credits: ten at once spend what is there and no more', async () => {
    const own = await newClient({ credits: 4 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.submit('a.flipbook', 'frame')))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([202, 202, 202, 202, 402, 402, 402, 402, 402, 402])
  })
})
