import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Quote } from '../../src/core/pricing.ts'
import { type Answer, createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

const MB = 1_048_576
let service: TestService
let pro: TestClient
let free: TestClient
beforeAll(async () => {
  service = await startTestService()
  pro = createClient(service.base, (await service.account({ credits: 100_000 })).key)
  free = createClient(service.base, (await service.account({ plan: 'free' })).key)
})
afterAll(() => service.stop())

const estimate = <T = Quote>(format: string, json: unknown, client = pro): Promise<Answer<T>> =>
  client.call<T>('POST', `/extract/estimate/${format}`, { json })
const credits = async (format: string, json: unknown): Promise<number> => {
  const { status, body } = await estimate(format, json)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.quotedCredits
}

describe('200: the quote', () => {
  test('of a size alone', async () => {
    const answer = await estimate('txt', { fileSizeMb: 12 })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({
      job: 'extract.txt',
      category: 'text',
      quotedCredits: 3,
      lineItems: [{ kind: 'base', credits: 3, unit: 'megabyte', quantity: 12, per: 5 }],
    })
  })
  test('of a video with a transcript', async () => {
    const { body } = await estimate('clip', {
      fileSizeMb: 40,
      durationSeconds: 601,
      options: {
        extraction: {
          selectedCapabilities: ['clip.metadata', 'media.transcript'],
          capabilityOptions: { 'media.transcript': { 'transcription.mode': 'quality' } },
        },
      },
    })
    expect(body).toMatchObject({
      job: 'extract.clip',
      category: 'video',
      quotedCredits: 3 + 55,
      lineItems: [
        { kind: 'base', credits: 3, unit: 'minute' },
        { kind: 'capability', credits: 55, capabilityId: 'media.transcript', mode: 'quality', unit: 'minute' },
      ],
    })
  })
  test.each([
    // The PowerPoint rule: the greater of ceil(MB / 5) and ceil(slides / 5).
    [{ fileSizeMb: 0.1, slideCount: 1 }, 1],
    [{ fileSizeMb: 5, slideCount: 5 }, 1],
    [{ fileSizeMb: 5.01, slideCount: 5 }, 2],
    [{ fileSizeMb: 5, slideCount: 6 }, 2],
    [{ fileSizeMb: 26, slideCount: 10 }, 6],
    [{ fileSizeMb: 10, slideCount: 101 }, 21],
    [{ fileSizeMb: 1, slideCount: 0 }, 1],
    [{ fileSizeBytes: 5 * MB + 1, slideCount: 1 }, 2],
  ])('of a presentation %j is %d', async (metrics, expected) => {
    expect(await credits('deck', metrics)).toBe(expected)
  })
  test('never falls below one credit', async () => {
    expect(await credits('txt', { fileSizeBytes: 1 })).toBe(1)
    expect(await credits('clip', { fileSizeBytes: 1, durationSeconds: 0 })).toBe(1)
    expect(await credits('flipbook', { fileSizeBytes: 1, frameCount: 0 })).toBe(1)
  })
  test.each(['deck', '.deck', 'DECK', '.Deck', '%2Edeck'])('of the extension %s', async (extension) => {
    const { status, body } = await estimate(extension, { fileSizeMb: 1, slideCount: 6 })
    expect({ status, job: body.job, credits: body.quotedCredits }).toEqual({
      status: 200,
      job: 'extract.deck',
      credits: 2,
    })
  })
  test('is there for keys that are not Pro', async () => {
    expect((await estimate('txt', { fileSizeMb: 1 }, free)).status).toBe(200)
  })
  test('costs nothing', async () => {
    const { body } = await pro.get<{ totalCredits: number }>('/extract/entitlements/me')
    await estimate('txt', { fileSizeMb: 500 })
    expect((await pro.get<{ totalCredits: number }>('/extract/entitlements/me')).body.totalCredits).toBe(
      body.totalCredits,
    )
  })
})

describe('precedence', () => {
  test('fileSizeBytes wins over fileSizeMb', async () => {
    expect(await credits('txt', { fileSizeBytes: MB, fileSizeMb: 500 })).toBe(1)
    expect(await credits('txt', { fileSizeBytes: 500 * MB, fileSizeMb: 1 })).toBe(100)
  })
  test('durationSeconds wins over durationMinutes', async () => {
    expect(await credits('clip', { fileSizeMb: 1, durationSeconds: 60, durationMinutes: 100 })).toBe(1)
    expect(await credits('clip', { fileSizeMb: 1, durationSeconds: 6000, durationMinutes: 1 })).toBe(20)
  })
  test.each([
    ['deck', 'slideCount', 5],
    ['scroll', 'pageCount', 10],
  ])('%s: the specific count wins over documentUnitCount', async (format, field, per) => {
    expect(await credits(format, { fileSizeMb: 1, [field]: per, documentUnitCount: 90 * per })).toBe(1)
    expect(await credits(format, { fileSizeMb: 1, [field]: 90 * per, documentUnitCount: 1 })).toBe(90)
    expect(await credits(format, { fileSizeMb: 1, documentUnitCount: 90 * per })).toBe(90)
  })
  test('null stands for a field that was not sent', async () => {
    expect(await credits('txt', { fileSizeBytes: null, fileSizeMb: 6 })).toBe(2)
    expect(await credits('clip', { fileSizeMb: 1, durationSeconds: null, durationMinutes: 6 })).toBe(2)
    const nothing = { pageCount: null, sheetCount: null, frameCount: null, workflow: null, mode: null, options: null }
    expect(await credits('deck', { fileSizeMb: 1, slideCount: null, documentUnitCount: 6, ...nothing })).toBe(2)
  })
  test('metrics that the format is not priced on change nothing', async () => {
    expect(
      await credits('txt', { fileSizeMb: 1, pageCount: 1e6, slideCount: 1e6, frameCount: 1e6, durationSeconds: 60 }),
    ).toBe(1)
  })
})

describe('422 estimate.exact_metrics_required', () => {
  test('the body to the letter', async () => {
    const { status, body } = await estimate<ErrorBody>('deck', { fileSizeMb: 1 })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'estimate.exact_metrics_required',
      code: 'estimate.exact_metrics_required',
      detail: expect.any(String),
      format: 'deck',
      job: 'extract.deck',
      params: {
        format: 'deck',
        job: 'extract.deck',
        missingMetrics: ['documentUnits'],
        documentUnitKind: 'slides',
        fields: ['slideCount', 'documentUnitCount'],
      },
      requestId: expect.any(String),
    })
  })
  test.each([
    ['deck', {}, ['documentUnits'], 'slides', ['slideCount', 'documentUnitCount']],
    ['deck', { pageCount: 3, sheetCount: 3 }, ['documentUnits'], 'slides', ['slideCount', 'documentUnitCount']],
    ['deck', { slideCount: null }, ['documentUnits'], 'slides', ['slideCount', 'documentUnitCount']],
    ['scroll', {}, ['documentUnits'], 'pages', ['pageCount', 'documentUnitCount']],
    ['scroll', { slideCount: 3 }, ['documentUnits'], 'pages', ['pageCount', 'documentUnitCount']],
    ['clip', {}, ['duration'], null, ['durationSeconds', 'durationMinutes']],
    ['clip', { workflow: 'transcribe' }, ['duration'], null, ['durationSeconds', 'durationMinutes']],
    ['flipbook', {}, ['frames'], null, ['frameCount']],
    ['flipbook', { documentUnitCount: 4 }, ['frames'], null, ['frameCount']],
  ])('%s with %j', async (format, metrics, missingMetrics, documentUnitKind, fields) => {
    const answer = await estimate<ErrorBody>(format, { fileSizeMb: 1, ...metrics })
    const job = `extract.${format}`
    const params = { format, job, missingMetrics, documentUnitKind, fields }
    const body = expectError(answer, 422, 'estimate.exact_metrics_required', params)
    expect(body).toMatchObject({ format, job })
    // Any field that is named resolves it.
    for (const field of fields) {
      expect((await estimate(format, { fileSizeMb: 1, ...metrics, [field]: 1 })).status).toBe(200)
    }
  })
  test('names the format without its dot and in lower case', async () => {
    expect((await estimate<ErrorBody>('.DECK', { fileSizeMb: 1 })).body).toMatchObject({
      format: 'deck',
      job: 'extract.deck',
    })
  })
})

describe('400 estimate.unsupported_format', () => {
  test.each(['nope', 'tar.gz', '..deck', 'deck.', 'constructor', '__proto__', '%20', 'a%2Fb', '日本'])(
    '%s',
    async (extension) => {
      expectError(await estimate(extension, { fileSizeMb: 1 }), 400, 'estimate.unsupported_format')
    },
  )
  test('is found before the size is looked at', async () => {
    expectError(await estimate('nope', {}), 400, 'estimate.unsupported_format', { format: 'nope' })
  })
  test('a transcript of something without sound', async () => {
    expectError(await estimate('txt', { fileSizeMb: 1, workflow: 'transcribe' }), 400, 'estimate.unsupported_format')
  })
})

describe('400 estimate.invalid_file_size', () => {
  test.each([
    {},
    { fileSizeBytes: 0 },
    { fileSizeBytes: -1 },
    { fileSizeMb: 0 },
    { fileSizeMb: -0.5 },
    { fileSizeBytes: null },
  ])('%j', async (sizes) => {
    expectError(await estimate('txt', sizes), 400, 'estimate.invalid_file_size')
    expectError(await estimate('deck', { ...sizes, slideCount: 1 }), 400, 'estimate.invalid_file_size')
  })
  test('a zero that wins over a size', async () => {
    expectError(await estimate('txt', { fileSizeBytes: 0, fileSizeMb: 5 }), 400, 'estimate.invalid_file_size')
  })
  test('no body at all', async () => {
    expectError(await pro.call('POST', '/extract/estimate/txt'), 400, 'estimate.invalid_file_size')
    const headers = { 'content-type': 'application/json' }
    for (const body of ['', ' ', 'null']) {
      const answer = await pro.call('POST', '/extract/estimate/txt', { headers, body })
      expectError(answer, 400, 'estimate.invalid_file_size')
    }
  })
})

describe('limits of the plan', () => {
  test('400 estimate.duration_limit_exceeded: longer than the plan allows', async () => {
    expect((await estimate('clip', { fileSizeMb: 1, durationMinutes: 300 })).status).toBe(200)
    const answer = await estimate('clip', { fileSizeMb: 1, durationMinutes: 300.5 })
    expectError(answer, 400, 'estimate.duration_limit_exceeded', { durationMinutes: 300.5, maxDurationMinutes: 300 })
    const transcribe = await estimate('clip', { fileSizeMb: 1, durationSeconds: 18_001, workflow: 'transcribe' })
    expectError(transcribe, 400, 'estimate.duration_limit_exceeded', { maxDurationMinutes: 300 })
  })
  test('400 estimate.duration_limit_exceeded: a free account, sooner', async () => {
    expect((await estimate('clip', { fileSizeMb: 1, durationMinutes: 10 }, free)).status).toBe(200)
    const answer = await estimate('clip', { fileSizeMb: 1, durationMinutes: 10.01 }, free)
    expectError(answer, 400, 'estimate.duration_limit_exceeded', { maxDurationMinutes: 10 })
  })
  test('413 request.file_too_large: larger than the plan allows', async () => {
    expect((await estimate('txt', { fileSizeMb: 1024 })).status).toBe(200)
    const answer = await estimate('txt', { fileSizeBytes: 1024 * MB + 1 })
    expectError(answer, 413, 'request.file_too_large', { maxFileSizeMb: 1024 })
    expectError(await estimate('txt', { fileSizeMb: 51 }, free), 413, 'request.file_too_large', { maxFileSizeMb: 50 })
  })
})

describe('transcripts', () => {
  const MODES = [
    ['fast', 2],
    ['quality', 5],
    ['meeting-intelligence', 8],
  ] as const
  test.each(MODES)('200: workflow transcribe, mode %s: %d credits a started minute', async (mode, perMinute) => {
    for (const [durationSeconds, minutes] of [
      [1, 1],
      [60, 1],
      [60.5, 2],
      [3600, 60],
    ] as const) {
      const { body } = await estimate('clip', { fileSizeMb: 500, durationSeconds, workflow: 'transcribe', mode })
      expect(body).toMatchObject({
        job: 'extract.clip',
        quotedCredits: perMinute * minutes,
        lineItems: [
          { kind: 'capability', capabilityId: 'media.transcript', mode, unit: 'minute', credits: perMinute * minutes },
        ],
      })
      expect(body.lineItems).toHaveLength(1)
    }
  })
  test('200: workflow transcribe without a mode is fast; mode wins over the options', async () => {
    const base = { fileSizeMb: 1, durationMinutes: 10, workflow: 'transcribe' }
    const options = { transcription: { mode: 'meeting-intelligence' } }
    expect(await credits('clip', base)).toBe(20)
    expect(await credits('clip', { ...base, mode: null, options: {} })).toBe(20)
    expect(await credits('clip', { ...base, options })).toBe(80)
    expect(await credits('clip', { ...base, options, mode: 'quality' })).toBe(50)
  })
  test.each(MODES)('200: the add-on, mode %s: %d credits a started minute', async (mode, perMinute) => {
    const options = {
      extraction: {
        selectedCapabilities: ['clip.metadata', 'media.transcript'],
        capabilityOptions: { 'media.transcript': { 'transcription.mode': mode } },
      },
    }
    const { body } = await estimate('clip', { fileSizeMb: 1, durationSeconds: 61, options })
    expect(body.lineItems).toMatchObject([
      { kind: 'base', credits: 1 },
      { kind: 'capability', capabilityId: 'media.transcript', mode, unit: 'minute', credits: 2 * perMinute },
    ])
    expect(body.quotedCredits).toBe(1 + 2 * perMinute)
  })
  test('200: the add-on without a mode is fast', async () => {
    const options = { extraction: { selectedCapabilities: ['media.transcript'] } }
    expect(await credits('clip', { fileSizeMb: 1, durationMinutes: 1, options })).toBe(1 + 2)
  })
  test.each(['slow', 'FAST', '', 5])('400 request.invalid_parameter: mode %j', async (mode) => {
    for (const workflow of ['transcribe', 'extract']) {
      const answer = await estimate('clip', { fileSizeMb: 1, durationMinutes: 1, workflow, mode })
      const body = expectError(answer, 400, 'request.invalid_parameter', { path: 'mode', value: mode })
      expect(body.params.allowed).toEqual(['fast', 'quality', 'meeting-intelligence'])
    }
  })
})

describe('400 request.invalid_parameter', () => {
  test.each([
    ['fileSizeBytes', '10'],
    ['fileSizeMb', true],
    ['durationSeconds', -1],
    ['durationMinutes', '1'],
    ['pageCount', 1.5],
    ['slideCount', -1],
    ['sheetCount', 'two'],
    ['documentUnitCount', {}],
    ['frameCount', []],
    ['workflow', 'translate'],
  ])('%s is %j', async (field, value) => {
    const answer = await estimate('clip', { fileSizeMb: 1, durationMinutes: 1, [field]: value })
    expectError(answer, 400, 'request.invalid_parameter', { path: field, value })
  })
  test.each(['5', '[]', '"txt"', 'true'])('the body is JSON, but %s', async (body) => {
    const headers = { 'content-type': 'application/json' }
    expectError(await pro.call('POST', '/extract/estimate/txt', { body, headers }), 400, 'request.invalid_parameter')
  })
  test.each([['text'], [5], [[]], [true]])('the options are %j', async (options) => {
    const params = { path: 'options', value: options }
    expectError(await estimate('txt', { fileSizeMb: 1, options }), 400, 'request.invalid_parameter', params)
    const answer = await estimate('clip', {
      fileSizeMb: 1,
      durationMinutes: 1,
      workflow: 'transcribe',
      mode: 'fast',
      options,
    })
    expectError(answer, 400, 'request.invalid_parameter', params)
  })
  test('the transcription options are not an object', async () => {
    const request = {
      fileSizeMb: 1,
      durationMinutes: 1,
      workflow: 'transcribe',
      mode: 'fast',
      options: { transcription: 'x' },
    }
    expectError(await estimate('clip', request), 400, 'request.invalid_parameter', { path: 'options.transcription' })
  })
  test('an unknown capability, option or value', async () => {
    const base = { fileSizeMb: 1, slideCount: 1 }
    const ask = (extraction: object) => estimate<ErrorBody>('deck', { ...base, options: { extraction } })
    const path = 'options.extraction'
    expectError(await ask({ selectedCapabilities: ['deck.text', 'deck.nope'] }), 400, 'request.invalid_parameter', {
      path: `${path}.selectedCapabilities[1]`,
      value: 'deck.nope',
      allowed: ['deck.text', 'deck.images', 'deck.notes'],
    })
    expectError(await ask({ capabilityOptions: { 'deck.text': { nope: 1 } } }), 400, 'request.invalid_parameter', {
      path: `${path}.capabilityOptions.deck.text.nope`,
    })
    expectError(
      await ask({ capabilityOptions: { 'deck.text': { lineEnding: 'cr' } } }),
      400,
      'request.invalid_parameter',
      {
        path: `${path}.capabilityOptions.deck.text.lineEnding`,
        value: 'cr',
        allowed: ['lf', 'crlf'],
      },
    )
  })
})

describe('other refusals', () => {
  test('400 request.unknown_field: a field, with those that are allowed', async () => {
    const answer = await estimate('txt', { fileSizeMb: 1, colour: 'red' })
    const body = expectError(answer, 400, 'request.unknown_field', { field: 'colour' })
    expect(body.params.allowed).toEqual([
      'fileSizeBytes',
      'fileSizeMb',
      'durationSeconds',
      'durationMinutes',
      'pageCount',
      'slideCount',
      'sheetCount',
      'documentUnitCount',
      'frameCount',
      'workflow',
      'mode',
      'options',
    ])
  })
  test('400 request.unknown_field: a field of the options', async () => {
    const answer = await estimate('txt', { fileSizeMb: 1, options: { extraction: { colour: 'red' } } })
    expectError(answer, 400, 'request.unknown_field', { field: 'options.extraction.colour' })
    const other = await estimate('txt', { fileSizeMb: 1, options: { transcription: {} } })
    expectError(other, 400, 'request.unknown_field', { field: 'options.transcription' })
  })
  test('400 request.constraint_violated: each kind of constraint', async () => {
    const ask = (extraction: object) => estimate('deck', { fileSizeMb: 1, slideCount: 1, options: { extraction } })
    expectError(await ask({ selectedCapabilities: ['deck.notes'] }), 400, 'request.constraint_violated', {
      constraint: { type: 'requires', capabilityId: 'deck.notes', targets: ['deck.text'] },
    })
    const selectedCapabilities = ['deck.text', 'deck.images', 'deck.notes']
    expect((await ask({ selectedCapabilities })).status).toBe(200)
    const handout = { selectedCapabilities, capabilityOptions: { 'deck.images': { layout: 'handout' } } }
    expectError(await ask(handout), 400, 'request.constraint_violated', {
      constraint: { type: 'excludes', capabilityId: 'deck.images', option: { id: 'layout', value: 'handout' } },
    })
  })
  test('400 request.malformed: broken JSON', async () => {
    for (const body of ['{', '{"fileSizeMb":1,}', '\u0000', `{"a":"${'x'.repeat(2 * MB)}"}`]) {
      const answer = await pro.call('POST', '/extract/estimate/txt', {
        body,
        headers: { 'content-type': 'application/json' },
      })
      expectError(answer, 400, 'request.malformed')
    }
  })
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    '400 request.invalid_content_type: %s',
    async (contentType) => {
      const answer = await pro.call('POST', '/extract/estimate/txt', {
        body: '{"fileSizeMb":1}',
        headers: { 'content-type': contentType },
      })
      expectError(answer, 400, 'request.invalid_content_type', { allowed: ['application/json'] })
    },
  )
  test('200: a charset beside application/json', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' }
    expect((await pro.call('POST', '/extract/estimate/txt', { body: '{"fileSizeMb":1}', headers })).status).toBe(200)
  })
})

describe('the quote is the charge', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/)
  const file = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 60 }).map((lines) => ({
      name: 'a.deck',
      content: lines.join('\n'),
      metrics: { slideCount: lines.length },
    })),
    fc.array(word, { minLength: 1, maxLength: 90 }).map((pages) => ({
      name: 'a.scroll',
      content: pages.join('\f'),
      metrics: { pageCount: pages.length },
    })),
    fc.array(word, { minLength: 1, maxLength: 90 }).map((frames) => ({
      name: 'a.flipbook',
      content: frames.join('\n\n'),
      metrics: { frameCount: frames.length },
    })),
    fc.integer({ min: 1, max: 18_000 }).map((seconds) => ({
      name: 'a.clip',
      content: String(seconds),
      metrics: { durationSeconds: seconds },
    })),
    fc.integer({ min: 1, max: 12 * MB }).map((bytes) => ({ name: 'a.txt', content: 'x'.repeat(bytes), metrics: {} })),
  )
  const addOn = fc.constantFrom(null, 'fast', 'quality', 'meeting-intelligence')
  const samples = fc.sample(fc.tuple(file, addOn), { numRuns: 24, seed: 2_024 })
  test.each(samples.map(([one, mode], index) => ({ ...one, mode, index })))(
    '202: submission $index, $name $metrics',
    async ({ name, content, metrics, mode }) => {
      const format = name.slice(2)
      const options =
        mode && format === 'clip'
          ? {
              extraction: {
                selectedCapabilities: ['clip.metadata', 'media.transcript'],
                capabilityOptions: { 'media.transcript': { 'transcription.mode': mode } },
              },
            }
          : {}
      const { body: quote } = await estimate(format, { fileSizeBytes: Buffer.byteLength(content), ...metrics, options })
      const { body } = await pro.submit(name, content, options)
      expect(body.quotedCredits).toBe(quote.quotedCredits)
    },
  )
})
