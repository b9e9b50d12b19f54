import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobRecord } from '../../src/jobs/records.ts'
import type { SubmissionRecord } from '../../src/jobs/submit.ts'
import { type Answer, createClient, type ErrorBody, type TestClient } from '../support/client.ts'
import { type RunningProcess, startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { delay } from '../support/wait.ts'
import { expectError } from './expect-error.ts'
import {
  BOUNDARY,
  fieldPart,
  filePart,
  listUploads,
  MULTIPART,
  openSocket,
  type Part,
  until,
  writeForm,
} from './multipart.ts'

const MB = 1_048_576
let service: TestService
/** One more API, whose plans take large files. */
let roomy: RunningProcess
let account: TestAccount
let client: TestClient
beforeAll(async () => {
  service = await startTestService({
    QUARRY_PLANS: JSON.stringify({ pro: { maxFileSizeMb: 1 } }),
    QUARRY_WORKER_POOLS: 'document,video',
  })
  roomy = await service.start('api', { QUARRY_PLANS: '{}' })
  account = await service.account()
  client = createClient(service.base, account.key)
})
afterAll(() => service.stop())

const post = <T = SubmissionRecord & ErrorBody>(body: Uint8Array | string, contentType = MULTIPART) =>
  client.call<T>('POST', '/extract', { body, headers: { 'content-type': contentType } })
const postParts = (...parts: Part[]) => post(writeForm(parts))

/** Nothing of a refused request is left: no job, no hold, no file. */
const expectNoTrace = async (before: number) => {
  expect(await countJobs()).toBe(before)
  const [{ held } = { held: -1 }] = await service.database.query<{ held: number }>(
    `select coalesce(sum(held), 0)::int as held from balances b
     where not exists (select 1 from jobs j where j.account_id = b.account_id and j.state in ('queued', 'running'))`,
  )
  expect(held).toBe(0)
  await until(
    () => listUploads(service),
    (files) => files.length === 0,
    5000,
  )
}
const countJobs = async () =>
  (await service.database.query<{ count: number }>('select count(*) as count from jobs'))[0]?.count ?? -1
let jobsBefore = 0
beforeEach(async () => {
  jobsBefore = await countJobs()
})
const expectRefused = async (
  answer: Answer<unknown>,
  status: number,
  code: string,
  params?: Record<string, unknown>,
) => {
  const body = expectError(answer, status, code, params)
  await expectNoTrace(jobsBefore)
  return body
}

describe('form fields', () => {
  const options = JSON.stringify({ extraction: { selectedCapabilities: ['text.metadata'], includeManifest: false } })
  const expectChosen = async (answer: Answer<SubmissionRecord & ErrorBody>) => {
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    const job = await client.waitForEnd(answer.body.id)
    expect(job.output?.files.map((file) => file.capabilityId)).toEqual(['text.metadata'])
  }
  test('202: the file first', async () =>
    expectChosen(await postParts(filePart('a.txt', 'a'), fieldPart('options', options))))
  test('202: the options first', async () =>
    expectChosen(await postParts(fieldPart('options', options), filePart('a.txt', 'a'))))
  test('202: no options at all', async () => {
    const { status, body } = await postParts(filePart('a.txt', 'a'))
    expect(status).toBe(202)
    expect((await client.waitForEnd(body.id)).output?.files.length).toBeGreaterThan(1)
  })
  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['an empty object', '{}'],
    ['null', 'null'],
  ])('202: the options are %s', async (_, text) => {
    expect((await postParts(filePart('a.txt', 'a'), fieldPart('options', text))).status).toBe(202)
  })
  test.each([
    ['last', 1],
    ['first', -1],
  ])('202: the options as a JSON part with a file name, %s', async (_, order) => {
    const part: Part = {
      headers: ['Content-Disposition: form-data; name="options"; filename="blob"', 'Content-Type: application/json'],
      body: options,
    }
    for (let round = 0; round < 5; round++) {
      const parts = [filePart('a.txt', 'a'), part]
      await expectChosen(await postParts(...(order > 0 ? parts : parts.reverse())))
    }
  })
  test('202: the options as a JSON part without a file name', async () => {
    const part = {
      headers: ['Content-Disposition: form-data; name="options"', 'Content-Type: application/json'],
      body: options,
    }
    await expectChosen(await postParts(filePart('a.txt', 'a'), part))
  })
  test('202: a Blob of options from FormData', async () => {
    const form = new FormData()
    form.append('file', new File(['a'], 'a.txt'))
    form.append('options', new Blob([options], { type: 'application/json' }))
    await expectChosen(await client.call('POST', '/extract', { body: form }))
  })
  test('400 request.no_files: the file part is missing', async () => {
    await expectRefused(await postParts(fieldPart('options', options)), 400, 'request.no_files')
  })
  test('400 request.no_files: the form is empty', async () => {
    await expectRefused(await postParts(), 400, 'request.no_files')
  })
  test('400 request.no_files: the file is sent as text', async () => {
    await expectRefused(await postParts(fieldPart('file', 'a')), 400, 'request.no_files')
  })
  test('400 request.multiple_files: two files', async () => {
    await expectRefused(await postParts(filePart('a.txt', 'a'), filePart('b.txt', 'b')), 400, 'request.multiple_files')
  })
  test('400 request.multiple_files: the second one large, or empty', async () => {
    const large = filePart('b.txt', Buffer.alloc(MB / 2, 'b'))
    await expectRefused(await postParts(filePart('a.txt', 'a'), large), 400, 'request.multiple_files')
    await expectRefused(await postParts(filePart('a.txt', 'a'), filePart('', '')), 400, 'request.multiple_files')
  })
  test('400 request.empty_file: zero bytes', async () => {
    await expectRefused(await postParts(filePart('a.txt', '')), 400, 'request.empty_file')
  })
  test.each([
    ['before the file', -1],
    ['after the file', 1],
  ])('400 request.unknown_field: a field %s', async (_, order) => {
    const parts = [filePart('a.txt', 'a'), fieldPart('priority', 'high')]
    const answer = await postParts(...(order > 0 ? parts : parts.reverse()))
    await expectRefused(answer, 400, 'request.unknown_field', { field: 'priority', allowed: ['file', 'options'] })
  })
  test('400 request.unknown_field: a file in a field of another name', async () => {
    const part = { headers: ['Content-Disposition: form-data; name="upload"; filename="b.txt"'], body: 'b' }
    await expectRefused(await postParts(part), 400, 'request.unknown_field', { field: 'upload' })
    await expectRefused(await postParts(filePart('a.txt', 'a'), part), 400, 'request.unknown_field', {
      field: 'upload',
    })
  })
  test('400 request.unknown_field: names are told apart by case', async () => {
    await expectRefused(
      await postParts(filePart('a.txt', 'a'), fieldPart('Options', '{}')),
      400,
      'request.unknown_field',
    )
  })
  test('400 request.invalid_parameter: options are not JSON', async () => {
    for (const parts of [
      [filePart('a.txt', 'a'), fieldPart('options', '{')],
      [fieldPart('options', '{'), filePart('a.txt', 'a')],
    ]) {
      await expectRefused(await postParts(...parts), 400, 'request.invalid_parameter', { path: 'options' })
    }
  })
  test.each(['[]', '5', '"text"', 'true'])('400 request.invalid_parameter: options are JSON, but %s', async (text) => {
    const answer = await postParts(filePart('a.txt', 'a'), fieldPart('options', text))
    await expectRefused(answer, 400, 'request.invalid_parameter', { path: 'options' })
  })
  test('400 request.invalid_parameter: options twice', async () => {
    const answer = await postParts(filePart('a.txt', 'a'), fieldPart('options', '{}'), fieldPart('options', '{}'))
    await expectRefused(answer, 400, 'request.invalid_parameter', { path: 'options' })
  })
  test('400 request.invalid_parameter: options twice, once as a JSON part', async () => {
    const blob = { headers: ['Content-Disposition: form-data; name="options"; filename="blob"'], body: '{}' }
    for (const parts of [
      [filePart('a.txt', 'a'), fieldPart('options', '{}'), blob],
      [filePart('a.txt', 'a'), blob, fieldPart('options', '{}')],
      [filePart('a.txt', 'a'), blob, blob],
    ]) {
      await expectRefused(await postParts(...parts), 400, 'request.invalid_parameter', { path: 'options' })
    }
  })
  test('400 request.invalid_parameter: options over 1 MiB', async () => {
    const long = JSON.stringify({ extraction: { selectedCapabilities: ['x'.repeat(MB)] } })
    const blob = { headers: ['Content-Disposition: form-data; name="options"; filename="blob"'], body: long }
    for (const part of [fieldPart('options', long), blob]) {
      const answer = await postParts(filePart('a.txt', 'a'), part)
      await expectRefused(answer, 400, 'request.invalid_parameter', { path: 'options' })
    }
  })
  test('400 request.malformed: a crowd of parts', async () => {
    const parts = Array.from({ length: 40 }, () => fieldPart('options', '{}'))
    const { status } = await postParts(...parts)
    expect(status).toBe(400)
    await expectNoTrace(jobsBefore)
  })
})

describe('file names', () => {
  const named = async (part: Part) => {
    const { status, body } = await postParts(part)
    expect(status, JSON.stringify(body)).toBe(202)
    const { body: record } = await client.get<JobRecord>(`/extract/job/${body.id}`)
    expect(record.fileName).toBe(body.fileName)
    return { fileName: body.fileName, format: body.format }
  }
  test.each([
    ['notes.txt', 'notes', 'txt'],
    ['NOTES.TXT', 'NOTES', 'txt'],
    ['talk.final.Md', 'talk.final', 'md'],
    ['archive.tar.json', 'archive.tar', 'json'],
    ['two words.txt', 'two words', 'txt'],
    ['../../etc/passwd.txt', 'passwd', 'txt'],
    ['/etc/passwd.txt', 'passwd', 'txt'],
    ['C:\\\\x\\\\y.txt', 'y', 'txt'],
    ['C:\\x\\y.txt', 'y', 'txt'],
    ['Grüße aus Köln.txt', 'Grüße aus Köln', 'txt'],
    ['日本語の資料.txt', '日本語の資料', 'txt'],
    ['😀.txt', '😀', 'txt'],
    ['100% sure.txt', '100% sure', 'txt'],
    ['👩‍💻.txt', '👩‍💻', 'txt'],
    ["it's (1) & 2;3=4,5.txt", "it's (1) & 2;3=4,5", 'txt'],
    ['Q3: what? <draft> a|b*.txt', 'Q3: what? <draft> a|b*', 'txt'],
  ])('202: %s', async (name, fileName, format) => {
    expect(await named(filePart(name, '{}'))).toEqual({ fileName, format })
  })
  const disposition = (rest: string): Part => ({
    headers: [`Content-Disposition: form-data; name="file"; ${rest}`],
    body: 'a',
  })
  test('202: RFC 5987 filename*', async () => {
    expect(await named(disposition("filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%E2%82%AC.txt"))).toEqual({
      fileName: 'Grüße €',
      format: 'txt',
    })
    expect(await named(disposition("filename*=iso-8859-1'de'Gr%FC%DFe.txt"))).toEqual({
      fileName: 'Grüße',
      format: 'txt',
    })
  })
  test('202: a path in filename*', async () => {
    expect(await named(disposition("filename*=UTF-8''..%2F..%2Fetc%2Fpasswd.txt"))).toEqual({
      fileName: 'passwd',
      format: 'txt',
    })
  })
  test('202: without quotes, with escaped quotes', async () => {
    expect(await named(disposition('filename=plain.txt'))).toEqual({ fileName: 'plain', format: 'txt' })
    expect(await named(disposition('filename="say \\"hi\\".txt"'))).toEqual({ fileName: 'say "hi"', format: 'txt' })
  })
  test('202: control characters are not kept', async () => {
    const { fileName } = await named(filePart('a\u0001b\u007f\u202ec.txt', 'a'))
    expect(fileName).toMatch(/^a.?b.{0,2}c$/)
    expect(fileName).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
  test('202: a name of a thousand letters is cut, and keeps its extension', async () => {
    const { fileName, format } = await named(filePart(`${'n'.repeat(1000)}.txt`, 'a'))
    expect(format).toBe('txt')
    expect(fileName).toMatch(/^n{100,255}$/)
  })
  test.each([
    ['no extension', 'README'],
    ['an unsupported extension', 'a.nope'],
    ['a supported extension that is not the last', 'a.txt.nope'],
    ['only a dot', '.'],
    ['two dots', '..'],
    ['a dot at the end', 'a.'],
    ['an empty name', ''],
  ])('400 request.invalid_extension: %s', async (_, name) => {
    await expectRefused(await postParts(filePart(name, 'a')), 400, 'request.invalid_extension')
  })
  test('400 request.invalid_extension: a file part without a name', async () => {
    const part = {
      headers: ['Content-Disposition: form-data; name="file"', 'Content-Type: application/octet-stream'],
      body: 'a',
    }
    await expectRefused(await postParts(part), 400, 'request.invalid_extension')
  })
  test('400 request.invalid_extension: names of the prototype', async () => {
    for (const name of ['a.constructor', 'a.__proto__', 'a.toString']) {
      await expectRefused(await postParts(filePart(name, 'a')), 400, 'request.invalid_extension')
    }
  })
})

describe('content', () => {
  const bytes = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)])
  test.each([
    ['pdf', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['png', bytes('89504e470d0a1a0a0000000d49484452')],
    ['zip', bytes('504b03041400000008')],
    ['gzip', bytes('1f8b0800')],
    ['ole', bytes('d0cf11e0a1b11ae1')],
    ['isobmff', bytes('000000186674797069736f6d')],
    ['elf', bytes('7f454c4602')],
  ])('400 request.content_mismatch: a %s named .txt', async (detected, content) => {
    await expectRefused(await postParts(filePart('a.txt', content)), 400, 'request.content_mismatch', {
      detected,
      extension: 'txt',
    })
  })
  test('202: text that only begins like something else', async () => {
    for (const content of ['PK is how ZIP files start', 'GIF89 was a good year', 'BM', 'MZ', 'ID3 tags']) {
      expect((await postParts(filePart('a.txt', content))).status).toBe(202)
    }
  })
  test('202: every byte arrives, also those that look like a boundary', async () => {
    const tricky = [`\r\n--${BOUNDARY.slice(0, -1)}`, '\r\n--', '--', '\r', '\n', BOUNDARY, `--${BOUNDARY}`].join('x')
    for (const content of [tricky, Buffer.alloc(MB, tricky), '\r\n', '\r\n\r\n']) {
      const { body } = await postParts(filePart('a.txt', content))
      const [row] = await service.database.query<{ sha: string; bytes: number }>(
        `select source_sha256 as sha, (metrics->>'bytes')::int as bytes from jobs where id = $1`,
        [body.id],
      )
      const buffer = Buffer.from(content as string)
      expect(row).toEqual({ sha: createHash('sha256').update(buffer).digest('hex'), bytes: buffer.length })
    }
  })
})

describe('broken bodies', () => {
  const whole = writeForm([filePart('a.txt', 'a'.repeat(1000))])
  test('400 request.malformed: no boundary in the content type', async () => {
    await expectRefused(await post(whole, 'multipart/form-data'), 400, 'request.malformed')
    await expectRefused(await post(whole, 'multipart/form-data; boundary='), 400, 'request.malformed')
  })
  test('400 request.malformed: another boundary in the body', async () => {
    await expectRefused(await post(whole, 'multipart/form-data; boundary=other'), 400, 'request.malformed')
  })
  test('400 request.malformed: no final boundary', async () => {
    await expectRefused(await post(writeForm([filePart('a.txt', 'a')], '')), 400, 'request.malformed')
    await expectRefused(await post(whole.subarray(0, 300)), 400, 'request.malformed')
    await expectRefused(await post(whole.subarray(0, 60)), 400, 'request.malformed')
    await expectRefused(await post(writeForm([filePart('a.txt', Buffer.alloc(MB / 2))], '')), 400, 'request.malformed')
  })
  test('400 request.malformed: a part whose header never ends', async () => {
    await expectRefused(await postParts(filePart('a.txt', `a\r\n--${BOUNDARY}x`)), 400, 'request.malformed')
  })
  test('400 request.malformed: an empty body', async () => {
    await expectRefused(await post(''), 400, 'request.malformed')
  })
  test('400 request.no_files: a part without Content-Disposition', async () => {
    await expectRefused(await postParts({ headers: ['Content-Type: text/plain'], body: 'a' }), 400, 'request.no_files')
  })
  test('400: a part without a name', async () => {
    const { status } = await postParts({ headers: ['Content-Disposition: form-data'], body: 'a' })
    expect(status).toBe(400)
    await expectNoTrace(jobsBefore)
  })
  test('202: a boundary in quotes, a preamble and an epilogue', async () => {
    const body = Buffer.concat([Buffer.from('preamble\r\n'), whole, Buffer.from('epilogue')])
    expect((await post(body, `multipart/form-data; charset=utf-8; boundary="${BOUNDARY}"`)).status).toBe(202)
  })
  test('202: MULTIPART/Form-Data', async () => {
    expect((await post(whole, `MULTIPART/Form-Data; Boundary=${BOUNDARY}`)).status).toBe(202)
  })
  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/mixed; boundary=x',
    'nonsense',
    '',
  ])('400 request.invalid_content_type: %s', async (contentType) => {
    const answer = await post(whole, contentType)
    await expectRefused(answer, 400, 'request.invalid_content_type', { allowed: ['multipart/form-data'] })
  })
  test('400 request.invalid_content_type: no body at all', async () => {
    await expectRefused(await client.call('POST', '/extract'), 400, 'request.invalid_content_type')
  })

  const head = (bytes: number | 'chunked', more: string[] = []) =>
    [
      'POST /extract HTTP/1.1',
      'Host: localhost',
      `X-Fast-Api-Key: ${account.key}`,
      `Content-Type: ${MULTIPART}`,
      bytes === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
      ...more,
      '\r\n',
    ].join('\r\n')

  test.each([
    ['with Content-Length', false],
    ['chunked', true],
  ])('nothing is left of a client that went half way, %s', async (_, chunked) => {
    const form = writeForm([fieldPart('options', '{}'), filePart('a.txt', Buffer.alloc(MB / 2, 'a'))])
    const { socket, write } = openSocket(service.base)
    await write(head(chunked ? 'chunked' : form.length))
    await write(chunked ? `${form.length.toString(16)}\r\n` : '')
    await write(form.subarray(0, form.length / 2))
    await until(
      () => listUploads(service),
      (files) => files.length === 1,
    )
    const logBefore = service.first.log().length
    socket.destroy()
    await expectNoTrace(jobsBefore)
    // Neither an error of ours nor an answer: nobody is there to read it.
    const log = await until(
      () => service.first.log().slice(logBefore),
      (lines) => lines.includes('the client went away during an upload'),
    )
    expect(log).not.toMatch(/"level":[56]0/)
  })
  test('nothing is left of a client that went before the first byte of its file', async () => {
    const { socket, write } = openSocket(service.base)
    await write(head(1000))
    await write(`--${BOUNDARY}\r\nContent-Disp`)
    socket.destroy()
    await expectNoTrace(jobsBefore)
  })
  test('nothing is left of a client that half-closed its side too early', async () => {
    const { socket, write } = openSocket(service.base)
    const form = writeForm([filePart('a.txt', Buffer.alloc(MB / 2, 'a'))])
    await write(head(form.length))
    await write(form.subarray(0, form.length / 2))
    socket.end()
    await once(socket, 'close')
    await expectNoTrace(jobsBefore)
  })
  test('202: byte by byte', async () => {
    const { socket, write, answer } = openSocket(service.base)
    socket.setNoDelay(true)
    const form = writeForm([fieldPart('options', '{}'), filePart('a.txt', 'abc')])
    await write(head(form.length))
    for (const byte of form) await write(Buffer.of(byte))
    expect((await answer()).status).toBe(202)
    socket.destroy()
  })
  test('202: options that come long after the file, as a JSON part', async () => {
    const options = JSON.stringify({ extraction: { selectedCapabilities: ['text.metadata'], includeManifest: false } })
    const blob = { headers: ['Content-Disposition: form-data; name="options"; filename="blob"'], body: options }
    const form = writeForm([filePart('a.txt', 'abc'), blob])
    const { socket, write, answer } = openSocket(service.base)
    const cut = form.indexOf(options)
    await write(head(form.length))
    await write(form.subarray(0, cut))
    const [id = ''] = await until(
      () => listUploads(service),
      (files) => files.length > 0,
    )
    // The file is whole and closed before the rest is sent.
    const fds = `/proc/${service.first.process.pid}/fd`
    await until(
      async () => Promise.all((await readdir(fds)).map((fd) => readlink(join(fds, fd)).catch(() => ''))),
      (paths) => !paths.some((path) => path.endsWith(id)),
    )
    await write(form.subarray(cut))
    const { id: jobId } = JSON.parse((await answer()).body) as SubmissionRecord
    socket.destroy()
    const job = await client.waitForEnd(jobId)
    expect(job.output?.files.map((file) => file.capabilityId)).toEqual(['text.metadata'])
  })
  test('202: Expect: 100-continue is answered before the body', async () => {
    const form = writeForm([filePart('a.txt', 'abc')])
    const { socket, write, text, answer } = openSocket(service.base)
    await write(head(form.length, ['Expect: 100-continue']))
    await until(text, (so) => so.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    await write(form)
    expect((await answer()).status).toBe(202)
    socket.destroy()
  })
  test('413 request.file_too_large: Expect: 100-continue is answered without a Continue', async () => {
    const { socket, write, text, answer } = openSocket(service.base)
    await write(head(10 * MB, ['Expect: 100-continue']))
    expect(await answer()).toMatchObject({ status: 413 })
    expect(text()).not.toContain('100 Continue')
    socket.destroy()
    await expectNoTrace(jobsBefore)
  })
})

describe('size', () => {
  test('202: exactly the limit', async () => {
    expect((await postParts(filePart('a.txt', Buffer.alloc(MB, 'a')))).status).toBe(202)
  })
  test('413 request.file_too_large: one byte more', async () => {
    const answer = await postParts(filePart('a.txt', Buffer.alloc(MB + 1, 'a')))
    await expectRefused(answer, 413, 'request.file_too_large', { maxFileSizeMb: 1 })
  })
  test('413 request.file_too_large: one byte more, chunked', async () => {
    const form = writeForm([filePart('a.txt', Buffer.alloc(MB + 1, 'a'))])
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(form))
        controller.close()
      },
    })
    const answer = await fetchStream(body, account.key)
    await expectRefused(answer, 413, 'request.file_too_large', { maxFileSizeMb: 1 })
  })
})

const fetchStream = async (body: ReadableStream, key: string | null, base = service.base): Promise<Answer<unknown>> => {
  const response = await fetch(`${base}/extract`, {
    method: 'POST',
    headers: { 'content-type': MULTIPART, ...(key ? { 'X-Fast-Api-Key': key } : {}) },
    body,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('refused while the client is still sending', () => {
  const BIG_BYTES = 512 * MB
  let folder: string
  let big: string
  const keys = {} as Record<string, string | null>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-big-'))
    big = join(folder, 'big.txt')
    // All hole, no block: large to send, small to keep.
    const handle = await open(big, 'w')
    await handle.truncate(BIG_BYTES)
    await handle.close()
    Object.assign(keys, {
      'no key': null,
      'an unknown key': `fast_prod_${'x'.repeat(43)}`,
      'not Pro': (await service.account({ plan: 'free' })).key,
      'no credits': (await service.account({ credits: 0 })).key,
      'too large': account.key,
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const CASES = [
    ['no key', 401, 'api_key.required'],
    ['an unknown key', 401, 'api_key.invalid_or_ip_not_allowed'],
    ['not Pro', 403, 'api_key.pro_required'],
    ['no credits', 402, 'entitlements.insufficient_credits'],
    ['too large', 413, 'request.file_too_large'],
  ] as const

  const curl = async (args: string[]) => {
    const child = spawn('curl', ['-sS', '-w', '\\n%{http_code} %{size_upload}', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)])
    await ended
    const [, json = '', status = '', uploaded = ''] = /^(.*)\n(\d+) (\d+)$/s.exec(stdout) ?? []
    expect(json, `curl said: ${stdout} ${stderr}`).not.toBe('')
    return { status: Number(status), uploaded: Number(uploaded), body: JSON.parse(json) as ErrorBody }
  }
  const WAYS: [string, string[]][] = [
    ['curl', []],
    ["curl -H 'Expect:'", ['-H', 'Expect:']],
    ['curl, chunked', ['-H', 'Transfer-Encoding: chunked', '-H', 'Expect:']],
    ['curl with an Idempotency-Key', ['-H', 'Idempotency-Key: never seen']],
  ]
  const baseFor = (why: string) => (why === 'too large' ? service : roomy).base
  for (const [why, status, code] of CASES) {
    test.each(WAYS)(`${status} ${code}: ${why}, read by %s`, async (_, args) => {
      const key = keys[why] ? ['-H', `X-Fast-Api-Key: ${keys[why]}`] : []
      const answer = await curl([...key, ...args, '-F', `file=@${big}`, `${baseFor(why)}/extract`])
      expect(answer).toMatchObject({ status, body: { code } })
      expect(answer.uploaded).toBeLessThan(BIG_BYTES / 2)
      await expectNoTrace(jobsBefore)
    })
    test(`${status} ${code}: ${why}, read by fetch with a body that never ends`, async () => {
      const head = writeForm([filePart('a.txt', '')], '')
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(head.subarray(0, -2))),
        pull: async (controller) => {
          // Fetch keeps what it has sent: without a breath between, a slow answer would cost gigabytes.
          await delay(5)
          controller.enqueue(new Uint8Array(65_536))
        },
      })
      const answer = await fetchStream(stream, keys[why] ?? null, baseFor(why))
      await expectRefused(answer, status, code)
    })
  }
  test.each([
    ['400 request.invalid_extension', 'big.nope', [], 'request.invalid_extension'],
    [
      '400 request.invalid_parameter',
      'big.txt',
      ['-F', 'options={"extraction":{"selectedCapabilities":["no"]}}'],
      'request.invalid_parameter',
    ],
    ['400 request.unknown_field', 'big.txt', ['-F', 'colour=red'], 'request.unknown_field'],
  ])('%s: known from what comes before the bytes', async (_, name, before, code) => {
    const key = ['-H', `X-Fast-Api-Key: ${account.key}`, '-H', 'Transfer-Encoding: chunked']
    const answer = await curl([...key, ...before, '-F', `file=@${big};filename=${name}`, `${service.base}/extract`])
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(answer.uploaded).toBeLessThan(BIG_BYTES / 2)
    await expectNoTrace(jobsBefore)
  })
  test('the next request on a kept connection is answered as itself', async () => {
    const { socket, write, text } = openSocket(service.base)
    const form = writeForm([filePart('a.nope', 'a')])
    const lines = ['POST /extract HTTP/1.1', 'Host: x', `X-Fast-Api-Key: ${account.key}`, `Content-Type: ${MULTIPART}`]
    await write(`${lines.join('\r\n')}\r\nContent-Length: ${form.length}\r\n\r\n`)
    await write(form)
    await write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
    const both = await until(text, (so) => so.includes('"status":"ok"'))
    expect(both).toContain('request.invalid_extension')
    socket.destroy()
  })
})
