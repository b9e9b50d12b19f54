import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { JobRecord } from '../../src/jobs/records.ts'
import { openBlobs } from '../../src/storage/blobs.ts'
import { expectError } from '../api/expect-error.ts'
import { sendRaw } from '../api/multipart.ts'
import { blobsOf } from '../jobs/store.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { BEHIND_PROXY, createGuest, createMember, type JobVisitor, proofQuery } from './jobs-visitor.ts'

const CSP = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
const SCRIPT = '<script>document.title = "ran"</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const BUCKET = 'quarry-files'
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

const folder = mkdtempSync(join(tmpdir(), 'quarry-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const makeSound = (name: string): Buffer => {
  const path = join(folder, name)
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=d=4:c=pink:seed=7:r=22050', path])
  return readFileSync(path)
}

/** Members of the archive that is sent, which are files of its result. */
const MEMBERS: Record<string, string | Buffer> = {
  'sound.mp3': makeSound('sound.mp3'),
  'sound.wav': makeSound('sound.wav'),
  'page.html': `<!doctype html><p>hello${SCRIPT}</p>`,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`,
  'feed.xml': '<a/>',
  'drawing.svg': SVG,
  'DRAWING-2.SVG': SVG,
  'program.exe': 'MZ',
  'page.js': 'alert(1)',
  'style.css': 'a {}',
  README: 'no extension',
  'empty.txt': '',
  'long.txt': 'a line of text\n'.repeat(100_000),
  'Grüße aus Köln – 日本.txt': 'unicode',
  'a b  c.txt': 'spaces',
  '100% 50%25 %2e%2e.txt': 'percent',
  '#1 & 2=3;+.txt': 'marks',
  'folder/deep/er.txt': 'deep',
}

const packMembers = async (): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(MEMBERS)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

describe.each(['filesystem', 's3'])('files of a result in the store %s', (kind) => {
  let store: S3rver | undefined
  let service: TestService
  let guest: JobVisitor
  let record: JobRecord
  let proof: string | null
  let zipPath: string
  let endpoint = ''
  beforeAll(async () => {
    if (kind === 's3') {
      const buckets = { directory: folder, configureBuckets: [{ name: BUCKET, configs: [] }] }
      store = new S3rver({ port: 0, address: '127.0.0.1', silent: true, ...buckets })
      endpoint = `http://127.0.0.1:${(await store.run()).port}`
    }
    service = await startTestService({
      ...BEHIND_PROXY,
      ...(store && {
        QUARRY_S3_BUCKET: BUCKET,
        QUARRY_S3_ENDPOINT: endpoint,
        QUARRY_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
        QUARRY_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      }),
    })
    guest = createGuest(service, '192.0.2.1')
    const options = { extraction: { selectedCapabilities: ['archive.files'] } }
    ;({ record, proof } = await guest.extract('things.zip', await packMembers(), options))
    expect(record.status, JSON.stringify(record.error)).toBe('succeeded')
    zipPath = join(folder, `${kind}.zip`)
    writeFileSync(zipPath, (await guest.fetchBytes(`/extract/job/${record.id}/download${proofQuery(proof)}`)).bytes)
  })
  afterAll(async () => {
    await service.stop()
    await store?.close()
  })

  const pathOf = (name: string): string =>
    `/web/jobs/${record.id}/files/${name.split('/').map(encodeURIComponent).join('/')}`
  const fetchFile = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    guest.fetchBytes(`${pathOf(name)}${proofQuery(proof)}`, headers, method)
  /** A second reader's view of the same file. */
  const unzip = (name: string): Buffer =>
    execFileSync('unzip', ['-p', zipPath, name.replace(/[[\]*?\\]/g, '\\$&')], { maxBuffer: 1e9 })
  const blobs = () =>
    store
      ? openBlobs({ kind: 's3', bucket: BUCKET, region: 'us-east-1', endpoint, forcePathStyle: true, ...KEYS })
      : blobsOf(service)

  test('every file of the record is there, byte for byte', async () => {
    const files = record.output?.files ?? []
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...Object.keys(MEMBERS).map((name) => `files/${name}`), 'manifest.json']),
    )
    for (const { path, bytes } of files) {
      const { status, headers, bytes: content } = await fetchFile(path)
      expect([path, status, content.length, headers.get('content-length')]).toEqual([path, 200, bytes, String(bytes)])
      expect(content.equals(unzip(path)), path).toBe(true)
      const member = MEMBERS[path.replace(/^files\//, '')]
      if (member !== undefined) expect(content.equals(Buffer.from(member)), path).toBe(true)
      expect(headers.get('content-security-policy')).toBe(CSP)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toMatch(/^private, max-age=3[0-9]{3}$/)
    }
  })

  test.each([
    ['page.html', 'text/html; charset=utf-8'],
    ['page.xhtml', 'application/xhtml+xml; charset=utf-8'],
    ['feed.xml', 'application/xml; charset=utf-8'],
    ['drawing.svg', 'image/svg+xml'],
    ['DRAWING-2.SVG', 'image/svg+xml'],
    ['sound.mp3', 'audio/mpeg'],
    ['sound.wav', 'audio/wav'],
    ['empty.txt', 'text/plain; charset=utf-8'],
  ])('%s is shown as %s, unable to act', async (name, type) => {
    const { headers } = await fetchFile(`files/${name}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'content-disposition': `inline; filename="${name}"`,
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
  test.each(['program.exe', 'page.js', 'style.css', 'README'])('%s is bytes to be saved', async (name) => {
    const { headers } = await fetchFile(`files/${name}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': CSP,
    })
  })

  test.each([
    ['bytes=0-0'],
    ['bytes=0-1023'],
    ['bytes=1000-'],
    ['bytes=-777'],
    ['bytes=7000-7999'],
    ['bytes=5-999999999'],
  ])('a stored recording is read from any place: %s', async (range) => {
    const whole = unzip('files/sound.mp3')
    const { status, headers, bytes } = await fetchFile('files/sound.mp3', { range })
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
    const start = first === '' ? whole.length - Number(last) : Number(first)
    const end = first === '' || last === '' ? whole.length - 1 : Math.min(Number(last), whole.length - 1)
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`)
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true)
  })
  test('a range outside a stored file is refused', async () => {
    const { status, headers, bytes } = await fetchFile('files/sound.mp3', { range: 'bytes=99999999-' })
    expect([status, JSON.parse(bytes.toString()).code]).toEqual([416, 'request.invalid_parameter'])
    expect(headers.get('content-range')).toBe(`bytes */${MEMBERS['sound.mp3']?.length}`)
    expect(headers.has('etag')).toBe(false)
  })
  test.each(['sound.wav', 'long.txt'])('%s lies there compressed, and comes whole', async (name) => {
    const { status, headers, bytes } = await fetchFile(`files/${name}`, { range: 'bytes=10-19' })
    expect([status, headers.get('accept-ranges'), headers.has('content-range')]).toEqual([200, 'none', false])
    expect(bytes.equals(Buffer.from(MEMBERS[name] ?? ''))).toBe(true)
  })

  test('HEAD has the same headers and no body', async () => {
    for (const name of ['files/sound.mp3', 'files/long.txt']) {
      const [head, get] = [await fetchFile(name, {}, 'HEAD'), await fetchFile(name)]
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const header of ['content-length', 'content-type', 'etag', 'accept-ranges', 'content-security-policy'])
        expect(head.headers.get(header), header).toBe(get.headers.get(header))
    }
  })
  test('an entity tag is of one file, and saves sending it again', async () => {
    const [one, other] = [await fetchFile('files/feed.xml'), await fetchFile('files/README')]
    const etag = one.headers.get('etag') as string
    expect(other.headers.get('etag')).not.toBe(etag)
    expect((await fetchFile('files/feed.xml', { 'if-none-match': etag })).status).toBe(304)
    expect((await fetchFile('files/README', { 'if-none-match': etag })).status).toBe(200)
    expect((await fetchFile('files/sound.mp3', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(200)
  })

  test.each([
    'files',
    'files/',
    'files/nothing.txt',
    'FILES/README',
    'files/readme',
    '/files/README',
    'files//README',
    'manifest.json ',
    '%2e%2e/manifest.json',
    'x'.repeat(5000),
  ])('there is no file %j', async (name) => {
    expectError(await guest.get(`${pathOf(name)}${proofQuery(proof)}`), 404, 'files.not_found')
  })
  test.each(['../manifest.json', 'files/../manifest.json', 'files/..%2f..%2fmanifest.json', './manifest.json'])(
    'nor %s, which no browser would send',
    async (path) => {
      const { host } = new URL(service.base)
      const line = `GET /web/jobs/${record.id}/files/${path}${proofQuery(proof)} HTTP/1.1`
      const { status, body } = await sendRaw(service.base, `${line}\r\nHost: ${host}\r\n\r\n`)
      expect([status, JSON.parse(body).code]).toEqual([404, 'files.not_found'])
    },
  )
  test('a path that cannot be decoded is refused', async () => {
    const answer = await guest.get(`/web/jobs/${record.id}/files/%E0%A4%A${proofQuery(proof)}`)
    expect(answer.status).toBe(400)
  })
  test('files are for the owner', async () => {
    expectError(await guest.get(pathOf('manifest.json')), 403, 'jobs.forbidden')
    expectError(await (await createMember(service)).get(pathOf('manifest.json')), 403, 'jobs.forbidden')
  })
  test('hundreds of looks at once', async () => {
    const names = Array.from({ length: 200 }, (_, i) => (i % 2 ? 'files/feed.xml' : 'files/sound.mp3'))
    const answers = await Promise.all(names.map((name) => fetchFile(name, { range: 'bytes=0-3' })))
    expect(new Set(answers.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(2)
  })
  test('who goes away in the middle leaves the service well', async () => {
    for (const name of ['files/long.txt', 'files/sound.wav']) {
      const controller = new AbortController()
      const response = await fetch(`${service.base}${pathOf(name)}${proofQuery(proof)}`, { signal: controller.signal })
      await response.body?.getReader().read()
      controller.abort()
    }
    expect((await fetchFile('files/feed.xml')).status).toBe(200)
  })

  test('a result that was lost is refunded at the first look, whether or not it was looked into before', async () => {
    for (const wasRead of [true, false]) {
      const lost = await guest.extract('a.txt', 'to be lost')
      const path = `/web/jobs/${lost.job.id}/files/manifest.json${proofQuery(lost.proof)}`
      if (wasRead) expect((await guest.get(path)).status).toBe(200)
      await blobs().delete(`results/${lost.job.id}-1.zip`)
      const answer = await guest.get(path)
      expectError(answer, 410, 'jobs.result_expired')
      expect(answer.headers.get('cache-control') ?? '').not.toContain('max-age')
      const { body } = await guest.get<JobRecord>(`/web/jobs/${lost.job.id}${proofQuery(lost.proof)}`)
      expect(body.billing).toBe('refunded')
    }
  })
})
