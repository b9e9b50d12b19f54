import './own-formats.ts'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type Client,
  ConflictError,
  createClient,
  FileTooLargeError,
  ForbiddenError,
  findBrokenConstraints,
  InsufficientCreditsError,
  JobCanceledError,
  JobFailedError,
  MetricsRequiredError,
  NotFoundError,
  QuarryError,
} from '../../packages/client/src/index.ts'
import { ok } from '../jobs/deeds.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'

let service: TestService
let account: TestAccount
let client: Client
let folder: string
beforeAll(async () => {
  service = await startTestService({
    // No worker takes the jobs of the image pool: they wait for as long as a test wants.
    QUARRY_WORKER_POOLS: 'document,video',
    QUARRY_PLANS: JSON.stringify({ pro: { maxFileSizeMb: 2 } }),
  })
  account = await service.account()
  client = createClient({ baseUrl: `${service.base}/extract`, apiKey: account.key })
  folder = await mkdtemp(join(tmpdir(), 'quarry-client-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string, content: string) => new File([content], name)
const DECK = 'One | first words\nTwo\n'
const failureOf = async (work: Promise<unknown>): Promise<QuarryError> => {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(QuarryError)
  return error as QuarryError
}

describe('extract', () => {
  test('a file on disk becomes a job with the options that were given', async () => {
    const path = join(folder, 'talk.deck')
    await writeFile(path, DECK)
    const progress: number[] = []
    const submission = await client.extract(path, {
      selectedCapabilities: ['deck.text', 'deck.notes'],
      capabilityOptions: { 'deck.text': { includeNumbers: true }, 'deck.notes': { parts: ['notes'] } },
      includeManifest: false,
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    })
    expect(submission).toMatchObject({ status: 'Queued', fileName: 'talk', format: 'deck', quotedCredits: 1 })
    const job = await client.jobs.wait(submission)
    expect(job).toMatchObject({ id: submission.id, status: 'succeeded', billing: 'charged' })
    expect(job.output?.files.map(({ path }) => path)).toEqual(['text/deck.txt', 'text/notes.en.txt'])
    expect(progress.at(-1)).toBeGreaterThan(DECK.length)
  })
  test.each([
    [
      'a file: URL',
      async () => {
        await writeFile(join(folder, 'url.deck'), DECK)
        return client.extract(pathToFileURL(join(folder, 'url.deck')))
      },
    ],
    ['a File', () => client.extract(file('url.deck', DECK))],
    ['a Blob with a name beside it', () => client.extract(new Blob([DECK]), { fileName: 'url.deck' })],
    [
      'a stream of Node',
      () => client.extract({ name: 'url.deck', size: DECK.length, stream: Readable.from([Buffer.from(DECK)]) }),
    ],
    [
      'a stream of the web',
      () => client.extract({ name: 'url.deck', size: DECK.length, stream: () => new Blob([DECK]).stream() }),
    ],
  ])('%s is taken', async (_, send) => {
    const { id, fileName, format } = await send()
    expect({ fileName, format }).toEqual({ fileName: 'url', format: 'deck' })
    expect((await client.jobs.wait(id)).metrics.inputBytes).toBe(DECK.length)
  })
  test('a name with quotes and letters of all kinds arrives', async () => {
    const { fileName } = await client.extract(file('Übung "1"; 文書.deck', DECK))
    expect(fileName).toBe('Übung "1"; 文書')
  })
  test('a stream that does not have its size is no upload', async () => {
    for (const size of [DECK.length - 1, DECK.length + 1]) {
      const stream = () => new Blob([DECK]).stream()
      await expect(client.extract({ name: 'a.deck', size, stream })).rejects.toThrow(TypeError)
    }
    await expect(client.extract(new Blob([DECK]))).rejects.toThrow('fileName')
    await expect(client.extract(join(folder, 'nowhere.deck'))).rejects.toThrow()
  })
  test('the same idempotency key is the same job', async () => {
    const send = () => client.extract(file('once.deck', DECK), { idempotencyKey: 'only-once' })
    expect((await send()).id).toBe((await send()).id)
    const reused = await failureOf(client.extract(file('other.deck', DECK), { idempotencyKey: 'only-once' }))
    expect(reused).toBeInstanceOf(ConflictError)
    expect(reused.code).toBe('idempotency.key_reused')
  })
})

describe('transcribe', () => {
  test('a recording is sent with its options; a job that fails says why', async () => {
    const submission = await client.transcribe(file('talk.clip', '61'), { mode: 'quality', language: 'de' })
    expect(submission).toMatchObject({ workflow: 'transcribe', quotedCredits: 10 })
    const error = await failureOf(client.jobs.wait(submission))
    expect(error).toBeInstanceOf(JobFailedError)
    expect(error).toMatchObject({
      name: 'JobFailedError',
      code: 'extract.audio_transcription.provider_not_configured',
      params: { mode: 'quality' },
      job: { id: submission.id, status: 'failed', billing: 'released' },
    })
  })
})

describe('prices and discovery', () => {
  test('an estimate is the price of the job', async () => {
    const metrics = { fileSizeBytes: 100, durationSeconds: 61 }
    const extraction = {
      selectedCapabilities: ['media.transcript'],
      capabilityOptions: { 'media.transcript': { 'transcription.mode': 'meeting-intelligence' } },
    } as const
    expect(await client.estimate('.mp4', { ...metrics, extraction })).toMatchObject({
      job: 'extract.mp4',
      quotedCredits: 17,
      lineItems: [{ kind: 'base' }, { kind: 'capability', capabilityId: 'media.transcript', credits: 16 }],
    })
    const transcript = await client.estimate('mp3', { ...metrics, workflow: 'transcribe', mode: 'fast' })
    expect(transcript.quotedCredits).toBe(4)
  })
  test('a missing metric is named', async () => {
    const error = await failureOf(client.estimate('pptx', { fileSizeMb: 1 }))
    expect(error).toBeInstanceOf(MetricsRequiredError)
    expect(error).toMatchObject({
      status: 422,
      code: 'estimate.exact_metrics_required',
      params: { fields: ['slideCount', 'documentUnitCount'] },
    })
  })
  test('options, extractors and schema', async () => {
    const options = await client.options('MP4')
    expect(options).toMatchObject({ format: 'mp4', job: 'extract.mp4' })
    expect(options.transcription?.modes.map(({ id }) => id)).toEqual(['fast', 'quality', 'meeting-intelligence'])
    const all = await client.extractors()
    expect(all.length).toBeGreaterThan(10)
    expect(await client.extractors('pdf')).toMatchObject([{ extractor: 'pdf', costing: { rule: 'max' } }])
    const { formats } = await client.schema()
    expect(formats.find(({ extension }) => extension === 'docx')).toMatchObject({ job: 'extract.docx' })
    expect((await failureOf(client.options('nothing'))).code).toBe('formats.not_found')
  })
  test('constraints can be checked before anything is sent, and mean what the service means', async () => {
    const descriptor = await client.options('deck')
    const selections = [
      { selectedCapabilities: ['deck.notes'] },
      { selectedCapabilities: ['deck.text', 'deck.notes'] },
      {
        selectedCapabilities: ['deck.text', 'deck.notes', 'deck.images'],
        capabilityOptions: { 'deck.images': { layout: 'handout' } },
      },
      {},
    ] as const
    for (const selection of selections) {
      const [broken] = findBrokenConstraints(descriptor, selection)
      const sent = await client.extract(file('rules.deck', DECK), selection).catch((error: ApiError) => error)
      if (broken) expect(sent).toMatchObject({ code: 'request.constraint_violated', params: { constraint: broken } })
      else expect(sent).toMatchObject({ status: 'Queued' })
    }
    expect(selections.map((selection) => findBrokenConstraints(descriptor, selection).length)).toEqual([1, 0, 1, 0])
  })
  test('entitlements tell what can be spent', async () => {
    const other = await service.account({ credits: 123 })
    const entitlements = await createClient({ baseUrl: service.base, apiKey: other.key }).entitlements()
    expect(entitlements).toMatchObject({
      tier: 'pro',
      totalCredits: 123,
      credits: { available: 123, isUnlimited: false },
      limits: { maxFileSizeMb: 2 },
      dailyLimit: null,
    })
  })
})

describe('jobs', () => {
  test('get, list page by page, cancel and delete', async () => {
    const own = createClient({ baseUrl: `${service.base}/extract/`, apiKey: (await service.account()).key })
    const waiting = await own.extract(file('wait.flipbook', 'frame'))
    const done = await own.jobs.wait(await own.extract(file('done.deck', DECK)))
    expect(await own.jobs.get(waiting)).toMatchObject({ id: waiting.id, status: 'queued', queue: { pool: 'image' } })
    const first = await own.jobs.list({ limit: 1 })
    expect(first.jobs.map(({ id }) => id)).toEqual([done.id])
    const second = await own.jobs.list({ limit: 1, cursor: first.nextCursor })
    expect(second).toMatchObject({ jobs: [{ id: waiting.id }], nextCursor: null })

    expect((await failureOf(own.jobs.delete(waiting))).code).toBe('jobs.not_deletable')
    expect((await failureOf(own.jobs.download(waiting))).code).toBe('jobs.not_ready')
    expect(await own.jobs.cancel(waiting.id)).toMatchObject({ status: 'canceled', billing: 'released' })
    expect(await own.jobs.cancel(waiting.id)).toMatchObject({ status: 'canceled' })
    expect(await failureOf(own.jobs.wait(waiting))).toBeInstanceOf(JobCanceledError)
    expect((await failureOf(own.jobs.cancel(done))).code).toBe('jobs.not_cancellable')
    for (const status of ['canceled', 'cancelled'] as const) {
      expect((await own.jobs.list({ status })).jobs.map(({ id }) => id)).toEqual([waiting.id])
    }
    expect(await own.jobs.delete(waiting)).toBeUndefined()
    expect(await failureOf(own.jobs.get(waiting))).toBeInstanceOf(NotFoundError)
    expect((await own.jobs.list()).jobs).toHaveLength(1)
  })
  test('the result comes to a path or as a stream, and is what the record says', async () => {
    const job = await client.jobs.wait(await client.extract(file('result.deck', DECK)))
    const path = join(folder, 'result.zip')
    await writeFile(path, 'what was there before')
    const saved = await client.jobs.download(job, path)
    const bytes = await readFile(path)
    expect(saved).toEqual({ path, bytes: job.output?.bytes, sha256: job.output?.sha256 })
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.output?.sha256)
    expect(await buffer(await client.jobs.download(job.id))).toEqual(bytes)
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })
  test('a refused download leaves no file', async () => {
    const submission = await client.extract(file('nothing.mischief', '{"do":"nothing"}'))
    expect((await failureOf(client.jobs.wait(submission))).code).toBe('extract.output_empty')
    const before = await readdir(folder)
    const error = await failureOf(client.jobs.download(submission, join(folder, 'no.zip')))
    expect(error).toMatchObject({ code: 'jobs.failed', status: 409 })
    expect(await readdir(folder)).toEqual(before)
  })
  test('what is not an id of a job is not asked for', async () => {
    for (const id of ['', '..', 'a/b', 'a?b']) await expect(client.jobs.get(id)).rejects.toThrow(TypeError)
  })
})

describe('errors', () => {
  const withKey = (apiKey: string) => createClient({ baseUrl: `${service.base}/extract`, apiKey })
  test.each([
    [AuthenticationError, 'api_key.invalid_or_ip_not_allowed', () => withKey('fast_prod_wrong').schema()],
    [
      ForbiddenError,
      'api_key.pro_required',
      async () => withKey((await service.account({ plan: 'free' })).key).extract(file('a.deck', DECK)),
    ],
    [
      ForbiddenError,
      'jobs.forbidden',
      async () => client.jobs.get(await withKey((await service.account()).key).extract(file('a.deck', DECK))),
    ],
    [
      InsufficientCreditsError,
      'entitlements.insufficient_credits',
      async () => withKey((await service.account({ credits: 0 })).key).extract(file('a.deck', DECK)),
    ],
    [BadRequestError, 'request.invalid_extension', () => client.extract(file('a.unknown', DECK))],
    [FileTooLargeError, 'request.file_too_large', () => client.extract(file('a.deck', DECK.repeat(300_000)))],
    [NotFoundError, 'jobs.not_found', () => client.jobs.get('0'.repeat(32))],
  ] as const)('%o: %s', async (Kind, code, work) => {
    const error = (await failureOf(work())) as ApiError
    expect(error).toBeInstanceOf(Kind)
    expect(error).toBeInstanceOf(ApiError)
    expect(error.name).toBe(Kind.name)
    expect(error.code).toBe(code)
    expect(error.requestId).toMatch(/.{8,}/)
    expect(error.detail).not.toBe('')
  })
  test('the key is in no error and not on the client', async () => {
    const secret = 'fast_prod_secret\u00e9'
    expect(() => withKey(secret)).toThrow(TypeError)
    expect(() => withKey(secret)).not.toThrow(secret)
    const error = await failureOf(withKey('fast_prod_hidden').schema())
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('fast_prod_hidden')
    expect(JSON.stringify(withKey('fast_prod_hidden'))).not.toContain('fast_prod_hidden')
  })
  test('wrong settings are refused at once', () => {
    expect(() => createClient({ baseUrl: 'ftp://a', apiKey: 'k' })).toThrow(TypeError)
    expect(() => createClient({ baseUrl: service.base, apiKey: 'k', maxRetries: -1 })).toThrow(TypeError)
  })
})

test('a job can be followed from outside the service, from its first record to its last', async () => {
  const submission = await client.extract(file('follow.mischief', ok()))
  const seen: string[] = []
  for await (const job of client.jobs.events(submission)) seen.push(job.status)
  expect(seen.at(-1)).toBe('succeeded')
  for (const status of seen) expect(['queued', 'running', 'succeeded']).toContain(status)
})
