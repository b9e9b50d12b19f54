import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractorsSchema } from '../../src/http/schemas.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { PROJECT, TEST_FORMATS } from '../support/paths.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'

let service: TestService
let free: TestClient
let pro: TestClient
beforeAll(async () => {
  service = await startTestService()
  free = createClient(service.base, (await service.account({ plan: 'free' })).key)
  pro = createClient(service.base, (await service.account()).key)
})
afterAll(() => service.stop())

type List = ReturnType<typeof extractorsSchema.parse>
const read = async (path: string, client = pro): Promise<List['extractors']> => {
  const { status, body } = await client.get<List>(`/extract/extractors${path}`)
  expect(status).toBe(200)
  return extractorsSchema.parse(body).extractors
}

test('200: one record for each family', async () => {
  const extractors = await read('')
  const folders = [TEST_FORMATS, join(PROJECT, 'src/formats')].flatMap((folder) =>
    readdirSync(folder).filter((name) => existsSync(join(folder, name, 'format.ts'))),
  )
  expect(extractors.map(({ extractor }) => extractor).sort()).toEqual(folders.sort())
})

test('200: one record to the letter', async () => {
  expect(await read('/clip')).toEqual([
    {
      job: 'extract.clip',
      extractor: 'clip',
      category: 'video',
      pool: 'video',
      sourceFormats: ['clip'],
      capabilities: ['clip.metadata', 'media.transcript'],
      costing: {
        rule: 'max',
        minimum: 1,
        terms: [
          { metric: 'megabytes', per: 50, unit: 'megabyte', fields: ['fileSizeBytes', 'fileSizeMb'] },
          { metric: 'minutes', per: 5, unit: 'minute', fields: ['durationSeconds', 'durationMinutes'] },
        ],
        addOns: [
          { capabilityId: 'media.transcript', mode: 'fast', unit: 'minute', per: 1, credits: 2 },
          { capabilityId: 'media.transcript', mode: 'quality', unit: 'minute', per: 1, credits: 5 },
          { capabilityId: 'media.transcript', mode: 'meeting-intelligence', unit: 'minute', per: 1, credits: 8 },
        ],
      },
      limits: { maxFileSizeMb: 1024, maxDurationMinutes: 300 },
      available: true,
    },
  ])
})

test('200: the limits are those of the caller', async () => {
  expect((await read('/clip', free))[0]?.limits).toEqual({ maxFileSizeMb: 50, maxDurationMinutes: 10 })
  expect((await read('/deck', free))[0]?.limits).toEqual({ maxFileSizeMb: 50 })
})

test.each(['md', '.md', 'MD'])('200: %s names the job after the extension that was asked for', async (type) => {
  const [text, ...others] = await read(`/${type}`)
  expect(others).toEqual([])
  expect(text).toMatchObject({
    job: 'extract.md',
    extractor: 'text',
    sourceFormats: expect.arrayContaining(['md', 'txt']),
  })
})

test.each(['nope', '%20', '..md'])('404 formats.not_found: %s', async (type) => {
  expectError(await pro.get(`/extract/extractors/${type}`), 404, 'formats.not_found')
})
