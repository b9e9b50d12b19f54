import axe from 'axe-core'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

/** A real browser for one test file. */
export type TestBrowser = {
  /** A page in a context of its own: no cookies or storage of any other. */
  newPage(base: string, options?: PageOptions): Promise<Page>
  /** Fails if any page threw, broke the content security policy or asked another host for anything. */
  close(): Promise<void>
}
type PageOptions = {
  path?: string
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  context?: BrowserContextOptions
}

const PATIENCE_MS = 30_000
/** Narrow as a phone. */
export const PHONE_WIDTH = 390

export const openBrowser = async (): Promise<TestBrowser> => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Root may not use the browser's own sandbox; every page it opens is ours.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const problems: string[] = []
  return {
    newPage: async (base, { path = '/', width = 1280, height = 900, theme = 'light', context = {} } = {}) => {
      const opened = await browser.newContext({
        baseURL: base,
        viewport: { width, height },
        colorScheme: theme,
        acceptDownloads: true,
        ...context,
      })
      opened.setDefaultTimeout(PATIENCE_MS)
      await opened.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base })
      const page = await opened.newPage()
      watch(page, base, problems)
      opened.on('page', (other) => watch(other, base, problems))
      await page.goto(path)
      return page
    },
    close: async () => {
      await browser.close()
      expect(problems).toEqual([])
    },
  }
}

const watch = (page: Page, base: string, problems: string[]): void => {
  page.on('pageerror', (error) => problems.push(`${page.url()} threw: ${error.message}`))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && /^(https?|wss?):/.test(url)) problems.push(`${page.url()} asked for ${url}`)
  })
}

type AxeFinding = { id: string; impact?: string | null; nodes: { html: string; failureSummary?: string }[] }

/** Fails on what axe holds for serious or critical. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(axe.source)
  const findings = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as AxeFinding[]
  const grave = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  expect(told, `axe on ${page.url()}`).toEqual([])
}

/** Fails when the page is wider than its window. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const [content, window] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  expect(content, `width of ${page.url()}`).toBeLessThanOrEqual(window)
}
