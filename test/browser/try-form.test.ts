import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'
import {
  choose,
  fileOf,
  goldenFile,
  type Pick,
  readJob,
  readResult,
  sendButton,
  waitForResult,
  watchPosts,
} from './try-visit.ts'

let service: TestService
let browser: TestBrowser
let pdf: Pick

beforeAll(async () => {
  service = await startTestService()
  browser = await openBrowser()
  pdf = await goldenFile('pdf/golden/headers-footers-drop/annual.pdf', 'annual.pdf')
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

describe('a guest with a PDF', () => {
  let page: Page
  let posts: string[]
  beforeAll(async () => {
    page = await browser.newPage(service.base)
    posts = watchPosts(page)
  })

  test('knows what may be done before anything is chosen', async () => {
    await page.getByText('20 of 20 credits left today, anew at').waitFor()
    await page.getByText('Files up to 50 MB, recordings up to 10 minutes').waitFor()
    await page.getByText('You are here as a guest').waitFor()
    await expectAccessible(page)
  })
  test('sees the pages and the price, and nothing was sent', async () => {
    await choose(page, pdf)
    await page.getByText(/^PDF document · .* · \d+ pages$/).waitFor()
    await sendButton(page).waitFor()
    expect(await page.getByRole('region', { name: 'Price' }).textContent()).toMatch(/Extraction, .*Total1 credit/)
    expect(new Set(posts)).toEqual(new Set(['/web/estimate/pdf']))
    await expectAccessible(page)
  })
  test('is told about a wrong value at the field, and has no price for it', async () => {
    await page.getByText('Options for the whole file').click()
    const pages = page.getByLabel('Pages', { exact: true }).and(page.getByRole('textbox'))
    await pages.fill('one to three')
    await page.getByText('Must be written as described.').waitFor()
    expect(await pages.getAttribute('aria-invalid')).toBe('true')
    await sendButton(page).waitFor({ state: 'detached' })
    await pages.fill('1')
    await sendButton(page).waitFor()
  })
  test('chooses, and sees the same as a call of the API', async () => {
    for (const name of ['Markdown', 'Tables', 'Images', 'Metadata'])
      await page.getByLabel(name, { exact: true }).uncheck()
    await page.getByText('Options of Text').click()
    await page.getByLabel('Page breaks').selectOption('line')
    await page.getByText('The same as an API call').click()
    const command = (await page.locator('pre').textContent()) ?? ''
    expect(command).toContain(`curl '${service.base}/extract'`)
    expect(command).toContain('$QUARRY_KEY')
    const options = JSON.parse(/options=(.*)'$/s.exec(command)?.[1] ?? '')
    expect(options).toEqual({
      extraction: {
        selectedCapabilities: ['pdf.text'],
        capabilityOptions: { 'pdf.text': { pages: '1', pageBreaks: 'line' } },
      },
    })
  })
  test('sends it, and the job does what was chosen', async () => {
    await sendButton(page).click()
    await waitForResult(page)
    const job = await readJob(page)
    expect(job).toMatchObject({ status: 'succeeded', fileName: 'annual', metrics: { chargedCredits: 1 } })
    const manifest = JSON.parse(await readResult(page, 'manifest.json')) as { options: unknown }
    expect(JSON.stringify(manifest.options)).toContain('"pageBreaks":"line"')
    expect(job.output?.files.map(({ path }) => path).sort()).toEqual(['manifest.json', 'text/annual.txt'])
    expect(posts.filter((path) => path === '/web/jobs')).toHaveLength(1)
    expect(posts).not.toContain('/web/measure')
  })
  test('reloads, and the result is still there', async () => {
    await page.reload()
    await waitForResult(page)
  })
  test('goes back to what was chosen, and has a credit less', async () => {
    const fresh = await browser.newPage(service.base)
    await fresh.getByText('19 of 20 credits left today').waitFor()
    await choose(fresh, fileOf('notes.deck', 'one | first\ntwo\n'))
    await fresh.getByLabel('Text', { exact: true }).uncheck()
    await fresh.getByLabel('Images', { exact: true }).check()
    await fresh.getByRole('button', { name: 'Measure it' }).click()
    await sendButton(fresh).click()
    await waitForResult(fresh)
    await fresh.goBack()
    await fresh.getByRole('heading', { name: 'notes.deck' }).waitFor()
    expect(await fresh.getByLabel('Images', { exact: true }).isChecked()).toBe(true)
    expect(await fresh.getByLabel('Text', { exact: true }).isChecked()).toBe(false)
    await fresh.getByRole('button', { name: 'Another file' }).click()
    await fresh.getByText('Choose a file').waitFor()
    await fresh.context().close()
  })
})

describe('a format whose parts depend on each other', () => {
  test('says so at once, and one press mends it', async () => {
    const page = await browser.newPage(service.base)
    const posts = watchPosts(page)
    await choose(page, fileOf('talk.deck', 'one | first\ntwo | second\nthree\n'))
    await page.getByText('How many slides it has could not be told in the browser').waitFor()
    expect(posts).not.toContain('/web/measure')
    await page.getByRole('button', { name: 'Measure it' }).click()
    await sendButton(page).waitFor()
    await page.getByText(/^DECK presentation · \d+ B · 3 slides$/).waitFor()

    await page.getByLabel('Notes', { exact: true }).check()
    await sendButton(page).waitFor()
    await page.getByLabel('Text', { exact: true }).uncheck()
    await page.getByText('Notes are numbered by the titles').waitFor()
    await sendButton(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add Text' }).click()
    await sendButton(page).waitFor()

    await page.getByLabel('Images', { exact: true }).check()
    await page.getByText('Options of Images').click()
    await page.getByLabel('Layout').selectOption('handout')
    await page.getByText('A handout already has the notes on it.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove Notes' }).click()
    await sendButton(page).click()
    await waitForResult(page)
    const { output } = await readJob(page)
    expect(output?.files.map(({ path }) => path)).toContain('images/handout.svg')
    // Measured once, and never sent again.
    expect(posts.filter((path) => !path.startsWith('/web/estimate'))).toEqual(['/web/measure', '/web/jobs/measured'])
    await page.context().close()
  })
})

describe('on a phone, in the dark', () => {
  test.each([
    ['a name of 200 characters', `${'long-'.repeat(39)}l.pdf`],
    ['a name from right to left', 'דוח שנתי (סופי) של החברה.pdf'],
  ])('%s fits', async (_, name) => {
    const page = await browser.newPage(service.base, { width: PHONE_WIDTH, theme: 'dark' })
    await choose(page, { ...pdf, name })
    await sendButton(page).waitFor()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByText('Options for the whole file').click()
    await page.getByText('The same as an API call').click()
    await expectNoSidewaysScroll(page)
    if (name.startsWith('long')) await expectAccessible(page)
    await page.context().close()
  })
})

test('with the keyboard alone', async () => {
  const page = await browser.newPage(service.base)
  await page.getByText('credits left today').waitFor()
  const focused = () =>
    page.evaluate(
      '(({ activeElement: one }) => (one.labels?.[0] ?? one).textContent.trim() + " " + (one.type ?? one.tagName))(document)',
    ) as Promise<string>
  const tabTo = async (what: RegExp) => {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab')
      if (what.test(await focused())) return
    }
    throw new Error(`${what} was not reached`)
  }
  // Asked for in time: a chooser that opens before the browser was told to hand it over is never heard of.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(/^Choose a file.* file$/s)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(pdf)
  await sendButton(page).waitFor()
  await tabTo(/^Markdown checkbox$/)
  await page.keyboard.press('Space')
  expect(await page.getByLabel('Markdown', { exact: true }).isChecked()).toBe(false)
  await tabTo(/^Extract for 1 credit button$/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/jobs/*')
  await page.context().close()
})
