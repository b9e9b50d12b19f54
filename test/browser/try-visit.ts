import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { JobRecord } from '../../src/jobs/records.ts'
import { PROJECT } from '../support/paths.ts'

/** A file as a browser hands it to a page. */
export type Pick = { name: string; mimeType: string; buffer: Buffer }

export const fileOf = (name: string, content: string | Buffer): Pick => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

/** A source of a golden case under another name. */
export const goldenFile = async (path: string, name: string): Promise<Pick> =>
  fileOf(name, await readFile(join(PROJECT, 'src/formats', path)))

/** Chooses a file as the picker would. */
export const choose = (page: Page, file: Pick): Promise<void> => page.locator('input[type=file]').setInputFiles(file)

export const sendButton = (page: Page) =>
  page.getByRole('button', { name: /^(?:Extract|Transcribe) for \d+ credits?$/ })

/** Paths of what the page has posted so far. */
export const watchPosts = (page: Page): string[] => {
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
  })
  return posts
}

/** The address of a part of the job that the page shows, with the proof that this browser keeps. */
const addressOf = async (page: Page, part = ''): Promise<string> => {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const proofs = (await page.evaluate('localStorage.getItem("quarry.proofs")')) as string
  const proof = (JSON.parse(proofs) as Record<string, string>)[id] ?? ''
  return `${new URL(page.url()).origin}/web/jobs/${id}${part}?proof=${encodeURIComponent(proof)}`
}

export const readJob = async (page: Page): Promise<JobRecord> =>
  (await (await fetch(await addressOf(page))).json()) as JobRecord

/** A file of the result. */
export const readResult = async (page: Page, path: string): Promise<string> =>
  await (await fetch(await addressOf(page, `/files/${path}`))).text()

/** Waits until the page says that its job has come to a good end. */
export const waitForResult = async (page: Page): Promise<void> => {
  await page.waitForURL('**/jobs/*')
  await page
    .getByRole('link', { name: /^Download/ })
    .first()
    .waitFor({ timeout: 120_000 })
}
