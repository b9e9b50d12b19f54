import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { listEntries, readBalance } from '../../src/accounts/ledger.ts'
import { addUser } from '../../src/accounts/users.ts'
import type { PlanId } from '../../src/core/plans.ts'
import { ok, slow } from '../jobs/deeds.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'

const PATIENCE_MS = 120_000
const PASSWORD = 'a long enough password'
const OPERATOR = 'olga@operators.example'
let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '1' })
  browser = await openBrowser()
  const { id } = await addAccount('Operators', { email: OPERATOR })
  await service.database.query('update accounts set is_admin = true where id = $1', [id])
}, PATIENCE_MS)
afterAll(async () => {
  await browser.close()
  await service.stop()
})

type Customer = { id: string; client: TestClient }
const addAccount = async (
  name: string,
  { plan = 'pro', email }: { plan?: PlanId; email?: string } = {},
): Promise<Customer> => {
  const { database, base } = service
  const { id, userId } = await createAccount(database, { name, plan, credits: 100 })
  if (email) await addUser(database, { accountId: id, email, name, password: PASSWORD })
  const { key } = await createKey(database, { accountId: id, userId, name: 'test' })
  return { id, client: createClient(base, key) }
}

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}
let cookies: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>> | undefined
/** A page of the operator, who signs in once. */
const openAsOperator = async (
  path: string,
  options: { width?: number; theme?: 'light' | 'dark' } = {},
): Promise<Page> => {
  if (!cookies) {
    const page = await browser.newPage(service.base, { path: '/admin' })
    await signIn(page, OPERATOR)
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    cookies = await page.context().storageState()
    await page.context().close()
  }
  return browser.newPage(service.base, { path, ...options, context: { storageState: cookies } })
}
const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole('region', { name: table }).getByRole('row').filter({ hasText: text })
const cellsOf = async (row: Locator): Promise<string[]> => row.getByRole('cell').allInnerTexts()

describe('who may look', () => {
  test('a guest is asked to sign in and comes back, with the address kept', async () => {
    const page = await browser.newPage(service.base, { path: '/admin/jobs?status=failed' })
    await page.waitForURL(/\/sign-in\?next=/)
    await signIn(page, OPERATOR)
    await page.waitForURL(/\/admin\/jobs\?status=failed$/)
    await page.getByRole('heading', { name: 'Jobs of all accounts' }).waitFor()
    expect(await page.getByLabel('State').inputValue()).toBe('failed')
    await page.context().close()
  })
  test('another member is told that it is not for them, and sees no link to it', async () => {
    await addAccount('Members', { email: 'mia@members.example' })
    const page = await browser.newPage(service.base, { path: '/admin' })
    await signIn(page, 'mia@members.example')
    await page.getByRole('heading', { name: 'Operators only' }).waitFor()
    expect(await page.getByRole('link', { name: 'Operate' }).count()).toBe(0)
    await expectAccessible(page)
    await page.context().close()
  })
})

describe('the overview', () => {
  test(
    'follows a job from its start to its end without being asked',
    async () => {
      const page = await openAsOperator('/admin')
      const row = rowOf(page, 'Queues', 'document')
      await row.waitFor()
      expect(await cellsOf(row)).toEqual(['document', '0', '0', '–'])
      const worker = rowOf(page, 'Workers', String(service.first.process.pid))
      await worker.getByText('Alive').waitFor()
      const { client } = await addAccount('Watched')
      const [first, second] = [await client.submit('a.mischief', slow(300)), await client.submit('b.mischief', ok())]
      const busy = await waitFor(
        'the running job',
        async () => {
          const cells = await cellsOf(row)
          return cells[2] === '1' && cells[1] === '1' && cells
        },
        PATIENCE_MS,
        200,
      )
      expect(busy[3]).toMatch(/^\d+:\d\d$/)
      await worker.getByText('1 of 1').waitFor({ timeout: PATIENCE_MS })
      await client.call('POST', `/extract/job/${first.body.id}/cancel`)
      await client.waitForEnd(second.body.id, PATIENCE_MS)
      await waitFor('an idle queue', async () => (await cellsOf(row)).slice(1).join() === '0,0,–', PATIENCE_MS, 200)
      await page.context().close()
    },
    PATIENCE_MS * 3,
  )
  test('shows what failed, and leads to it', async () => {
    const { client } = await addAccount('Unlucky')
    await client.extract('bad.mischief', JSON.stringify({ do: 'fail:extract.source_encrypted' }))
    const page = await openAsOperator('/admin')
    await page
      .getByText('No job failed.')
      .or(page.getByRole('region', { name: 'Failures' }))
      .waitFor()
    const row = rowOf(page, 'Failures', 'extract.source_encrypted')
    await row.waitFor()
    expect((await cellsOf(row)).slice(1, 3)).toEqual(['mischief', '1'])
    await page.getByRole('link', { name: 'All failed jobs' }).click()
    await rowOf(page, 'Jobs', 'bad.mischief').waitFor()
    await page.context().close()
  })
})

describe('accounts', () => {
  test('are searched by keyboard, and left without guests', async () => {
    await addAccount('Halcyon Ltd', { email: 'hal@halcyon.example' })
    await addAccount('Halcyon guest', { plan: 'guest' })
    const page = await openAsOperator('/admin/accounts')
    await page.getByLabel('Name, e-mail address or id').fill('halcyon')
    await page.keyboard.press('Enter')
    await rowOf(page, 'Accounts', 'Halcyon guest').waitFor()
    expect(page.url()).toContain('search=halcyon')
    await page.getByLabel('Plan').selectOption('members')
    await rowOf(page, 'Accounts', 'Halcyon guest').waitFor({ state: 'detached' })
    await rowOf(page, 'Accounts', 'hal@halcyon.example').waitFor()
    await page.getByLabel('Name, e-mail address or id').fill('nobody at all')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('No account is like that.').waitFor()
    await page.context().close()
  })
  test('get credits, with a note in their ledger', async () => {
    const { id } = await addAccount('Generous Ltd')
    const page = await openAsOperator(`/admin/accounts/${id}`)
    const form = page.getByRole('form', { name: 'Give credits' })
    await form.getByLabel('Credits').fill('2.5')
    await form.getByLabel('Credits').press('Enter')
    await form.getByText('Enter a whole number').waitFor()
    expect((await readBalance(service.database, id)).total).toBe(100)
    await form.getByLabel('Credits').fill('2500')
    await form.getByLabel('Bucket').selectOption('loyalty')
    await form.getByLabel('Note').fill('for the patience')
    await form.getByRole('button', { name: 'Give credits' }).click()
    await form.getByText('2,500 credits given. The account has 2,600 credits now.').waitFor()
    await page.getByText('2,600 to spend, 0 held').waitFor()
    expect(await form.getByLabel('Credits').inputValue()).toBe('')
    const [entry] = await listEntries(service.database, id, 1)
    expect(entry).toMatchObject({ bucket: 'loyalty', credits: 2500, note: `for the patience (by ${OPERATOR})` })
    await page.context().close()
  })
  test('get another plan', async () => {
    const { id } = await addAccount('Upward Ltd', { plan: 'free' })
    const page = await openAsOperator(`/admin/accounts/${id}`)
    const form = page.getByRole('form', { name: 'Plan' })
    await form.getByLabel('Plan of the account').selectOption('pro')
    await form.getByRole('button', { name: 'Change the plan' }).click()
    await form.getByText('The plan is pro now.').waitFor()
    const [account] = await service.database.query<{ plan: string }>('select plan from accounts where id = $1', [id])
    expect(account?.plan).toBe('pro')
    await page.context().close()
  })
  test('that do not exist are told so', async () => {
    const page = await openAsOperator(`/admin/accounts/${'0'.repeat(32)}`)
    await page.getByText('No such account.').waitFor()
    await page.context().close()
  })
})

describe('jobs', () => {
  test('are refunded after a question, by keyboard', async () => {
    const { id, client } = await addAccount('Refunded Ltd')
    const record = await client.extract('wrong.mischief', ok())
    const page = await openAsOperator(`/admin/accounts/${id}`)
    const refund = page.getByRole('button', { name: 'Refund wrong.mischief' })
    await refund.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Refund this job?' })
    await dialog.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await readBalance(service.database, id)).total).toBe(100 - record.metrics.chargedCredits)
    await refund.press('Enter')
    await dialog.getByLabel('Reason').press('Enter')
    await dialog.getByText('Say why').waitFor()
    await dialog.getByLabel('Reason').fill('pages were missing')
    await dialog.getByLabel('Reason').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, 'Jobs', 'wrong.mischief').getByText('1 refunded').waitFor()
    await page.getByText('100 to spend, 0 held').waitFor()
    expect(await refund.count()).toBe(0)
    const [entry] = await listEntries(service.database, id, 1)
    expect(entry).toMatchObject({ kind: 'refund', jobId: record.id, note: `pages were missing (by ${OPERATOR})` })
    await page.context().close()
  })
  test(
    'show their record, and come page by page',
    async () => {
      const { id, client } = await addAccount('Busy Ltd')
      const records = []
      for (let i = 0; i < 27; i++) records.push(await client.extract(`n${i}.mischief`, ok()))
      const page = await openAsOperator(`/admin/jobs?account=${id}`)
      await rowOf(page, 'Jobs', 'n26.mischief').waitFor()
      const rows = page.getByRole('region', { name: 'Jobs' }).getByRole('row')
      expect(await rows.count()).toBe(1 + 25)
      await page.getByRole('button', { name: 'More' }).click()
      await rowOf(page, 'Jobs', 'n0.mischief').waitFor()
      expect(await rows.count()).toBe(1 + 27)
      await page.getByRole('button', { name: 'Details of n3.mischief' }).click()
      const dialog = page.getByRole('dialog', { name: 'n3.mischief' })
      await dialog.getByText(records[3]?.id ?? '').waitFor()
      await dialog.getByText('1 credit charged.').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.context().close()
    },
    PATIENCE_MS,
  )
})

describe('every page', () => {
  let customer: Customer
  beforeAll(async () => {
    customer = await addAccount(`A name ${'without an end '.repeat(8)}`, {
      email: `${'long.'.repeat(12)}x@example.com`,
    })
    await customer.client.extract(`${'name_without_spaces'.repeat(8)}.mischief`, ok())
    await customer.client.extract('bad.mischief', JSON.stringify({ do: 'nothing' }))
  }, PATIENCE_MS)
  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', PHONE_WIDTH],
    ['dark', 360],
  ] as const)(
    'is for everyone, %s and %i pixels wide',
    async (theme, width) => {
      const page = await openAsOperator('/admin', { theme, width })
      for (const [path, sign] of [
        ['/admin', 'Workers'],
        ['/admin/accounts', 'Opened'],
        [`/admin/accounts/${customer.id}`, 'Details'],
        ['/admin/jobs', 'Details'],
      ] as const) {
        await page.goto(path)
        await page.getByText(sign).first().waitFor()
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
      await page.context().close()
    },
    PATIENCE_MS,
  )
})
