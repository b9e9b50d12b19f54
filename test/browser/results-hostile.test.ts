import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { Submitted } from '../../src/http/web/contract.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { guestState, waitForNumber } from './results-visit.ts'

const PATIENCE_MS = 120_000
/** Each asks for an address of the service that nobody else asks for, and leaves a mark where it can. */
const attack = (where: string): string =>
  `fetch('/web/canary-${where}');window.canary='${where}';try{parent.canary='${where}'}catch{};alert('${where}')`
const HOSTILE: Readonly<Record<string, string>> = {
  'page.html': `<!doctype html><title>x</title><p id="text">harmless words</p><script>${attack('html')}</script>
<img src="/web/canary-picture" onerror="${attack('onerror')}"><link rel="stylesheet" href="/web/canary-style">
<meta http-equiv="refresh" content="0;url=/web/canary-refresh"><iframe src="/web/canary-frame"></iframe>
<form action="/web/canary-form"><button>x</button></form>`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${attack('svg-load')}">
<rect width="40" height="40" fill="teal"/><script>${attack('svg')}</script><image href="/web/canary-svg-image"/></svg>`,
  'notes.md': `# Hostile words

<script>${attack('md-script')}</script>

<table><tr><td onclick="${attack('md-click')}"><img src="x" onerror="${attack('md-error')}">cell</td></tr></table>

[a link](javascript:window.canary='md-link') ![a picture](/web/canary-md-picture) ![another](https://127.0.0.1:9/p.png)
<iframe src="javascript:parent.canary='md-frame'"></iframe>
`,
}

let service: TestService
let close = async (): Promise<void> => undefined
let page: Page
const dialogs: string[] = []
/** What came through: a request that the browser forbids itself is never answered. */
const answered: string[] = []

beforeAll(async () => {
  service = await startTestService()
  // Not the browser of the other tests: here the policy is meant to be broken against.
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  close = () => browser.close()
  const { base } = service
  const { id, proof } = await submitHostile(base)
  const context = await browser.newContext({ baseURL: base, storageState: guestState(base, { [id]: proof }) })
  context.setDefaultTimeout(30_000)
  page = await context.newPage()
  context.on('response', (response) => answered.push(response.url()))
  context.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(`/jobs/${id}`)
}, PATIENCE_MS)
afterAll(async () => {
  await close()
  await service?.stop()
})

const submitHostile = async (base: string): Promise<{ id: string; proof: string }> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(HOSTILE)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  const body = createClient(base, null).form('hostile.zip', Buffer.concat(chunks), {
    extraction: { selectedCapabilities: ['archive.files'] },
  })
  const answer = await fetch(`${base}/web/jobs`, { method: 'POST', headers: { origin: base }, body })
  const { job, proof } = (await answer.json()) as Submitted
  expect(answer.status).toBe(202)
  for (;;) {
    const { status } = (await (await fetch(`${base}/web/jobs/${job.id}?proof=${proof}`)).json()) as JobRecord
    if (status === 'succeeded') return { id: job.id, proof: proof ?? '' }
    expect(['queued', 'running']).toContain(status)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What ran would have left one of these. */
const expectNothingRan = async (): Promise<void> => {
  expect(await page.evaluate('window.canary ?? null')).toBeNull()
  expect(dialogs).toEqual([])
  expect(
    answered.filter((url) => url.includes('canary') || (!/^(blob|data):/.test(url) && !url.startsWith(service.base))),
  ).toEqual([])
}

test('a request that comes through is seen', { timeout: PATIENCE_MS }, async () => {
  await page.evaluate(`fetch('/web/control')`)
  expect(answered).toContain(`${service.base}/web/control`)
})

test('a page of a result is shown and runs nothing', { timeout: PATIENCE_MS }, async () => {
  await page.getByRole('tab', { name: /^Pages/ }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('harmless words').waitFor()
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
  await expectNothingRan()
})

test('a page of a result runs nothing in a window of its own either', { timeout: PATIENCE_MS }, async () => {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'files/page.html' }).click(),
  ])
  await opened.getByText('harmless words').waitFor()
  expect(await opened.evaluate('window.canary ?? null')).toBeNull()
  await opened.close()
  await expectNothingRan()
})

test('a drawing is a picture', { timeout: PATIENCE_MS }, async () => {
  await page.getByRole('tab', { name: /^Images/ }).click()
  const drawing = page.getByRole('img', { name: /^drawing\.svg/ })
  await waitForNumber(drawing, 'naturalWidth', (width) => width === 40)
  await expectNothingRan()
})

test('Markdown is words and tables', { timeout: PATIENCE_MS }, async () => {
  await page.getByRole('tab', { name: /^Document/ }).click()
  await page.getByRole('heading', { name: 'Hostile words' }).waitFor()
  await page.getByText('<script>', { exact: false }).waitFor()
  const cell = page.getByRole('article').getByRole('cell')
  await cell.click()
  expect(await page.getByRole('article').locator('[onclick], [onerror], script, iframe').count()).toBe(0)
  const addresses = await page
    .getByRole('article')
    .locator('a')
    .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
  expect(addresses).toEqual(['https://127.0.0.1:9/p.png'])
  await expectNothingRan()
})
