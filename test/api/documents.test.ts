import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Quote } from '../../src/core/pricing.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { PROJECT } from '../support/paths.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let client: TestClient
let folder = ''
beforeAll(async () => {
  service = await startTestService()
  client = createClient(service.base, (await service.account()).key)
  folder = await mkdtemp(join(tmpdir(), 'documents-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await service.stop()
})

const golden = (path: string): Buffer => readFileSync(join(PROJECT, 'src/formats', path))
const extraction = (selectedCapabilities: string[], capabilityOptions: object = {}) => ({
  extraction: { selectedCapabilities, capabilityOptions },
})
/** The files of a result, read by a program that is not ours. */
const unzip = async (id: string): Promise<{ names: string[]; read(name: string): Buffer }> => {
  const { status, bytes } = await client.download(id)
  expect(status).toBe(200)
  const path = join(folder, `${id}.zip`)
  writeFileSync(path, bytes)
  const names = execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n')
  return { names, read: (name) => execFileSync('unzip', ['-p', path, name]) }
}
const ENCRYPTED = 'pdf/golden/encrypted/secret.pdf'

describe('an encrypted PDF', () => {
  test('without its password fails, and is not charged', async () => {
    const record = await client.extract('secret.pdf', golden(ENCRYPTED))
    expect(record).toMatchObject({ status: 'failed', billing: 'released', error: { code: 'extract.source_encrypted' } })
  })
  test('opens with the password of one capability for all of them, and keeps it to itself', async () => {
    const { options } = JSON.parse(golden('pdf/golden/encrypted/case.json').toString()) as {
      options: Record<string, { password: string }>
    }
    const password = Object.values(options)[0]?.password ?? ''
    const ids = ['pdf.text', 'pdf.markdown', 'pdf.metadata']
    const record = await client.extract(
      'secret.pdf',
      golden(ENCRYPTED),
      extraction(ids, { 'pdf.metadata': { password } }),
    )
    expect(record).toMatchObject({ status: 'succeeded', billing: 'charged' })
    expect(JSON.stringify(record)).not.toContain(password)
    const { names, read } = await unzip(record.id)
    expect(names).toEqual(expect.arrayContaining(['manifest.json', 'markdown/secret.md', 'metadata/secret.json']))
    expect(read('manifest.json').includes(password)).toBe(false)
  })
})

test('a PDF that says nothing fails with the code of the contract, uncharged', async () => {
  const blank = golden('pdf/golden/ocr-blank/blank.pdf')
  const none = { ocr: 'never' }
  const plain = await client.extract('blank.pdf', blank, extraction(['pdf.markdown'], { 'pdf.markdown': none }))
  expect(plain).toMatchObject({
    status: 'failed',
    billing: 'released',
    error: { code: 'extract.pdf.no_markdown_content_found' },
  })
  // What else was found does not make up for OCR that costs extra and gives nothing.
  const scanned = await client.extract('blank.pdf', blank, extraction(['pdf.ocr', 'pdf.metadata']))
  expect(scanned).toMatchObject({
    status: 'failed',
    billing: 'released',
    error: { code: 'extract.pdf.no_ocr_text_found' },
  })
})

test('a PDF of pictures alone gives its pictures, and says that there is no text', async () => {
  const record = await client.extract('blank.pdf', golden('pdf/golden/ocr-blank/blank.pdf'))
  expect(record).toMatchObject({ status: 'succeeded', billing: 'charged' })
  expect(record.warnings.map(({ code }) => code)).toContain('extract.pdf.no_ocr_text_found')
})

test('a scan is read in the sandbox, and its searchable PDF has text for other programs', async () => {
  const record = await client.extract(
    'scan.pdf',
    golden('pdf/golden/ocr-scan/scan.pdf'),
    extraction(['pdf.text', 'pdf.ocr']),
  )
  expect(record.status).toBe('succeeded')
  const { names, read } = await unzip(record.id)
  expect(read('text/scan.txt').toString().trim().length).toBeGreaterThan(10)
  const searchable = names.find((name) => name.endsWith('.pdf')) ?? ''
  const path = join(folder, 'searchable.pdf')
  writeFileSync(path, read(searchable))
  execFileSync('qpdf', ['--check', path])
  expect(execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).trim().length).toBeGreaterThan(10)
})

test('OCR is quoted once, whatever asks for it', async () => {
  const always = { ocr: 'always' }
  const quoteOf = async (options: object): Promise<Quote> =>
    (await client.call<Quote>('POST', '/extract/estimate/pdf', { json: { fileSizeMb: 1, pageCount: 11, options } }))
      .body
  expect((await quoteOf(extraction(['pdf.text']))).quotedCredits).toBe(2)
  const quoted = await quoteOf(extraction(['pdf.text', 'pdf.markdown', 'pdf.ocr'], { 'pdf.text': always }))
  expect(quoted.quotedCredits).toBe(2 + 3)
  expect(quoted.lineItems).toHaveLength(2)
})

test('an animation is billed by the frames that come out', async () => {
  const record = await client.extract('turn.gif', golden('image/golden/gif/turn.gif'), extraction(['image.frames']))
  expect(record.status).toBe('succeeded')
  const { names } = await unzip(record.id)
  const frames = names.filter((name) => /^frames\/.*\.png$/.test(name))
  expect(frames.length).toBeGreaterThan(1)
  expect(record.metrics.frameCount).toBe(frames.length)
})
