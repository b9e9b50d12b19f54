import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SubmissionRecord } from '../../src/jobs/submit.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { curl, makeKey, makePro, runLine, signUp } from './account-visitor.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

const EMAIL = 'keys@example.com'

let service: TestService
let browser: TestBrowser
let page: Page
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-curl-'))
  await writeFile(join(folder, 'report.pdf'), 'none yet')
  await writeFile(join(folder, 'talk.deck'), 'one\ntwo\nthree\n')
  service = await startTestService({ QUARRY_LOG_LEVEL: 'trace' })
  browser = await openBrowser()
  page = await browser.newPage(service.base, { path: '/account/keys' })
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const header = (key: string): string => `X-Fast-Api-Key: ${key}`
const entitlements = (key: string) => curl(`${service.base}/extract/entitlements/me`, '-H', header(key))
const send = (key: string) =>
  curl(`${service.base}/extract`, '-H', header(key), '-F', `file=@${join(folder, 'talk.deck')}`)
const closeDialog = async () => {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

let key: string

test('a visitor signs up, makes a first key and calls the service with the line that is shown', async () => {
  await page.waitForURL('**/sign-in?next=%2Faccount%2Fkeys')
  await signUp(page, EMAIL)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByRole('link', { name: 'Make an API key' }).click()
  await page.getByText('This account has the Free plan').waitFor()
  key = await makeKey(page, 'first')
  expect(key).toMatch(/^fast_prod_[\w-]{43}$/)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByText('Copied').waitFor()
  const line = (await page.evaluate('navigator.clipboard.readText()')) as string
  expect(line).toContain(`${service.base}/extract/entitlements/me`)
  expect(await runLine(line, folder)).toMatchObject({ tier: 'free', dailyLimit: 100 })
})

test('the key is nowhere once its window is closed', async () => {
  await closeDialog()
  await page.getByRole('cell', { name: /^first fast_prod_/ }).waitFor()
  expect(await page.content()).not.toContain(key)
  expect(page.url()).not.toContain(key)
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(key)
  expect(service.first.log()).not.toContain(key)
  await page.reload()
  await page.getByRole('cell', { name: /^first fast_prod_/ }).waitFor()
  expect(await page.content()).not.toContain(key)
})

test('the key of a free account asks, but does not send', async () => {
  expect(await send(key)).toMatchObject({ status: 403, body: { code: 'api_key.pro_required' } })
})

test('with the Pro plan the same key sends, and the job is in the list and in the ledger', async () => {
  await makePro(service, EMAIL, 40)
  const { status, body } = await send(key)
  expect(status).toBe(202)
  const { id } = body as unknown as SubmissionRecord
  await page.goto('/account/jobs')
  const job = page.getByRole('row').filter({ hasText: 'talk.deck' })
  await job.filter({ hasText: 'Done' }).filter({ hasText: '1 charged' }).waitFor()
  await job.getByRole('link', { name: 'talk.deck', exact: true }).waitFor()
  await page.goto('/account/credits')
  const rows = page.getByRole('region', { name: 'Ledger' }).getByRole('row')
  await rows.filter({ hasText: 'Capture' }).getByTitle(`Job ${id}`).waitFor()
  expect(await rows.filter({ hasText: 'Hold' }).textContent()).toContain('−1')
})

test('a key for other addresses is refused from here, one for this network works', async () => {
  await page.goto('/account/keys')
  const elsewhere = await makeKey(page, 'elsewhere', '203.0.113.0/24')
  await page.getByText('only from 203.0.113.0/24').waitFor()
  await closeDialog()
  const here = await makeKey(page, 'here', '127.0.0.0/8')
  await closeDialog()
  expect(await entitlements(elsewhere)).toMatchObject({
    status: 401,
    body: { code: 'api_key.invalid_or_ip_not_allowed' },
  })
  expect((await entitlements(here)).status).toBe(200)
})

test('what is no address is refused in place', async () => {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByText('Give the key a name.').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('name')
  await dialog.getByLabel('Name').fill('nowhere')
  await dialog.getByLabel('Only from this address').fill('203.0.113.0/99')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is neither an address nor a range').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('allowedCidr')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a key may end with a day', async () => {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('short')
  await dialog.getByLabel('Stops working').selectOption({ label: 'On a date' })
  await dialog.getByLabel('Last day').fill('2001-01-01')
  await page.keyboard.press('Enter')
  await dialog.getByText('The date must not lie in the past.').waitFor()
  await dialog.getByLabel('Stops working').selectOption({ label: 'In 30 days' })
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await closeDialog()
  const [row] = await service.database.query<{ days: number }>(
    `select extract(epoch from expires_at - now()) / 86400 as days from api_keys where name = 'short'`,
  )
  expect(Number(row?.days)).toBeGreaterThan(29)
  expect(Number(row?.days)).toBeLessThan(31.1)
})

test('a revoked key stops at once', async () => {
  await page.getByRole('button', { name: 'Revoke first' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  expect((await entitlements(key)).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke first' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Revoked and expired keys (1)').waitFor()
  expect(await entitlements(key)).toMatchObject({ status: 401, body: { code: 'api_key.invalid_or_ip_not_allowed' } })
})
