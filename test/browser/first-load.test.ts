import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

const MAX_SCRIPT_BYTES = 200_000

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startTestService({}, 'api')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

test('the first load of the try-it page has less than 200 kB of compressed script', async () => {
  // A picture first: nothing of the page is in the cache, and its requests are all heard.
  const page = await browser.newPage(service.base, { path: '/icon.svg' })
  const sizes: number[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.push(Number(response.headers()['content-length']))
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const bytes = sizes.reduce((sum, one) => sum + one, 0)
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES)
})

test('a part of the site that cannot be loaded is told, with a way to try again', async () => {
  const page = await browser.newPage(service.base)
  await page.route(/sign-in-page/, (route) => route.abort())
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByText('This page could not be loaded.').waitFor()
  await page.unroute(/sign-in-page/)
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await page.getByLabel('E-mail').waitFor()
})

test('a chosen theme is kept, and wins over the system', async () => {
  const page = await browser.newPage(service.base, { theme: 'light' })
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const light = await ground()
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  expect(await ground()).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
  expect(await ground()).not.toBe(light)
})
