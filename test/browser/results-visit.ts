import type { Locator, Page } from 'playwright-core'
import { addUser } from '../../src/accounts/users.ts'
import type { Submitted } from '../../src/http/web/contract.ts'
import { createClient, type TestClient } from '../support/client.ts'
import type { TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import type { TestBrowser } from './browser.ts'

const PASSWORD = 'a long enough password'
const EMAIL = 'olga@example.org'

type Window = { width?: number; theme?: 'light' | 'dark' }
/** Somebody with an account: sends files with a key, and looks at the jobs signed in. */
export type Owner = { client: TestClient; openJob(browser: TestBrowser, id: string, window?: Window): Promise<Page> }

export const addOwner = async (service: TestService): Promise<Owner> => {
  const { base, database } = service
  const { id, key } = await service.account()
  await addUser(database, { accountId: id, email: EMAIL, name: 'Olga', password: PASSWORD })
  const answer = await fetch(`${base}/web/sign-in`, {
    method: 'POST',
    headers: { origin: base, 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const [name, value] = (answer.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? []
  if (!name || !value) throw new Error(`not signed in: ${answer.status} ${await answer.text()}`)
  const cookie = { name, value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false }
  const storageState = { cookies: [{ ...cookie, sameSite: 'Lax' as const }], origins: [] }
  return {
    client: createClient(base, key),
    openJob: (browser, jobId, window = {}) =>
      browser.newPage(base, { path: `/jobs/${jobId}`, ...window, context: { storageState } }),
  }
}

/** Sends a file as a guest does from the page. */
export const submitAsGuest = async (
  base: string,
  name: string,
  content: string,
): Promise<{ id: string; proof: string }> => {
  const body = createClient(base, null).form(name, content)
  const answer = await fetch(`${base}/web/jobs`, { method: 'POST', headers: { origin: base }, body })
  const { job, proof } = (await answer.json()) as Submitted
  if (answer.status !== 202 || !proof) throw new Error(`not accepted: ${answer.status}`)
  return { id: job.id, proof }
}

/** What a browser has stored that made these jobs as a guest. */
export const guestState = (base: string, proofs: Readonly<Record<string, string>>) => ({
  cookies: [],
  origins: [{ origin: base, localStorage: [{ name: 'quarry.proofs', value: JSON.stringify(proofs) }] }],
})

/** A property of an element, as the browser has it now. */
export const readProperty = (locator: Locator, name: string): Promise<unknown> =>
  locator.evaluate((element, key) => (element as unknown as Record<string, unknown>)[key], name)

/** Waits until a number that an element has is as wanted. */
export const waitForNumber = async (
  locator: Locator,
  name: string,
  isWanted: (value: number) => boolean,
): Promise<void> => {
  await waitFor(`${name} to be as wanted`, async () => {
    const value = await readProperty(locator, name)
    return typeof value === 'number' && isWanted(value)
  })
}
