import { afterAll, beforeAll, expect, test } from 'vitest'
import { submissionSchema } from '../../src/http/schemas.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

let service: TestService
let client: TestClient
beforeAll(async () => {
  service = await startTestService()
  client = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

const transcribe = (transcription?: unknown, name = 'talk.clip', content = '90') =>
  client.submit(name, content, transcription === undefined ? undefined : { transcription }, {
    path: '/extract/transcribe',
  })

test('202: the record and the Location header', async () => {
  const { status, headers, body } = await transcribe()
  expect(status).toBe(202)
  expect(headers.get('location')).toBe(`/extract/job/${body.id}`)
  expect(body).toMatchObject({
    status: 'Queued',
    fileName: 'talk',
    format: 'clip',
    job: 'extract.clip',
    workflow: 'transcribe',
    queue: { pool: 'video' },
    quotedCredits: 4,
  })
  expect(submissionSchema.safeParse(body).success).toBe(true)
})

test.each([
  ['fast', 2],
  ['quality', 5],
  ['meeting-intelligence', 8],
])('202: mode %s costs %d credits a started minute, the same as its estimate', async (mode, perMinute) => {
  const { body } = await transcribe({ mode, language: 'auto' })
  expect(body.quotedCredits).toBe(2 * perMinute)
  const json = { fileSizeBytes: 2, durationSeconds: 90, workflow: 'transcribe', mode }
  const quote = await client.call<{ quotedCredits: number }>('POST', '/extract/estimate/clip', { json })
  expect(quote.body.quotedCredits).toBe(body.quotedCredits)
})

test('202: a mode that no engine serves is accepted, fails with its code, and is not charged', async () => {
  const { body } = await transcribe({ mode: 'quality' })
  expect(await client.waitForEnd(body.id)).toMatchObject({
    status: 'failed',
    workflow: 'transcribe',
    billing: 'released',
    transcription: null,
    error: { code: 'extract.audio_transcription.provider_not_configured', params: { mode: 'quality' } },
  })
})

test('202: every option of the contract and the decisions', async () => {
  const { status } = await transcribe({
    mode: 'fast',
    language: 'de-AT',
    includeTxt: true,
    includeJson: false,
    includePdf: false,
    includeDocx: true,
    includeMarkdown: false,
    includeEpub: true,
    includeSrt: false,
    includeVtt: true,
  })
  expect(status).toBe(202)
})

test.each([
  [{ mode: 'slow' }, 'options.transcription.mode'],
  [{ mode: '' }, 'options.transcription.mode'],
  [{ language: 5 }, 'options.transcription.language'],
  [{ language: 'a language' }, 'options.transcription.language'],
  [{ language: '' }, 'options.transcription.language'],
  [{ includeTxt: 'yes' }, 'options.transcription.includeTxt'],
  [{ includeVtt: 1 }, 'options.transcription.includeVtt'],
  [[], 'options.transcription'],
  ['fast', 'options.transcription'],
])('400 request.invalid_parameter: %j', async (options, path) => {
  expectError(await transcribe(options), 400, 'request.invalid_parameter', { path })
})

test('400 request.unknown_field: an option that does not exist', async () => {
  const body = expectError(await transcribe({ includeHtml: true }), 400, 'request.unknown_field', {
    field: 'options.transcription.includeHtml',
  })
  expect(body.params.allowed).toContain('includeMarkdown')
})

test('400 request.unknown_field: options of an extraction', async () => {
  const answer = await client.submit('a.clip', '60', { extraction: {} }, { path: '/extract/transcribe' })
  expectError(answer, 400, 'request.unknown_field', { field: 'options.extraction' })
})

test('400 request.invalid_extension: a file without sound', async () => {
  expectError(await transcribe(undefined, 'a.txt', 'a'), 400, 'request.invalid_extension', {
    extension: 'txt',
    workflow: 'transcribe',
  })
})

test('400 estimate.duration_limit_exceeded: longer than the plan allows', async () => {
  expectError(await transcribe(undefined, 'a.clip', '18001'), 400, 'estimate.duration_limit_exceeded')
})

test('402 entitlements.insufficient_credits: too few for the minutes', async () => {
  const poor = createClient(service.base, (await service.account({ credits: 3 })).key)
  const answer = await poor.submit('a.clip', '90', undefined, { path: '/extract/transcribe' })
  expectError(answer, 402, 'entitlements.insufficient_credits', { required: 4, available: 3 })
})

test('400 request.no_files and 400 request.invalid_content_type, as for an extraction', async () => {
  const form = new FormData()
  form.set('options', '{}')
  expectError(await client.call('POST', '/extract/transcribe', { body: form }), 400, 'request.no_files')
  expectError(await client.call('POST', '/extract/transcribe', { json: {} }), 400, 'request.invalid_content_type')
})
