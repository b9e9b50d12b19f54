import { globSync, readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import { parseEvents } from '../../packages/client/src/events.ts'
import type * as generated from '../../packages/client/src/generated.ts'
import {
  type ApiError,
  type CapabilityId,
  type Client,
  type ExtractOptions,
  JOB_FAILURES,
  type JobFailedError,
  type QuarryError,
  REQUEST_ERRORS,
} from '../../packages/client/src/index.ts'
import { type Entitlements, readEntitlements } from '../../packages/client/src/records.ts'
import * as tables from '../../src/core/errors.ts'
import { loadCatalog } from '../../src/formats/index.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { PROJECT } from '../support/paths.ts'

test('the codes are those of the service: all of the public API, none of the website', () => {
  const statuses = Object.fromEntries(Object.entries(tables.API_ERRORS).map(([code, { status }]) => [code, status]))
  expect(REQUEST_ERRORS).toEqual(statuses)
  expect(JOB_FAILURES).toEqual(tables.JOB_FAILURES)
  expectTypeOf<generated.RequestErrorCode>().toEqualTypeOf<keyof typeof tables.API_ERRORS>()
  expectTypeOf<generated.JobFailureCode>().toEqualTypeOf<tables.JobFailureCode>()
})
test('every capability and extension of the catalog is a type', async () => {
  const source = readFileSync(`${PROJECT}/packages/client/src/generated.ts`, 'utf8')
  const { formats } = await loadCatalog()
  for (const { extensions, capabilities } of formats) {
    for (const name of [...extensions, ...capabilities.map(({ id }) => id)]) expect(source).toContain(`'${name}'`)
    for (const { options } of capabilities)
      for (const id of Object.keys(options)) expect(source).toMatch(new RegExp(`['\\s]${id.replace('.', '\\.')}'?\\?:`))
  }
})
test('options are checked by the compiler', () => {
  const options: ExtractOptions = {
    selectedCapabilities: ['video.audio', 'media.transcript'],
    capabilityOptions: { 'video.audio': { audioFormat: 'wav' }, 'pdf.text': { languages: ['eng'] } },
  }
  // @ts-expect-error: no such capability
  options.selectedCapabilities = ['video.smell']
  // @ts-expect-error: no such value
  options.capabilityOptions = { 'video.audio': { audioFormat: 'vinyl' } }
  // @ts-expect-error: no such option
  options.capabilityOptions = { 'video.audio': { volume: 11 } }
  expectTypeOf<'powerpoint.markdown'>().toExtend<CapabilityId>()
  expectTypeOf<ApiError['code']>().toEqualTypeOf<generated.RequestErrorCode | 'client.unexpected_answer'>()
  expectTypeOf<JobFailedError['code']>().toEqualTypeOf<generated.JobFailureCode>()
  expectTypeOf<'extract.timed_out'>().toExtend<QuarryError['code']>()
})
test('the record of the client has what the record of the service has', () => {
  type Own = Awaited<ReturnType<Client['jobs']['get']>>
  expectTypeOf<keyof Own>().toEqualTypeOf<keyof JobRecord>()
  expectTypeOf<keyof Own['metrics']>().toEqualTypeOf<keyof JobRecord['metrics']>()
  expectTypeOf<Own['status']>().toEqualTypeOf<JobRecord['status']>()
  expectTypeOf<Own['billing']>().toEqualTypeOf<JobRecord['billing']>()
  expectTypeOf<keyof NonNullable<Own['output']>>().toEqualTypeOf<keyof NonNullable<JobRecord['output']>>()
  expectTypeOf<keyof NonNullable<Own['transcription']>>().toEqualTypeOf<keyof NonNullable<JobRecord['transcription']>>()
})
test('the package stands on Node alone', () => {
  const files = globSync('packages/client/src/**/*.ts', { cwd: PROJECT })
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const imports = readFileSync(`${PROJECT}/${file}`, 'utf8').matchAll(/\bfrom '([^']+)'/g)
    for (const [, from] of imports) expect(from, file).toMatch(/^(?:node:[\w/]+|\.\/[\w-]+\.ts)$/)
  }
  const { dependencies } = JSON.parse(readFileSync(`${PROJECT}/packages/client/package.json`, 'utf8')) as {
    dependencies?: object
  }
  expect(dependencies).toBeUndefined()
})

const FLAT = {
  ...{ userId: 'u', organizationId: 'o', planId: 'pro', planName: 'Pro', accessDisplayName: 'Pro access' },
  ...{ totalCredits: 60, planCredits: 10, loyaltyCredits: 20, walletCredits: 30, source: 'accounts', tier: 'pro' },
}
const NESTED = {
  ...{ service: 'extract', tier: 'pro' },
  ...{ credits: { available: 60, isUnlimited: true }, limits: { maxFileSizeMb: 1024 } },
}
test.each<[string, object, Partial<Entitlements>]>([
  [
    'flat',
    FLAT,
    { totalCredits: 60, walletCredits: 30, credits: { available: 60, isUnlimited: false }, service: null },
  ],
  ['nested', NESTED, { totalCredits: 60, walletCredits: null, credits: NESTED.credits, planId: null, tier: 'pro' }],
  ['both', { ...FLAT, ...NESTED }, { totalCredits: 60, planId: 'pro', service: 'extract', credits: NESTED.credits }],
  ['flat with a daily limit', { ...FLAT, dailyLimit: 100, dailyUsed: 5, resetDate: '2030-01-01' }, { dailyLimit: 100 }],
  ['flat without the sum', { ...FLAT, totalCredits: undefined }, { totalCredits: 60 }],
])('entitlements that are %s are understood', (_, sent, expected) => {
  const read = readEntitlements(sent)
  expect(read).toMatchObject(expected)
  expect(read.credits.available).toBe(read.totalCredits)
  expect(Object.keys(read.limits)).toEqual(['maxFileSizeMb', 'maxDurationMinutes', 'maxQueuedJobs', 'maxParallelJobs'])
})

test('events are read wherever the stream is cut, with line ends of any kind', async () => {
  const said =
    ': hello\n\nevent: job\ndata: {"a":"ü"}\n\nevent: other\ndata: 1\ndata:2\n\ndata\n\nevent: none\n\nevent: half\ndata: x\n'
  const expected = [
    { name: 'job', data: '{"a":"ü"}' },
    { name: 'other', data: '1\n2' },
    { name: 'message', data: '' },
  ]
  for (const end of ['\n', '\r\n', '\r']) {
    const bytes = new TextEncoder().encode(said.replaceAll('\n', end))
    for (const size of [1, 2, 3, 7, 1000]) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      const seen = await Array.fromAsync(parseEvents(chunks()))
      expect(seen, `${JSON.stringify(end)} by ${size}`).toEqual(expected)
    }
  }
})
