import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Jobs } from '../../src/http/web/contract.ts'
import { nameBrowser } from '../../web/src/account/browser-name.ts'
import { joinJobs } from '../../web/src/account/join-jobs.ts'
import { takeNextPath } from '../../web/src/session/next-path.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { PASSWORD, sendCredentials, signIn } from './account-visitor.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'

const EMAIL = 'session@example.com'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('in the browser', () => {
  let service: TestService
  let browser: TestBrowser
  let page: Page
  beforeAll(async () => {
    service = await startTestService()
    browser = await openBrowser()
    page = await browser.newPage(service.base, { path: '/sign-up' })
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const focused = (of: Page) => of.evaluate('document.activeElement.name')

  test('what is wrong is said at its field, and the first has the focus', async () => {
    await page.getByText('10 to 200 characters').waitFor()
    await page.getByLabel('E-mail').press('Enter')
    await page.getByText('Enter your e-mail address.').waitFor()
    await page.getByText('Choose a password.').waitFor()
    expect(await focused(page)).toBe('email')
    await sendCredentials(page, EMAIL, 'too short')
    await page.getByText('Use at least 10 characters.').waitFor()
    expect(await focused(page)).toBe('password')
    await expectAccessible(page)
  })

  test('the password can be shown', async () => {
    const password = page.getByRole('textbox', { name: 'Password' })
    expect(await password.getAttribute('type')).toBe('password')
    await page.getByLabel('Show the password').check()
    expect(await password.getAttribute('type')).toBe('text')
    expect(await password.getAttribute('autocomplete')).toBe('new-password')
  })

  test('signing up leads back to where the visitor came from', async () => {
    await page.goto('/account/usage?days=7')
    await page.waitForURL('**/sign-in?next=*')
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
    await sendCredentials(page, EMAIL)
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    expect(new URL(page.url()).search).toBe('?days=7')
  })

  test('an address that is taken is told as one that may be', async () => {
    const other = await browser.newPage(service.base, { path: '/sign-up', width: PHONE_WIDTH, theme: 'dark' })
    await sendCredentials(other, EMAIL, 'another password altogether')
    await other.getByText('An account may already exist for this address').waitFor()
    await expectNoSidewaysScroll(other)
    await expectAccessible(other)
    await other.getByRole('link', { name: 'sign in with its password' }).click()
    await sendCredentials(other, EMAIL, 'wrong wrong wrong')
    await other.getByText('The e-mail address or the password is not right.').waitFor()
    await expectNoSidewaysScroll(other)
    await expectAccessible(other)
    await other.context().close()
  })

  test('a session ends elsewhere, by itself and with all others, and by a new password', async () => {
    const open = async () => {
      const other = await browser.newPage(service.base, { context: { userAgent: FIREFOX } })
      await signIn(other, EMAIL)
      return other
    }
    await page.goto('/account/settings')
    const first = await open()
    await page.reload()
    await page.getByRole('button', { name: 'End Firefox on Windows' }).click()
    await page.getByRole('button', { name: 'End the session' }).click()
    await page.getByRole('button', { name: 'End Firefox on Windows' }).waitFor({ state: 'detached' })
    await first.getByRole('link', { name: 'Credits', exact: true }).click()
    await first.waitForURL('**/sign-in?next=%2Faccount%2Fcredits')

    const [second, third] = [await open(), await open()]
    await page.reload()
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('button', { name: 'End the others' }).click()
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    for (const other of [second, third]) {
      await other.reload()
      await other.waitForURL('**/sign-in')
    }

    await signIn(second, EMAIL)
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill('another password altogether')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    expect(await focused(page)).toBe('currentPassword')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The password is changed').waitFor()
    await second.reload()
    await second.waitForURL('**/sign-in')
    await sendCredentials(second, EMAIL, PASSWORD)
    await second.getByText('The e-mail address or the password is not right.').waitFor()
    await signIn(second, EMAIL, 'another password altogether')
    for (const other of [first, second, third]) await other.context().close()
  }, 180_000)

  test('signing out leaves the account', async () => {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${service.base}/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.goto('/account')
    await page.waitForURL('**/sign-in')
  })

  test('too many tries are told, with how long to wait', async () => {
    await page.evaluate(`Promise.all(Array.from({ length: 10 }, () => fetch('/web/sign-in', {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guessed@example.com', password: 'a guess' }) })))`)
    await sendCredentials(page, 'guessed@example.com', 'one more guess')
    await page.getByText(/Too many tries. Try again in \d+ seconds/).waitFor()
  })

  test('a service that opens no accounts says so', async () => {
    const closed = await service.start('api', { QUARRY_SIGN_UP: 'closed' })
    const other = await browser.newPage(closed.base, { path: '/sign-up' })
    await other.getByText('New accounts are opened by the operator of this service').waitFor()
    expect(await other.getByLabel('Password').count()).toBe(0)
    await expectAccessible(other)
    await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await other.getByText('Accounts of this service are opened by its operator').waitFor()
    await other.context().close()
  })
})

describe('in words', () => {
  test.each([
    ['?next=/account/keys', '/account/keys'],
    ['?next=%2Fjobs%2F1%3Fa%3Db', '/jobs/1?a=b'],
    ['', '/account'],
    ['?next=https://example.org', '/account'],
    ['?next=//example.org', '/account'],
    ['?next=/%5Cexample.org', '/account'],
    ['?next=/%09/example.org', '/account'],
    ['?next=javascript:alert(1)', '/account'],
    ['?next=/sign-in', '/account'],
  ])('the way back of %s is %s', (search, path) => {
    expect(takeNextPath(search)).toBe(path)
  })

  test.each([
    [FIREFOX, 'Firefox on Windows'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.14.1', 'curl'],
    ['', 'Unknown browser'],
  ])('%s is %s', (userAgent, name) => {
    expect(nameBrowser(userAgent)).toBe(name)
  })

  test('a list that is asked for anew keeps what was shown below it', () => {
    const list = (ids: string, nextCursor: string | null) =>
      ({ jobs: [...ids].map((id) => ({ id })), nextCursor }) as unknown as Jobs
    // What is older than the page that was asked for stays.
    expect(joinJobs(list('ed', 'd'), list('dcba', 'a'))).toEqual(list('edcba', 'a'))
    // All that there is was asked for, and "c" is no more.
    expect(joinJobs(list('edba', null), list('dcba', null))).toEqual(list('edba', null))
    expect(joinJobs(list('', null), list('ba', null))).toEqual(list('', null))
  })
})
