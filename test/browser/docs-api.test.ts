import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'

const PATIENCE_MS = 240_000

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService({ QUARRY_FORMATS: '' }, 'api')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const collectErrors = (page: Page): string[] => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  return errors
}

test.each(['light', 'dark'] as const)('lists every path, accessible, %s', { timeout: PATIENCE_MS }, async (theme) => {
  const page = await browser.newPage(service.base, { path: '/docs/api', theme })
  const errors = collectErrors(page)
  await page.locator('[data-ready]').waitFor()
  const document = (await (await fetch(`${service.base}/web/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const shown = (await page.locator('.opblock-summary-path').allTextContents()).map((text) =>
    text.replaceAll('\u200b', ''),
  )
  const expected = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map(() => path))
  expect(shown.sort()).toEqual(expected.sort())
  await expectAccessible(page)
  await page.locator('.opblock-summary-control', { hasText: 'estimate' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.getByRole('button', { name: 'Close' }).first().waitFor()
  await expectAccessible(page)
  expect(errors).toEqual([])
  await page.context().close()
})

test('tries requests here, with a key that only the page knows', { timeout: PATIENCE_MS }, async () => {
  const { key } = await service.account()
  const page = await browser.newPage(service.base, { path: '/docs/api', width: PHONE_WIDTH })
  await page.locator('[data-ready]').waitFor()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container input').fill(key)
  await page.locator('.modal-btn.auth.authorize').click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.locator('.opblock-summary-control', { hasText: '/extract/schema' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const answer = page.waitForResponse((response) => response.url() === `${service.base}/extract/schema`)
  await page.getByRole('button', { name: 'Execute' }).click()
  const response = await answer
  expect(response.status()).toBe(200)
  expect(await response.request().headerValue('cookie')).toBeNull()
  const stored = (await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')) as string
  expect(stored).not.toContain(key)
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor()
  await page.context().close()
})

test('follows the theme that was chosen', { timeout: PATIENCE_MS }, async () => {
  const page = await browser.newPage(service.base, { path: '/docs' })
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  await page.goto('/docs/api')
  await page.locator('html.dark-mode [data-ready]').waitFor()
  await page.context().close()
})
