import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCapability } from './golden/run-capability.ts'
import { SCAN_START, writeScanPdf } from './golden/scan-pdf.ts'
import { ocr } from './ocr.ts'

const LINES = [
  'The harbour was closed for the winter,',
  'and nobody expected another ship',
  'before the ice had left the river.',
]
const folder = mkdtempSync(join(tmpdir(), 'pdf-ocr-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const makeSearchable = async (pdf: Buffer, options: Record<string, unknown> = {}) => {
  const { artifacts, warnings } = await runCapability(ocr, pdf, { ocrEngine: 'fast', ...options })
  const path = join(folder, `${Math.random()}.pdf`)
  writeFileSync(path, artifacts['ocr/source.pdf'] ?? '')
  return { path, warnings, hocr: artifacts['ocr/source.hocr']?.toString() ?? '' }
}

/** The lines of a page, and where its first word is, as poppler finds them. */
const readBack = (path: string, page = 1) => {
  const at = ['-f', String(page), '-l', String(page)]
  const [, x, y] = /<word xMin="([\d.]+)" yMin="([\d.]+)"/.exec(run('pdftotext', '-bbox', ...at, path, '-')) ?? []
  const lines = run('pdftotext', ...at, path, '-')
    .split('\n')
    .filter((line) => line.trim() !== '' && line !== '\f')
  return { lines, x: Number(x), y: Number(y) }
}

test('a scan can be searched, in its place, and is a sound file', async () => {
  const { path, hocr, warnings } = await makeSearchable(await writeScanPdf([{ lines: LINES }]))
  expect(run('qpdf', '--check', path)).toContain('No syntax or stream encoding errors found')
  const { lines, x, y } = readBack(path)
  expect(lines).toEqual(LINES)
  expect(x).toBeCloseTo(SCAN_START.x, -1)
  // Its top is about a letter above the line that it stands on.
  expect(y).toBeGreaterThan(SCAN_START.y - 20)
  expect(y).toBeLessThan(SCAN_START.y - 5)
  expect(warnings).toEqual([])
  expect(hocr).toContain('>harbour</span>')
  expect(hocr.match(/class="ocr_page"/g)).toHaveLength(1)
})

test.each([90, 180, 270])('a page that is shown turned by %i degrees', async (degrees) => {
  const { path } = await makeSearchable(await writeScanPdf([{ lines: LINES, more: `/Rotate ${degrees}` }]))
  // Poppler gives turned text in the order of the page as it is shown; the words are what counts.
  const words = readBack(path).lines.join(' ').split(' ').sort()
  expect(words).toEqual(LINES.join(' ').split(' ').sort())
})

test('crop and trim boxes do not move the text', async () => {
  const more = '/CropBox [20 10 400 190] /TrimBox [30 30 390 180]'
  const { path } = await makeSearchable(await writeScanPdf([{ lines: LINES, more }]))
  const { lines, x, y } = readBack(path)
  expect(lines).toEqual(LINES)
  // Poppler counts from the corner of the whole page.
  expect(x).toBeCloseTo(SCAN_START.x, -1)
  expect(y).toBeGreaterThan(SCAN_START.y - 20)
  expect(y).toBeLessThan(SCAN_START.y - 5)
})

test('words of a page that leans stay whole', async () => {
  const { path } = await makeSearchable(await writeScanPdf([{ lines: LINES, lean: 3 }]))
  const words = readBack(path).lines.join(' ').split(' ').sort()
  expect(words).toEqual(LINES.join(' ').split(' ').sort())
})

test('only the pages asked for are read, all are kept', async () => {
  const pdf = await writeScanPdf([{ lines: LINES }, { lines: LINES }, { lines: LINES }])
  const { path, hocr } = await makeSearchable(pdf, { pages: '2' })
  expect([1, 2, 3].map((page) => readBack(path, page).lines.length)).toEqual([0, 3, 0])
  expect(hocr.match(/id="page_\d+"/g)).toEqual(['id="page_2"'])
})

test('pages with text of their own are read only when all are', async () => {
  const { path } = await makeSearchable(await writeScanPdf([{ lines: [...LINES, ...LINES] }]))
  const searchable = readFileSync(path)
  expect((await makeSearchable(searchable)).warnings).toEqual(['pdf.ocr_not_needed'])
  const again = await makeSearchable(searchable, { mode: 'always' })
  expect(again.warnings).toEqual([])
  // Only what was read has a confidence.
  expect(again.hocr).toMatch(/x_wconf \d+">harbour/)
})

test('nothing to read', async () => {
  await expect(runCapability(ocr, await writeScanPdf([{ lines: [] }]))).rejects.toMatchObject({
    code: 'extract.pdf.no_ocr_text_found',
  })
})
