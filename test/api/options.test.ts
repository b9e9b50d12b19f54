import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { optionsDescriptorSchema } from '../../src/http/schemas.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

let service: TestService
let client: TestClient
beforeAll(async () => {
  service = await startTestService()
  client = createClient(service.base, (await service.account({ plan: 'free' })).key)
})
afterAll(() => service.stop())

type Descriptor = ReturnType<typeof optionsDescriptorSchema.parse>
const read = async (format: string): Promise<Descriptor> => {
  const { status, body } = await client.get<Descriptor>(`/extract/options/${format}`)
  expect(status).toBe(200)
  return optionsDescriptorSchema.parse(body)
}

test('200: the descriptor to the letter', async () => {
  const { body } = await client.get('/extract/options/deck')
  expect(body).toEqual({
    format: 'deck',
    job: 'extract.deck',
    defaults: {
      selectedCapabilities: ['deck.text'],
      includeManifest: true,
      capabilityOptions: {
        'deck.text': { lineEnding: 'lf', includeNumbers: false },
        'deck.images': { layout: 'single', maxImages: 100, scale: 1 },
        'deck.notes': { password: '', language: 'en', parts: ['titles', 'notes'] },
      },
    },
    capabilities: [
      {
        id: 'deck.text',
        output: 'text',
        defaultSelected: true,
        available: true,
        detail: expect.any(String),
        options: [
          { id: 'lineEnding', type: 'enum', defaultValue: 'lf', allowedValues: ['lf', 'crlf'] },
          {
            id: 'includeNumbers',
            type: 'boolean',
            defaultValue: false,
            allowedValues: [true, false],
            detail: expect.any(String),
          },
        ],
      },
      {
        id: 'deck.images',
        output: 'images',
        defaultSelected: false,
        available: true,
        detail: expect.any(String),
        options: [
          { id: 'layout', type: 'enum', defaultValue: 'single', allowedValues: ['single', 'handout'] },
          { id: 'maxImages', type: 'integer', defaultValue: 100, min: 1, max: 500 },
          { id: 'scale', type: 'number', defaultValue: 1, min: 0.1, max: 4 },
        ],
      },
      {
        id: 'deck.notes',
        output: 'text',
        defaultSelected: false,
        available: true,
        detail: expect.any(String),
        options: [
          { id: 'password', type: 'string', defaultValue: '', maxLength: 128, detail: expect.any(String) },
          { id: 'language', type: 'string', defaultValue: 'en', maxLength: 8, pattern: '[a-z]{2}(?:-[A-Z]{2})?' },
          { id: 'parts', type: 'list', defaultValue: ['titles', 'notes'], allowedValues: ['titles', 'notes'] },
        ],
      },
    ],
    constraints: [
      { type: 'requires', capabilityId: 'deck.notes', targets: ['deck.text'], detail: expect.any(String) },
      {
        type: 'excludes',
        capabilityId: 'deck.images',
        option: { id: 'layout', value: 'handout' },
        targets: ['deck.notes'],
        detail: expect.any(String),
      },
    ],
  })
})

test('200: a format with sound also describes its transcription', async () => {
  const { capabilities, transcription } = await read('clip')
  const transcript = capabilities.find(({ id }) => id === 'media.transcript')
  expect(transcript).toMatchObject({
    output: 'transcript',
    defaultSelected: false,
    options: [
      {
        id: 'transcription.mode',
        type: 'enum',
        required: true,
        defaultValue: 'fast',
        allowedValues: ['fast', 'quality', 'meeting-intelligence'],
      },
    ],
  })
  expect(transcription?.modes).toEqual([
    { id: 'fast', available: false, creditsPerMinute: 2 },
    { id: 'quality', available: false, creditsPerMinute: 5 },
    { id: 'meeting-intelligence', available: false, creditsPerMinute: 8 },
  ])
  expect(transcription?.options.map(({ id, defaultValue }) => [id, defaultValue])).toEqual([
    ['mode', 'fast'],
    ['language', 'auto'],
    ...['Txt', 'Json', 'Pdf', 'Docx', 'Markdown', 'Epub', 'Srt', 'Vtt'].map((kind) => [`include${kind}`, true]),
  ])
})

test.each(['deck', '.deck', 'DECK', '.DeCk', '%2edeck'])('200: %s is the same format', async (spelling) => {
  expect(await read(spelling)).toEqual(await read('deck'))
})

test('200: constraints are there even when there are none', async () => {
  expect((await read('txt')).constraints).toEqual([])
})

describe('every format', () => {
  test('its defaults are those of its capabilities, and can be submitted as they are', async () => {
    const { body } = await client.get<{ formats: { extension: string }[] }>('/extract/schema')
    for (const { extension } of body.formats) {
      const { format, job, defaults, capabilities } = await read(extension)
      expect({ format, job }).toEqual({ format: extension, job: `extract.${extension}` })
      expect(defaults.selectedCapabilities).toEqual(
        capabilities.filter((one) => one.defaultSelected).map((one) => one.id),
      )
      for (const { id, options } of capabilities) {
        const own = Object.fromEntries(options.map((option) => [option.id, option.defaultValue]))
        expect(defaults.capabilityOptions[id] ?? {}).toEqual(own)
      }
      const metrics = { fileSizeMb: 1, durationSeconds: 1, documentUnitCount: 1, frameCount: 1 }
      const json = { ...metrics, options: { extraction: defaults } }
      expect((await client.call('POST', `/extract/estimate/${extension}`, { json })).status).toBe(200)
    }
  })
})

test.each(['nope', '..deck', 'toString', '%00', 'a%2Fb', 'tar.gz'])('404 formats.not_found: %s', async (format) => {
  expectError(await client.get(`/extract/options/${format}`), 404, 'formats.not_found')
})
