import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, openBrowser, type TestBrowser } from './browser.ts'
import { choose, fileOf, goldenFile, readJob, sendButton, waitForResult, watchPosts } from './try-visit.ts'

const MEGABYTE = 1_048_576

let service: TestService
let browser: TestBrowser
let page: Page
let posts: string[]

beforeAll(async () => {
  service = await startTestService({ QUARRY_PLANS: JSON.stringify({ guest: { maxFileSizeMb: 2, dailyCredits: 12 } }) })
  browser = await openBrowser()
  page = await browser.newPage(service.base)
  posts = watchPosts(page)
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

const again = async () => {
  await page.getByRole('button', { name: 'Another file' }).click()
  await page.getByText('Choose a file').waitFor()
  posts.length = 0
}
const slides = (count: number): string => Array.from({ length: count }, (_, index) => `slide ${index}\n`).join('')

test('a file that is too large is refused before it is sent', async () => {
  await choose(page, fileOf('large.txt', Buffer.alloc(2 * MEGABYTE + 1, 'a')))
  await page.getByText('2 MB are allowed on your plan. Nothing was sent.').waitFor()
  expect(posts).toEqual([])
  expect(await sendButton(page).count()).toBe(0)
  await again()
})

test('a file of an unknown kind is refused, with what is known', async () => {
  await choose(page, fileOf('odd.xyzzy', 'what'))
  await page.getByText('Files of the kind .xyzzy are not supported. Nothing was sent.').waitFor()
  await page.getByText('What can be sent').waitFor()
  expect(await page.getByRole('link', { name: /All formats/ }).getAttribute('href')).toBe('/docs/formats')
  await expectAccessible(page)
  await again()
  await choose(page, fileOf('nameless', 'what'))
  await page.getByText('The name of the file has no extension').waitFor()
  expect(posts).toEqual([])
  await again()
})

test('several files and an empty one are not taken', async () => {
  const drop = (names: readonly string[]) =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      for (const name of ${JSON.stringify(names)}) dataTransfer.items.add(new File(['some text'], name))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
  await drop(['a.txt', 'b.txt', 'c.txt'])
  await page.getByText('One file at a time: these are 3.').waitFor()
  await choose(page, fileOf('empty.txt', ''))
  await page.getByText('empty.txt is empty.').waitFor()
  await drop(['dropped.txt'])
  await page.getByRole('heading', { name: 'dropped.txt' }).waitFor()
  await sendButton(page).waitFor()
  expect(await page.getByText('is empty.').count()).toBe(0)
  await again()
})

test('a pasted file is taken', async () => {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['pasted text'], 'pasted.md'))
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
  })()`)
  await page.getByRole('heading', { name: 'pasted.md' }).waitFor()
  await sendButton(page).waitFor()
  await again()
})

test('more credits than are left cannot be spent', async () => {
  await choose(page, fileOf('many.deck', slides(61)))
  await page.getByRole('button', { name: 'Measure it' }).click()
  await page.getByText('This costs 13 credits, and there are 12 of 12 credits left today').waitFor()
  expect(await sendButton(page).isDisabled()).toBe(true)
  await again()
})

test('content that is not what the name says is explained, and the file stays', async () => {
  await choose(page, await goldenFile('pdf/golden/links/links.pdf', 'picture.jpg'))
  await sendButton(page).click()
  await page.getByText('The file is named .jpg, but what is in it is pdf.').waitFor()
  await page.getByRole('heading', { name: 'picture.jpg' }).waitFor()
  await again()
})

test('an encrypted file asks for its password, which goes no further than it must', async () => {
  const bodies: string[] = []
  const note = (request: { method(): string; url(): string; postData(): string | null }) => {
    if (request.url().includes('/web/estimate')) bodies.push(request.postData() ?? '')
  }
  page.on('request', note)
  await choose(page, await goldenFile('excel/golden/xlsx-unlocked/locked.xlsx', 'locked.xlsx'))
  await page.getByRole('button', { name: 'Measure it' }).click()
  await page.getByText('The file is encrypted').waitFor()
  await page.getByLabel('Password').fill('Schlüssel 7')
  await page.getByRole('button', { name: 'Measure it again' }).click()
  await sendButton(page).waitFor()
  await page.getByText('The same as an API call').click()
  expect(await page.locator('pre').textContent()).toContain('YOUR_PASSWORD')
  await sendButton(page).click()
  await waitForResult(page)
  expect(await readJob(page)).toMatchObject({ status: 'succeeded', format: 'xlsx' })
  expect(bodies.join('')).not.toContain('Schl')
  page.off('request', note)
})

test('a price that was too low is not taken for an answer: the true one is asked for', async () => {
  const other = await browser.newPage(service.base)
  await choose(other, fileOf('dear.deck', slides(11)))
  await other.getByRole('button', { name: 'Measure it' }).click()
  await sendButton(other).waitFor()
  // As if the price had risen since.
  await other.route('**/web/estimate/deck', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), quotedCredits: 1 } })
  })
  await other.getByLabel('Images', { exact: true }).check()
  await other.getByRole('button', { name: 'Extract for 1 credit', exact: true }).waitFor()
  await other.unroute('**/web/estimate/deck')
  await sendButton(other).click()
  await other.getByText('3 credits in place of 1 credit. Nothing was charged.').waitFor()
  await other.getByRole('button', { name: 'Extract for 3 credits' }).click()
  await waitForResult(other)
  expect(await readJob(other)).toMatchObject({ metrics: { chargedCredits: 3 } })
  await other.context().close()
})

test('a file on its way shows how far it is, and can be stopped', async () => {
  const other = await browser.newPage(service.base)
  const wire = await other.context().newCDPSession(other)
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  })
  await choose(other, fileOf('slow.txt', Buffer.alloc(1.5 * MEGABYTE, 'words and more words\n')))
  await sendButton(other).click()
  await other.getByText(/^Sending the file, [1-9]\d? %$/).waitFor()
  await other.getByRole('button', { name: 'Cancel' }).click()
  await sendButton(other).waitFor()
  await other.getByRole('heading', { name: 'slow.txt' }).waitFor()
  expect(await other.getByRole('progressbar').count()).toBe(0)
  await other.context().close()
})
