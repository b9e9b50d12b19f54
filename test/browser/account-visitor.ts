import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { grantCredits } from '../../src/accounts/ledger.ts'
import type { TestService } from '../support/service.ts'

export const PASSWORD = 'four words to remember'

/** Fills in the form of the page that is open, and sends it with Enter. */
export const sendCredentials = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
}

/** Signs a new visitor up; ends on the overview of their account. */
export const signUp = async (page: Page, email: string): Promise<void> => {
  await page.goto('/sign-up')
  await sendCredentials(page, email)
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
}

export const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.goto('/sign-in')
  await sendCredentials(page, email, password)
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
}

/** Gives the account of a user the Pro plan and credits to spend. */
export const makePro = async ({ database }: TestService, email: string, credits: number): Promise<string> => {
  const [row] = await database.query<{ id: string }>(
    `update accounts set plan = 'pro' where id = (select account_id from users where email = $1) returning id`,
    [email],
  )
  if (!row) throw new Error(`no account of ${email}`)
  await grantCredits(database, { accountId: row.id, bucket: 'wallet', credits, note: 'for the test' })
  return row.id
}

/** Makes a key on the keys page and gives it back; the window that shows it stays open. */
export const makeKey = async (page: Page, name: string, cidr = ''): Promise<string> => {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Only from this address').fill(cidr)
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByText('Copy it now').waitFor()
  return (await dialog.getByText(/^fast_prod_/).textContent()) ?? ''
}

const run = promisify(execFile)

/** Calls the service with curl, as a reader of the page would. */
export const curl = async (...args: string[]): Promise<{ status: number; body: Record<string, unknown> }> => {
  const { stdout } = await run('curl', ['-sS', '-w', '\n%{http_code}', ...args])
  const cut = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(cut + 1)), body: JSON.parse(stdout.slice(0, cut)) as Record<string, unknown> }
}

/** Runs a line of the page in a shell. */
export const runLine = async (line: string, folder: string): Promise<Record<string, unknown>> =>
  JSON.parse((await run('sh', ['-c', line.replace(/^curl /, 'curl -sS ')], { cwd: folder })).stdout) as Record<
    string,
    unknown
  >
