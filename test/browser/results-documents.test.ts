import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { PROJECT } from '../support/paths.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'
import { addOwner, type Owner, waitForNumber } from './results-visit.ts'

const PATIENCE_MS = 120_000
let service: TestService
let browser: TestBrowser
let owner: Owner
beforeAll(async () => {
  service = await startTestService()
  browser = await openBrowser()
  owner = await addOwner(service)
}, PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const readGolden = (path: string): Buffer => readFileSync(join(PROJECT, 'src/formats', path))
const extract = async (name: string, content: string | Uint8Array, capabilities?: readonly string[]) => {
  const options = capabilities && { extraction: { selectedCapabilities: capabilities } }
  const job = await owner.client.extract(name, content, options)
  expect(job.error).toBeNull()
  return job
}
const openTab = (page: Page, name: RegExp): Promise<void> => page.getByRole('tab', { name }).click()

describe('a document', () => {
  test('is shown with its merged cells and its pictures', { timeout: PATIENCE_MS }, async () => {
    const { id } = await extract('tables.dotx', readGolden('word/golden/tables/tables.dotx'))
    const page = await owner.openJob(browser, id)
    const merged = page.getByRole('article').getByRole('columnheader', { name: 'Both' })
    expect(await merged.getAttribute('colspan')).toBe('2')
    await expectAccessible(page)
    await openTab(page, /^Text/)
    await page.getByText('Granite').first().waitFor()
    await openTab(page, /^Details/)
    await page.getByText('SHA-256').waitFor()
    await expectAccessible(page)
    await page.context().close()

    const drawings = await extract('drawings.docm', readGolden('word/golden/drawings/drawings.docm'), [
      'word.markdown',
      'word.images',
    ])
    const other = await owner.openJob(browser, drawings.id)
    const picture = other.getByRole('article').locator('img').first()
    await picture.scrollIntoViewIfNeeded()
    await waitForNumber(picture, 'naturalWidth', (width) => width > 0)
    await openTab(other, /^Images/)
    await other.getByRole('listitem').getByRole('button').first().click()
    const lightbox = other.getByRole('dialog')
    await lightbox.getByText(/^1 of /).waitFor()
    await expectAccessible(other)
    await other.keyboard.press('Escape')
    await lightbox.waitFor({ state: 'detached' })
    await other.context().close()
  })

  test('in another direction, with a long name, fits a phone', { timeout: PATIENCE_MS }, async () => {
    const zip = new ZipFile()
    const name = `${'long-name-'.repeat(18)}.txt`
    zip.addBuffer(Buffer.from('# שלום עולם\n\nזה **טקסט**.\n\n- [x] אחד\n'), 'תיקיה/מסמך.md')
    zip.addBuffer(Buffer.from('plain\n'), name)
    zip.addBuffer(Buffer.from('{"stones":[1,{"name":"slate"}]}'), 'data.json')
    zip.end()
    const chunks: Buffer[] = []
    for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
    const { id } = await extract('mixed.zip', Buffer.concat(chunks), ['archive.files', 'archive.listing'])
    const page = await owner.openJob(browser, id, { width: PHONE_WIDTH, theme: 'dark' })
    await page.getByRole('link', { name: /^(long-name-){5}/ }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await openTab(page, /^Document/)
    await page.getByRole('heading', { name: 'שלום עולם' }).waitFor()
    expect(await page.evaluate(`getComputedStyle(document.querySelector('article h2')).direction`)).toBe('rtl')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await expectNoSidewaysScroll(page)
    await openTab(page, /^Data/)
    await page.getByLabel('File', { exact: true }).selectOption('files/data.json')
    await page.getByText('stones').click()
    // Its branch is made when it opens: the root has one key as well.
    await page
      .locator('summary')
      .filter({ hasText: /^1: \{1\}$/ })
      .click()
    await page.getByText('"slate"').waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})

test('a table keeps its cells, and says how many rows there are', { timeout: PATIENCE_MS }, async () => {
  const rows = Array.from({ length: 450 }, (_, i) => `${i + 1},"Stone ${i + 1}, ""grey""","two\nlines"`)
  const { id } = await extract('stones.csv', `id,name,note\n${rows.join('\n')}\n`, ['data.tables', 'data.json'])
  const page = await owner.openJob(browser, id)
  const table = page.getByRole('table')
  await table.getByRole('cell', { name: 'Stone 1, "grey"' }).waitFor()
  expect(await table.getByRole('row').count()).toBe(201)
  await page.getByText('450 rows, 3 columns. The first 200 rows are shown.').waitFor()
  await expectAccessible(page)
  // The tabs are worked by the keyboard alone.
  await page.getByRole('tab', { name: /^Tables/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: /^Data/ }).and(page.locator('[aria-selected=true]')).waitFor()
  await page.context().close()
})
