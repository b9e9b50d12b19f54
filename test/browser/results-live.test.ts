import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, slow } from '../jobs/deeds.ts'
import { PROJECT } from '../support/paths.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'
import { addOwner, guestState, type Owner, submitAsGuest } from './results-visit.ts'

const PATIENCE_MS = 120_000
let service: TestService
let browser: TestBrowser
let owner: Owner
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_JOBS: '1' })
  browser = await openBrowser()
  owner = await addOwner(service)
}, PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const submit = async (name: string, content: string | Uint8Array): Promise<string> => {
  const { status, body } = await owner.client.submit(name, content)
  expect(status).toBe(202)
  return body.id
}
const readGolden = (path: string): Buffer => readFileSync(join(PROJECT, 'src/formats', path))

describe('a job as it goes', () => {
  test('waits, runs and ends on the page, and the percent never goes back', { timeout: PATIENCE_MS }, async () => {
    const before = await submit('before.mischief', slow(600, 600))
    const id = await submit('slow.mischief', slow(6, 12))
    const page = await owner.openJob(browser, id)
    await page.getByText('Next in the queue').waitFor()
    await owner.client.call('POST', `/extract/job/${before}/cancel`)
    const bar = page.getByRole('progressbar')
    await page.getByText('Running', { exact: true }).waitFor()
    const seen = new Set<number>()
    while (await bar.isVisible()) {
      const percent = await bar.getAttribute('aria-valuenow', { timeout: 1000 }).catch(() => null)
      if (percent !== null) seen.add(Number(percent))
    }
    expect(seen.size).toBeGreaterThan(1)
    expect([...seen]).toEqual([...seen].sort((a, b) => a - b))
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText('1 credit charged.').waitFor()
    await page.context().close()
  })

  test('is followed by asking where no events come through', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('slow.mischief', slow(3))
    const page = await owner.openJob(browser, '0'.repeat(32))
    await page.getByText('No such job.').waitFor()
    await page.route(/\/events/, (route) => route.abort())
    await page.goto(`/jobs/${id}`)
    await page.getByText('Done', { exact: true }).waitFor({ timeout: PATIENCE_MS })
    await page.context().close()
  })

  test('is canceled after a question, and nothing is charged', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('slow.mischief', slow(600, 600))
    const page = await owner.openJob(browser, id)
    await page.getByText('Running', { exact: true }).waitFor()
    await expectAccessible(page)
    const cancel = page.getByRole('button', { name: 'Cancel the job' })
    await cancel.click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await cancel.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click()
    await page.getByText('Canceled', { exact: true }).waitFor()
    await page.getByText('Nothing was charged').waitFor()
    expect((await owner.client.waitForEnd(id)).status).toBe('canceled')
    await page.context().close()
  })
})

describe('a job that has ended', () => {
  test('explains why it failed', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('secret.pdf', readGolden('pdf/golden/encrypted-without-password/secret.pdf'))
    await owner.client.waitForEnd(id)
    const page = await owner.openJob(browser, id, { width: PHONE_WIDTH, theme: 'dark' })
    await page.getByText('The file is protected with a password.', { exact: true }).waitFor()
    await page.getByText('What the service said').click()
    await page.getByText('extract.source_encrypted').waitFor()
    await page.getByText('Nothing was charged').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.context().close()
  })

  test('tells what was asked for and not found', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('warn.mischief', JSON.stringify({ do: 'warn' }))
    await owner.client.waitForEnd(id)
    const page = await owner.openJob(browser, id)
    await page.getByText('Some of it is missing.').waitFor()
    await page.getByText('mischief.partial').waitFor()
    await page.context().close()
  })

  test('stays downloadable where the look into it cannot be loaded', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('ok.mischief', ok())
    await owner.client.waitForEnd(id)
    const page = await owner.openJob(browser, '0'.repeat(32))
    await page.getByText('No such job.').waitFor()
    await page.route(/\/assets\/result-view[^/]*\.js/, (route) => route.abort())
    await page.goto(`/jobs/${id}`)
    await page.getByText('It can still be downloaded.').waitFor()
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor()
    await page.context().close()
  })

  test('is deleted for good after a question', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('ok.mischief', ok())
    await owner.client.waitForEnd(id)
    const page = await owner.openJob(browser, id)
    await page.getByRole('button', { name: 'Delete now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete now' }).click()
    await page.getByText('The job and all its files were deleted.').waitFor()
    expect((await owner.client.get(`/extract/job/${id}`)).status).toBe(404)
    await page.reload()
    await page.getByText('No such job.').waitFor()
    await page.context().close()
  })

  test('says when its files are no longer kept', { timeout: PATIENCE_MS }, async () => {
    const id = await submit('ok.mischief', ok())
    await owner.client.waitForEnd(id)
    await service.database.query(`update jobs set expires_at = now() - interval '1 minute' where id = $1`, [id])
    const page = await owner.openJob(browser, id)
    await page.getByText('The files were deleted at the end of the time').waitFor()
    expect(await page.getByRole('link', { name: 'Download ZIP' }).count()).toBe(0)
    await page.context().close()
  })
})

test('a guest sees a job in the browser that made it, and nobody else does', { timeout: PATIENCE_MS }, async () => {
  const { id, proof } = await submitAsGuest(service.base, 'mine.mischief', ok('for my eyes\n'))
  const storageState = guestState(service.base, { [id]: proof })
  const page = await browser.newPage(service.base, { path: `/jobs/${id}`, context: { storageState } })
  await page.getByText('for my eyes').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download ZIP' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('mine.zip')
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await page.context().close()

  const other = await browser.newPage(service.base, { path: `/jobs/${id}` })
  await other.getByText('This job can be seen by the account it belongs to').waitFor()
  const signIn = other.getByRole('main').getByRole('link', { name: 'Sign in' })
  expect(await signIn.getAttribute('href')).toBe(`/sign-in?next=${encodeURIComponent(`/jobs/${id}`)}`)
  expect(await other.getByText('for my eyes').count()).toBe(0)
  await expectAccessible(other)
  await other.context().close()

  const member = await owner.openJob(browser, id)
  await member.getByText('This job belongs to another account.').waitFor()
  await member.context().close()
})
