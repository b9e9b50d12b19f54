import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGES } from '../../web/build/guides.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'

const PATIENCE_MS = 240_000
/** The pages of all kinds; of the formats those that differ most. */
const PATHS = [...new Set(Object.values(PAGES)), '/docs/formats/mp4', '/docs/formats/png']
/** One of each kind of page; the colours of all come from the same tokens. */
const KINDS = ['/docs', '/docs/prices', '/docs/formats', '/docs/formats/mp4', '/docs/errors', '/docs/plans']

let service: TestService
let browser: TestBrowser
let client: TestClient

beforeAll(async () => {
  service = await startTestService({ QUARRY_FORMATS: '' }, 'api')
  // The same plan as a guest's: the limits of both are the same.
  client = createClient(service.base, (await service.account({ plan: 'free' })).key)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** Goes to a page of the documentation, and waits until nothing is on its way any more. */
const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
  await page.locator('main .spinner').first().waitFor({ state: 'detached' })
}

const collectErrors = (page: Page): string[] => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  return errors
}

describe('the pages', () => {
  test('open without an error, accessible, and link to nothing that is not there', {
    timeout: PATIENCE_MS,
  }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs' })
    const errors = collectErrors(page)
    const links = new Map<string, string>()
    for (const path of PATHS) {
      await open(page, path)
      await expectAccessible(page)
      const found = (await page.evaluate(
        '[...document.querySelectorAll("main a[href]")].map((link) => link.href)',
      )) as string[]
      for (const href of found) if (href.startsWith(service.base)) links.set(href, path)
    }
    const format = /\/docs\/formats\/[^/]+$/
    const others = [...links].filter(([href]) => !format.test(href))
    expect(others.length).toBeGreaterThan(20)
    const pages = Map.groupBy(
      others.map(([href, from]) => ({ url: new URL(href), from })).filter(({ url }) => url.pathname !== '/docs/api'),
      ({ url }) => url.pathname,
    )
    for (const [pathname, targets] of pages) {
      const from = targets.map((target) => target.from).join(', ')
      await open(page, pathname)
      expect(await page.locator('h1').first().textContent(), `${from} links to ${pathname}`).not.toBe('No such page')
      for (const { url } of targets.filter(({ url: { hash } }) => hash !== '')) {
        const target = page.locator(`[id="${decodeURIComponent(url.hash.slice(1))}"]`)
        await target.waitFor({ state: 'attached' }).catch(() => expect.fail(`${from} links to ${url.href}`))
      }
    }
    // Every extension of the list has a page; the service is asked, for there are hundreds.
    const formats = [...links.keys()].filter((href) => format.test(href))
    expect(formats.length).toBeGreaterThan(100)
    for (const href of formats) {
      const extension = href.split('/').at(-1) ?? ''
      expect((await fetch(`${service.base}/web/options/${extension}`)).status, extension).toBe(200)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('dark and narrow', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs', theme: 'dark', width: PHONE_WIDTH })
    for (const path of PATHS) {
      await open(page, path)
      await expectNoSidewaysScroll(page)
      if (KINDS.includes(path)) await expectAccessible(page)
    }
    await open(page, '/docs')
    const contents = page.getByRole('button', { name: 'Contents' })
    await contents.click()
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(await contents.getAttribute('aria-expanded')).toBe('false')
    await page.context().close()
  })

  test('examples speak of this site, can be copied, and keep the language', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs' })
    await page.getByRole('tab', { name: 'Python' }).click()
    const panel = page.getByRole('tabpanel')
    expect(await panel.textContent()).toContain(service.base)
    await panel.getByRole('button', { name: 'Copy' }).click()
    await panel.getByText('Copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain(`"${service.base}" + path`)
    await open(page, '/docs/sending-files')
    expect(await page.getByRole('tab', { name: 'Python' }).first().getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Tab')
    await page.getByRole('tab', { name: 'Python' }).first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('tab', { name: 'TypeScript client' }).first().getAttribute('aria-selected')).toBe(
      'true',
    )
    await page.context().close()
  })

  test('words are found in guides, formats, codes and settings', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs/webhooks' })
    const field = page.getByRole('searchbox', { name: 'Search the docs' })
    const answers = page.getByRole('main').getByRole('list').last().getByRole('link')
    await field.fill('idempotency key')
    await field.press('Enter')
    await page.waitForURL('**/docs/search?q=idempotency+key')
    await answers.first().waitFor()
    await expectAccessible(page)
    for (const [typed, answer, url] of [
      ['pptx', 'Formats: pptx', '/docs/formats/pptx'],
      ['source_encrypted', 'Errors: extract.source_encrypted', '/docs/errors#extract.source_encrypted'],
      ['quarry_sign_up', 'Settings: QUARRY_SIGN_UP', '/docs/settings#QUARRY_SIGN_UP'],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('link', { name: answer, exact: true }).click()
      await page.waitForURL(`**${url}`)
      await page.locator('main h1').first().waitFor()
      // Back to the answers, as they were.
      await page.goBack()
      await waitFor('what was typed', async () => (await field.inputValue()) === typed)
    }
    await field.fill('no such word anywhere')
    await page.getByText('Nothing has all of these words.').waitFor()
    expect(await answers.count()).toBe(0)
    await page.context().close()

    const phone = await browser.newPage(service.base, { path: '/docs', theme: 'dark', width: PHONE_WIDTH })
    await phone.getByRole('searchbox').fill('subtitles')
    await phone.keyboard.press('Enter')
    const found = phone.getByRole('link', { name: /^Transcripts/ }).first()
    await expectNoSidewaysScroll(phone)
    await expectAccessible(phone)
    await found.click()
    await phone.getByRole('heading', { level: 1, name: 'Transcripts' }).waitFor()
    await phone.context().close()
  })

  test('formats are found by extension, family, output and type', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs/formats' })
    const status = page.getByRole('status')
    await status.getByText(/extensions/).waitFor()
    await page.getByLabel('Find a format').fill('pptx')
    await status.getByText('1 extension', { exact: true }).waitFor()
    await page.getByLabel('Find a format').fill('subtitles')
    await page.getByRole('heading', { name: 'video' }).waitFor()
    await page.getByLabel('Find a format').fill('image/png')
    await page.getByRole('link', { name: 'png', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: '.png' }).waitFor()
    const { body } = await client.get<{ capabilities: { id: string; options: { id: string }[] }[] }>(
      '/extract/options/png',
    )
    for (const { id, options } of body.capabilities) {
      const card = page.getByRole('region', { name: id, exact: true })
      for (const option of options) await card.getByText(option.id, { exact: true }).first().waitFor()
    }
    await open(page, '/docs/formats/no-such-thing')
    await page.getByRole('alert').waitFor()
    await page.context().close()
  })

  test('the tables are those of the service', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs/errors' })
    const reference = (await (await fetch(`${service.base}/web/reference`)).json()) as {
      errors: { code: string }[]
      failures: { code: string }[]
      settings: { setting: string }[]
    }
    await page.locator('main .spinner').first().waitFor({ state: 'detached' })
    for (const { code } of [...reference.errors, ...reference.failures]) {
      await page.locator(`[id="${code}"]`).waitFor({ state: 'attached' })
    }
    await open(page, '/docs/settings')
    for (const { setting } of reference.settings) await page.locator(`[id="${setting}"]`).waitFor()
    await page.getByLabel('Find a setting').fill('QUARRY_S3')
    await waitFor('fewer rows', async () => (await page.locator('tbody tr').count()) < reference.settings.length)
    await page.context().close()
  })
})

describe('the calculator', () => {
  const price = async (page: Page, credits: number): Promise<void> => {
    await page.locator(`[data-credits="${credits}"]`).waitFor()
  }
  const estimate = async (extension: string, json: object): Promise<number> => {
    const { body, status } = await client.call<{ quotedCredits: number }>('POST', `/extract/estimate/${extension}`, {
      json,
    })
    expect(status).toBe(200)
    return body.quotedCredits
  }

  test('says what the API says', { timeout: PATIENCE_MS }, async () => {
    const page = await browser.newPage(service.base, { path: '/docs/prices?format=pptx' })
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await field('Size, MB').fill('12')
    await field('Slides').fill('48')
    await price(page, await estimate('pptx', { fileSizeMb: 12, slideCount: 48 }))
    await page.getByText('Base: 10 credits for 48 slides').waitFor()

    await field('Format').fill('pdf')
    await field('Pages').fill('101')
    await field('Size, MB').fill('3')
    await price(page, await estimate('pdf', { fileSizeMb: 3, pageCount: 101 }))
    await field('Add-on: ocr').selectOption('pdf.ocr ')
    const ocr = { extraction: { selectedCapabilities: ['pdf.text', 'pdf.ocr'] } }
    await price(page, await estimate('pdf', { fileSizeMb: 3, pageCount: 101, options: ocr }))
    await field('Add-on: ocr').selectOption('pdf.text always')
    const always = { extraction: { capabilityOptions: { 'pdf.text': { ocr: 'always' } } } }
    await price(page, await estimate('pdf', { fileSizeMb: 3, pageCount: 101, options: always }))

    await field('Format').fill('.MP4')
    await field('Duration, minutes').fill('9.5')
    await field('Size, MB').fill('49')
    await price(page, await estimate('mp4', { fileSizeMb: 49, durationMinutes: 9.5 }))
    await field('Add-on: media.transcript').selectOption('media.transcript quality')
    const transcript = {
      extraction: {
        selectedCapabilities: ['media.transcript'],
        capabilityOptions: { 'media.transcript': { 'transcription.mode': 'quality' } },
      },
    }
    await price(page, await estimate('mp4', { fileSizeMb: 49, durationMinutes: 9.5, options: transcript }))
    await field('What for').selectOption('transcribe')
    await field('Mode').selectOption('meeting-intelligence')
    const alone = { workflow: 'transcribe', mode: 'meeting-intelligence' }
    await price(page, await estimate('mp4', { fileSizeMb: 49, durationMinutes: 9.5, ...alone }))

    await field('Format').fill('png')
    await field('Frames').fill('31')
    const unread = { extraction: { selectedCapabilities: ['image.metadata'] } }
    await price(page, await estimate('png', { fileSizeMb: 10, frameCount: 31, options: unread }))

    await field('Format').fill('csv')
    await field('Size, MB').fill('0')
    await page.getByRole('region', { name: 'Price' }).getByRole('alert').waitFor()
    await field('Size, MB').fill('26')
    await price(page, await estimate('csv', { fileSizeMb: 26 }))
    await field('Format').fill('nonsense')
    await page.getByText('No format has this extension.').waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})
