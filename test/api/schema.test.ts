import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../src/core/version.ts'
import { schemaSchema } from '../../src/http/schemas.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let schema: ReturnType<typeof schemaSchema.parse>
beforeAll(async () => {
  service = await startTestService()
  const client = createClient(service.base, (await service.account({ plan: 'free' })).key)
  const { status, body } = await client.get('/extract/schema')
  expect(status).toBe(200)
  schema = schemaSchema.parse(body)
})
afterAll(() => service.stop())

test('200: the version of the service', () => {
  expect(schema.version).toBe(VERSION)
})
test('200: a record to the letter', () => {
  expect(schema.formats.find(({ extension }) => extension === 'deck')).toEqual({
    extension: 'deck',
    category: 'presentation',
    job: 'extract.deck',
    outputs: ['text', 'images'],
    mimeTypes: ['application/x-deck'],
  })
})
test('200: every extension once, in lower case, with a job and outputs', () => {
  const extensions = schema.formats.map(({ extension }) => extension)
  expect(new Set(extensions).size).toBe(extensions.length)
  for (const { extension, job, outputs, mimeTypes } of schema.formats) {
    expect(extension).toMatch(/^[a-z0-9][a-z0-9+_-]*$/)
    expect(job).toBe(`extract.${extension}`)
    expect(outputs.length).toBeGreaterThan(0)
    for (const mimeType of mimeTypes) expect(mimeType).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/i)
  }
})
test('200: what this issue promises is there', () => {
  const extensions = schema.formats.map(({ extension }) => extension)
  const promised = 'txt md rst org tex log srt vtt csv tsv json ndjson xml yaml toml'.split(' ')
  expect(extensions).toEqual(expect.arrayContaining(promised))
})
