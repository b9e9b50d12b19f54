import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { makeProof } from '../../src/accounts/proofs.ts'
import { readServiceSecret } from '../../src/accounts/secrets.ts'
import { openSession } from '../../src/accounts/sessions.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { type Answer, createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { expectError } from './expect-error.ts'
import { until } from './multipart.ts'

let service: TestService
let account: TestAccount
let client: TestClient
let job: JobRecord
let zip: Buffer
beforeAll(async () => {
  // Flipbooks have a worker of their own, whose results last for a second.
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document,video' })
  account = await service.account()
  client = createClient(service.base, account.key)
  job = await client.extract('notes.deck', 'one\ntwo\nthree', {
    extraction: { selectedCapabilities: ['deck.text', 'deck.images'] },
  })
  zip = (await client.download(job.id)).bytes
})
afterAll(() => service.stop())

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
const toAnswer = ({ status, headers, bytes }: Awaited<ReturnType<TestClient['download']>>): Answer<unknown> => ({
  status,
  headers,
  body: JSON.parse(bytes.toString('utf8')),
})
const get = (more: Record<string, string> = {}) => client.download(job.id, more)

describe('200', () => {
  test('the ZIP with all its headers', async () => {
    const { status, headers, bytes } = await get()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(job.output?.bytes),
      etag: `"${job.output?.sha256}"`,
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="notes.zip"',
      'x-content-type-options': 'nosniff',
    })
    expect(headers.get('cache-control')).toMatch(/private/)
    expect(bytes.length).toBe(job.output?.bytes)
    expect(sha256(bytes)).toBe(job.output?.sha256)
  })
  test('HEAD: the same headers and no body', async () => {
    const headers = { 'X-Fast-Api-Key': account.key }
    const response = await fetch(`${service.base}/extract/job/${job.id}/download`, { method: 'HEAD', headers })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zip.length),
      etag: `"${job.output?.sha256}"`,
      'accept-ranges': 'bytes',
    })
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  })
  test.each([
    ['Grüße aus Köln', 'Gru_e aus Koln', 'Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln'],
    ['日本', '__', '%E6%97%A5%E6%9C%AC'],
    ["it's 100% (a) *b*", "it's 100_ (a) *b*", 'it%27s%20100%25%20%28a%29%20%2Ab%2A'],
    ['quote"d; x', 'quote_d; x', 'quote%22d%3B%20x'],
  ])('Content-Disposition of %s', async (name, ascii, encoded) => {
    const { id } = await client.extract('x.txt', 'a')
    await service.database.query(
      `update jobs set output = jsonb_set(output::jsonb, '{fileName}', to_jsonb($2::text)) where id = $1`,
      [id, `${name}.zip`],
    )
    const { headers } = await client.download(id)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${ascii}.zip"; filename*=UTF-8''${encoded}.zip`,
    )
  })
  test('the name of an upload comes back as the name of its ZIP', async () => {
    const { id } = await client.extract('Übersicht €.txt', 'a')
    const { headers } = await client.download(id)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Ubersicht _.zip"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.zip`,
    )
  })
  test.each(['bytes=0-1,4-5', 'bytes=a-b', 'bytes=-', 'bytes=5-2', 'lines=0-1', 'bytes 0-1'])(
    'the whole file for Range: %s',
    async (range) => {
      const { status, headers, bytes } = await get({ range })
      expect(status).toBe(200)
      expect(headers.has('content-range')).toBe(false)
      expect(bytes.equals(zip)).toBe(true)
    },
  )
})

describe('206', () => {
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=100-199', 100, 200],
    ['bytes=10-', 10, undefined],
    ['bytes=-5', -5, undefined],
    ['bytes=-9999999', 0, undefined],
    ['bytes=5-9999999', 5, undefined],
  ])('Range: %s', async (range, start, end) => {
    const { status, headers, bytes } = await get({ range })
    const expected = zip.subarray(start, end)
    expect(status).toBe(206)
    expect(bytes.equals(expected)).toBe(true)
    const first = start < 0 ? zip.length + start : start
    expect(headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${zip.length}`)
    expect(headers.get('content-length')).toBe(String(expected.length))
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('etag')).toBe(`"${job.output?.sha256}"`)
  })
  test('If-Range with the right tag: the range; with another tag, or a date: the whole file', async () => {
    const range = 'bytes=0-9'
    expect((await get({ range, 'if-range': `"${job.output?.sha256}"` })).status).toBe(206)
    expect((await get({ range, 'if-range': '"other"' })).status).toBe(200)
    expect((await get({ range, 'if-range': 'Sun, 15 Nov 2026 04:00:00 GMT' })).status).toBe(200)
  })
  test('ranges put together are the file', async () => {
    const half = Math.floor(zip.length / 2)
    const parts = [await get({ range: `bytes=0-${half - 1}` }), await get({ range: `bytes=${half}-` })]
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(zip)).toBe(true)
  })
})

describe('304', () => {
  test.each(['TAG', 'W/TAG', '"other", TAG', '*'])('If-None-Match: %s', async (value) => {
    const { status, headers, bytes } = await get({ 'if-none-match': value.replace('TAG', `"${job.output?.sha256}"`) })
    expect(status).toBe(304)
    expect(bytes.length).toBe(0)
    expect(headers.get('etag')).toBe(`"${job.output?.sha256}"`)
  })
  test('200: another tag', async () => {
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })
})

describe('refused', () => {
  test.each(['bytes=9999999-', 'bytes=9999999-99999999', 'bytes=-0'])('416: Range: %s', async (range) => {
    const answer = await get({ range })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${zip.length}`)
    expectError(toAnswer(answer), 416, 'request.invalid_parameter', { path: 'Range', value: range })
    expect(answer.headers.has('content-disposition')).toBe(false)
  })
  test('409 jobs.not_ready: it waits, then runs', async () => {
    const { body } = await client.submit('a.mischief', JSON.stringify({ do: 'slow', seconds: 30, steps: 30 }))
    const read = async () => (await client.get<JobRecord>(`/extract/job/${body.id}`)).body.status
    await until(read, (status) => status === 'running')
    expectError(toAnswer(await client.download(body.id)), 409, 'jobs.not_ready', { status: 'running' })
    await client.call('POST', `/extract/job/${body.id}/cancel`)
    expectError(toAnswer(await client.download(body.id)), 409, 'jobs.canceled', { status: 'canceled' })
    const waiting = await client.submit('a.flipbook', 'frame')
    expectError(toAnswer(await client.download(waiting.body.id)), 409, 'jobs.not_ready', { status: 'queued' })
  })
  test('409 jobs.failed: with the code of the failure', async () => {
    const { id } = await client.extract('a.mischief', JSON.stringify({ do: 'fail:extract.source_encrypted' }))
    expectError(toAnswer(await client.download(id)), 409, 'jobs.failed', {
      status: 'failed',
      failure: 'extract.source_encrypted',
    })
  })
  test('410 jobs.result_expired: its retention is over, the record stays', async () => {
    await service.start('worker', { QUARRY_WORKER_POOLS: 'image', QUARRY_RETENTION_MINUTES: '0.02' })
    const { id } = await client.extract('a.flipbook', 'frame')
    const answer = await until(
      () => client.download(id),
      ({ status }) => status !== 200,
    )
    expectError(toAnswer(answer), 410, 'jobs.result_expired', { status: 'succeeded', expiresAt: expect.any(String) })
    expect((await client.get<JobRecord>(`/extract/job/${id}`)).body).toMatchObject({
      status: 'succeeded',
      billing: 'charged',
      output: { fileCount: 2 },
    })
    expect((await client.call('DELETE', `/extract/job/${id}`)).status).toBe(204)
  })
  test('410 jobs.result_expired: a result that was lost before its time is refunded, once', async () => {
    const credits = async () =>
      (await client.get<{ totalCredits: number }>('/extract/entitlements/me')).body.totalCredits
    const before = await credits()
    const { id } = await client.extract('a.txt', 'a')
    expect(await credits()).toBe(before - 1)
    const folder = join(service.dataFolder, 'blobs/results')
    const [file = ''] = (await readdir(folder)).filter((name) => name.startsWith(id))
    await rm(join(folder, file))
    const answers = await Promise.all([client.download(id), client.download(id), client.download(id)])
    for (const answer of answers) expectError(toAnswer(answer), 410, 'jobs.result_expired', { status: 'succeeded' })
    expect(answers[0]?.headers.has('content-disposition')).toBe(false)
    expect(answers[0]?.headers.has('etag')).toBe(false)
    expect((await client.get<JobRecord>(`/extract/job/${id}`)).body).toMatchObject({
      status: 'succeeded',
      billing: 'refunded',
      metrics: { chargedCredits: 1, refundedCredits: 1 },
    })
    expect(await credits()).toBe(before)
  })
})

describe('without a key', () => {
  let cookie: string
  let proof: string
  beforeAll(async () => {
    const { token } = await openSession(service.database, {
      ...{ userId: account.userId, userAgent: 'test', address: '127.0.0.1' },
    })
    cookie = `quarry_session=${token}`
    const signingKey = await readServiceSecret(service.database, 'website')
    proof = makeProof(signingKey, job.id, new Date(Date.now() + 60_000))
  })
  const ask = async (query: string, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(`${service.base}/extract/job/${job.id}/download${query}`, { method, headers })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const refused = async (query: string, headers: Record<string, string>) => toAnswer(await ask(query, headers))
  const stranger = async (plan: 'pro' | 'free') => (await service.account({ plan })).key

  test('the session of the owner is enough, and so is a proof', async () => {
    for (const [query, headers] of [
      ['', { cookie }],
      [`?proof=${proof}`, {}],
      [`?proof=${proof}`, { cookie: 'quarry_session=ended' }],
      ['?proof=x', { cookie }],
    ] as const) {
      const { status, bytes } = await ask(query, headers)
      expect([query, status]).toEqual([query, 200])
      expect(bytes.equals(zip)).toBe(true)
      const part = await ask(query, { ...headers, range: 'bytes=5-9' })
      expect([part.status, part.bytes.equals(zip.subarray(5, 10))]).toEqual([206, true])
      const head = await ask(query, headers, 'HEAD')
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(zip.length)])
    }
  })
  test('401 api_key.required: with nothing, or with a session that has ended', async () => {
    expectError(await refused('', {}), 401, 'api_key.required')
    expectError(await refused('', { cookie: 'quarry_session=ended' }), 401, 'api_key.required')
    expectError(await refused('', { cookie: 'other=1' }), 401, 'api_key.required')
  })
  test('403 jobs.forbidden: with the session of another account, or a proof that is none', async () => {
    const { userId } = await service.account()
    const { token } = await openSession(service.database, { userId, userAgent: 'test', address: '127.0.0.1' })
    expectError(await refused('', { cookie: `quarry_session=${token}` }), 403, 'jobs.forbidden')
    expectError(await refused('?proof=v1.1.x', {}), 403, 'jobs.forbidden')
  })
  test('where a key is sent, only the key counts', async () => {
    const query = `?proof=${proof}`
    const key = (value: string) => ({ cookie, 'X-Fast-Api-Key': value })
    expectError(await refused(query, key(await stranger('free'))), 403, 'api_key.pro_required')
    expectError(await refused(query, key(await stranger('pro'))), 403, 'jobs.forbidden')
    expectError(await refused(query, key('fast_prod_wrong')), 401, 'api_key.invalid_or_ip_not_allowed')
    expectError(await refused(query, key('')), 401, 'api_key.required')
    expect((await ask('?proof=x', { 'X-Fast-Api-Key': account.key })).status).toBe(200)
  })
  test('the other routes of a job still want a key', async () => {
    for (const path of [`/extract/job/${job.id}`, `/extract/job/${job.id}/events`, '/extract/jobs']) {
      const response = await fetch(`${service.base}${path}`, { headers: { cookie } })
      expect([path, response.status]).toEqual([path, 401])
    }
  })
})

describe('the ZIP', () => {
  type Entry = { path: string; bytes: Buffer; entry: yauzl.Entry }
  const readZip = async (data: Buffer): Promise<Entry[]> => {
    const file = await yauzl.fromBufferPromise(data, { strictFileNames: true, validateEntrySizes: true })
    const entries: Entry[] = []
    for await (const entry of file.eachEntry()) {
      entries.push({ path: entry.fileName, bytes: await buffer(await file.openReadStreamPromise(entry)), entry })
    }
    return entries
  }
  const unzipTest = async (data: Buffer) => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-zip-'))
    try {
      await writeFile(join(folder, 'a.zip'), data)
      const child = spawn('unzip', ['-t', join(folder, 'a.zip')], { stdio: ['ignore', 'pipe', 'pipe'] })
      const closed = once(child, 'close')
      const said = await readText(child.stdout)
      expect(await closed, said).toEqual([0, null])
      expect(said).toContain('No errors detected')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const CASES: [string, string, string][] = [
    ['a deck', 'a.deck', 'one\ntwo\nthree'],
    ['a text of a megabyte', 'a.txt', 'lorem ipsum dolor\n'.repeat(60_000)],
    ['many files of one name', 'a.mischief', JSON.stringify({ do: 'many-files', files: 300 })],
    ['a table', 'a.csv', 'name,age\nAda,36\nAlan,41\n'],
  ]

  test.each(CASES)('%s: unzip -t and a second reader agree with the record', async (_, name, content) => {
    const { id, output, status } = await client.extract(name, content)
    expect(status).toBe('succeeded')
    const { bytes } = await client.download(id)
    await unzipTest(bytes)
    const entries = await readZip(bytes)
    expect(entries.map(({ path, bytes: data }) => ({ path, bytes: data.length }))).toEqual(
      output?.files.map(({ path, bytes: length }) => ({ path, bytes: length })),
    )
    expect(entries.length).toBe(output?.fileCount)
  })

  test.each(CASES)('%s: two runs give identical bytes', async (_, name, content) => {
    const jobs = [await client.extract(name, content), await client.extract(name, content)]
    const files = await Promise.all(jobs.map(({ id }) => client.download(id)))
    expect(files[0]?.bytes.equals(files[1]?.bytes ?? Buffer.of())).toBe(true)
    expect(jobs[0]?.output?.sha256).toBe(jobs[1]?.output?.sha256)
  })

  test('the manifest tells the truth', async () => {
    const content = 'one | first\ntwo'
    const options = {
      extraction: {
        selectedCapabilities: ['deck.text', 'deck.images', 'deck.notes'],
        capabilityOptions: { 'deck.images': { maxImages: 1 }, 'deck.notes': { password: 'hush' } },
      },
    }
    const { id, warnings } = await client.extract('Grüße.deck', content, options)
    const entries = await readZip((await client.download(id)).bytes)
    const manifestEntry = entries.find(({ path }) => path === 'manifest.json')
    const manifest = JSON.parse(manifestEntry?.bytes.toString('utf8') ?? '') as Record<string, unknown>
    expect(manifest).toMatchObject({
      source: { fileName: 'Grüße.deck', bytes: content.length, sha256: sha256(Buffer.from(content)), format: 'deck' },
      options: {
        workflow: 'extract',
        selectedCapabilities: ['deck.text', 'deck.images', 'deck.notes'],
        capabilityOptions: {
          'deck.text': { lineEnding: 'lf', includeNumbers: false },
          'deck.images': { layout: 'single', maxImages: 1, scale: 1 },
          'deck.notes': { password: '***', language: 'en' },
        },
      },
      metrics: { slides: 2 },
      credits: { charged: 1 },
      engines: [{ name: 'deck', version: '1.0.0' }],
      warnings,
    })
    expect(warnings).toHaveLength(1)
    expect(manifest.artifacts).toEqual(
      entries
        .filter(({ path }) => path !== 'manifest.json')
        .map(({ path, bytes }) => ({
          path,
          bytes: bytes.length,
          sha256: sha256(bytes),
          mediaType: expect.any(String),
          capabilityId: expect.stringMatching(/^deck\./),
          provenance: path.startsWith('images/') ? { slide: 1 } : {},
        })),
    )
    expect(JSON.stringify(manifest)).not.toContain('hush')
    expect(JSON.stringify(manifest)).not.toContain(id)
  })

  test('no manifest when none was asked for', async () => {
    const { id } = await client.extract('a.deck', 'one', { extraction: { includeManifest: false } })
    expect((await readZip((await client.download(id)).bytes)).map(({ path }) => path)).toEqual(['text/deck.txt'])
  })

  test('names are safe and unique, whatever a capability or a client calls them', async () => {
    const hostile = await client.extract('a.mischief', JSON.stringify({ do: 'file-artifact' }))
    const many = await client.extract('a.mischief', JSON.stringify({ do: 'many-files', files: 3 }))
    const named = await client.extract('Q3: what? <a|b>*.txt', 'a')
    for (const { id } of [hostile, many, named]) {
      const paths = (await readZip((await client.download(id)).bytes)).map(({ path }) => path)
      expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
      for (const path of paths) {
        expect(path).not.toMatch(/\.\.|^\/|\\|[<>:"|?*\p{Cc}]/u)
        expect(path === 'manifest.json' || /^[a-z]+\//.test(path)).toBe(true)
      }
    }
    expect(many.output?.files.map(({ path }) => path)).toEqual([
      'text/same-2.txt',
      'text/same-3.txt',
      'text/same.txt',
      'manifest.json',
    ])
  })

  test('entries have fixed times, and text is deflated', async () => {
    const { id } = await client.extract('a.txt', 'lorem ipsum '.repeat(5000))
    for (const { entry, path } of await readZip((await client.download(id)).bytes)) {
      expect(entry.getLastModDate({ timezone: 'local' }).getFullYear()).toBe(2000)
      expect([path, entry.compressionMethod]).toEqual([path, 8])
    }
  })
})
