import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookSecretOf } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { slow } from '../jobs/deeds.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { makePro, signUp } from './account-visitor.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'

const EMAIL = 'pages@example.com'
/** Of the ledger: time, entry, available, held, bucket, job. */
const COLUMNS = 6
const PAGES = ['', '/jobs', '/keys', '/credits', '/usage', '/webhooks', '/settings']

let service: TestService
let browser: TestBrowser
let page: Page
let client: TestClient
let accountId: string
let receiver: Server
let receiverBase: string
let ended: Record<'good' | 'bad', JobRecord>

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/refuses' ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverBase = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  service = await startTestService({ QUARRY_WEBHOOK_ALLOW_PRIVATE: 'true' })
  browser = await openBrowser()
  page = await browser.newPage(service.base, { path: '/sign-up' })
  await signUp(page, EMAIL)
  accountId = await makePro(service, EMAIL, 500)
  const [user] = await service.database.query<{ id: string }>('select id from users where email = $1', [EMAIL])
  const { key } = await createKey(service.database, { accountId, userId: user?.id ?? '', name: 'made elsewhere' })
  client = createClient(service.base, key)
  const slides = Array.from({ length: 12 }, (_, i) => `slide ${i + 1}`).join('\n')
  ended = {
    good: await client.extract('a talk about stones.deck', slides, { webhookUrl: `${receiverBase}/takes` }),
    bad: await client.extract('locked.mischief', JSON.stringify({ do: 'fail:extract.source_encrypted' }), {
      webhookUrl: `${receiverBase}/refuses`,
    }),
  }
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  receiver.close()
})

const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })
const creditsOf = async (): Promise<number> =>
  (await client.get<{ totalCredits: number }>('/extract/entitlements/me')).body.totalCredits

test('the overview shows what the account has and did', async () => {
  await page.goto('/account')
  const credits = page.getByRole('region', { name: 'Credits' })
  await credits.getByText(`${await creditsOf()} to spend`).waitFor()
  const plan = page.getByRole('region', { name: 'Plan' })
  expect(await plan.textContent()).toMatch(/Pro.*1 GB.*300 minutes/s)
  await rowOf('a talk about stones.deck').filter({ hasText: '3 charged' }).waitFor()
  // There is a key already.
  expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
})

test('a failed job is explained, by its code too', async () => {
  await page.getByRole('link', { name: 'All jobs' }).click()
  const row = rowOf('locked.mischief')
  await row.getByText('The file is protected with a password.').waitFor()
  expect(await row.getByText('extract.source_encrypted').getAttribute('title')).toContain('protected with a password')
  await row.getByText('1 given back').waitFor()
})

test('jobs are found by state, format and name, and the address keeps the search', async () => {
  await page.getByLabel('State').selectOption('succeeded')
  await rowOf('locked.mischief').waitFor({ state: 'detached' })
  await page.getByLabel('Name', { exact: true }).fill('STONES ')
  await page.waitForURL('**/account/jobs?status=succeeded&name=STONES')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('STONES ')
  await rowOf('a talk about stones.deck').waitFor()
  await page.getByLabel('Format').fill('.PDF')
  await page.getByText('No job is like that.').waitFor()
  expect(new URL(page.url()).searchParams.get('format')).toBe('pdf')
  await page.reload()
  await page.getByText('No job is like that.').waitFor()
  expect(await page.getByLabel('State').inputValue()).toBe('succeeded')
  await page.getByRole('button', { name: 'Show all' }).click()
  await rowOf('locked.mischief').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
})

test('a running job goes on by itself and is canceled from the list', async () => {
  const before = await creditsOf()
  await client.submit('long.mischief', slow(600, 6000))
  await page.reload()
  const row = rowOf('long.mischief')
  await row.getByText('Running').waitFor()
  await row.getByText('1 held').waitFor()
  // Nobody reloads the page: it looks by itself.
  await row.getByText(/^[1-9]\d*%$/).waitFor()
  await row.getByRole('button', { name: 'Cancel long.mischief' }).click()
  await page.getByRole('button', { name: 'Cancel the job' }).click()
  await row.getByText('Canceled').waitFor()
  await row.getByText('1 given back').waitFor()
  expect(await creditsOf()).toBe(before)
})

test('a job that ends is seen to end, and its result is downloaded', async () => {
  await client.submit('short.mischief', slow(3, 6))
  await page.reload()
  const row = rowOf('short.mischief')
  await row.getByText('Running').waitFor()
  await row.getByText('Done').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('link', { name: 'Download short.mischief' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('short.zip')
  expect(await download.failure()).toBeNull()
})

test('a job is deleted only after a question', async () => {
  const row = rowOf('short.mischief')
  await row.getByRole('button', { name: 'Delete short.mischief' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await row.getByText('Done').waitFor()
  await row.getByRole('button', { name: 'Delete short.mischief' }).click()
  await page.getByRole('button', { name: 'Delete the job' }).click()
  await row.waitFor({ state: 'detached' })
})

test('the ledger has every entry, and its sums are the balance', async () => {
  // More than a page of them.
  await service.database.query(
    `insert into ledger_entries (account_id, bucket, kind, credits, note)
     select $1, 'loyalty', 'grant', 1, 'one of many' from generate_series(1, 60)`,
    [accountId],
  )
  await page.goto('/account/credits')
  const ledger = page.getByRole('region', { name: 'Ledger' })
  await ledger.getByRole('row').nth(50).waitFor()
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await more.waitFor({ state: 'detached' })
  const cells = await ledger.getByRole('cell').allTextContents()
  const rows = Array.from({ length: cells.length / COLUMNS }, (_, i) => cells.slice(i * COLUMNS, (i + 1) * COLUMNS))
  const sum = (column: number) =>
    rows.reduce((total, row) => total + (Number(row[column]?.replace('−', '-').replace(',', '')) || 0), 0)
  const total = await creditsOf()
  expect(sum(2)).toBe(total)
  expect(sum(3)).toBe(0)
  const [count] = await service.database.query<{ count: number }>(
    'select count(*) from ledger_entries where account_id = $1',
    [accountId],
  )
  expect(rows).toHaveLength(count?.count ?? 0)
  for (const kind of ['Grant', 'Hold', 'Capture', 'Release']) {
    expect(rows.some(([, cell]) => cell?.startsWith(kind))).toBe(true)
  }
  const inAll = page.getByRole('region', { name: 'Buckets' }).getByRole('row').filter({ hasText: 'In all' })
  expect(await inAll.textContent()).toBe(`In all${total}0`)
})

test('usage counts by day and by format', async () => {
  await page.goto('/account/usage')
  const chart = page.getByRole('img', { name: /^Credits by day: 4 credits for 4 jobs in the last 30 days\./ })
  await chart.waitFor()
  const days = page.getByRole('region', { name: 'Usage by day' }).getByRole('row')
  expect(await days.count()).toBe(31)
  expect(await days.nth(1).textContent()).toMatch(/424$/)
  const formats = page.getByRole('region', { name: 'Usage by format' })
  expect(await formats.getByRole('row').filter({ hasText: 'deck' }).textContent()).toBe('deck113')
  expect(await formats.getByRole('row').filter({ hasText: 'mischief' }).textContent()).toBe('mischief311')
  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByText('in the last 7 days').first().waitFor()
  expect(await days.count()).toBe(8)
})

test('deliveries of webhooks are shown, and the secret only when asked for', async () => {
  await page.goto('/account/webhooks')
  const taken = rowOf('/takes')
  await waitFor('both deliveries', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await rowOf('/refuses').waitFor()
    return (await taken.getByText('Delivered').count()) > 0 && (await rowOf('/refuses').getByText('500').count()) > 0
  })
  await taken.getByText('job.succeeded').waitFor()
  await taken.getByTitle(`Job ${ended.good.id}`).waitFor()
  const refused = rowOf('/refuses')
  await refused.getByText('job.failed').waitFor()
  await refused.getByText('Pending').waitFor()
  await refused.getByText('next try').waitFor()
  const secret = await webhookSecretOf(service.database, accountId)
  expect(await page.content()).not.toContain(secret)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText(secret).waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await page.getByRole('button', { name: 'Hide' }).click()
  expect(await page.content()).not.toContain(secret)
})

test.each(['light', 'dark'] as const)(
  'every page is accessible in the %s theme and fits a phone',
  async (theme) => {
    await page.emulateMedia({ colorScheme: theme })
    for (const path of PAGES) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`/account${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitFor('the answers', async () => (await page.getByText('Loading…').count()) === 0)
      await expectAccessible(page)
      await page.setViewportSize({ width: PHONE_WIDTH, height: 800 })
      await expectNoSidewaysScroll(page)
    }
    await page.goto('/account/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  },
  180_000,
)
