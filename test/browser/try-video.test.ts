import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, openBrowser, type TestBrowser } from './browser.ts'
import { choose, fileOf, type Pick, readJob, sendButton, waitForResult, watchPosts } from './try-visit.ts'

const SECONDS = 8

let service: TestService
let browser: TestBrowser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-try-'))
  service = await startTestService()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A moving picture with a tone, as any player takes it. */
const makeRecording = async (name: string, codecs: readonly string[]): Promise<Pick> => {
  const path = join(folder, name)
  const sources = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=10:d=${SECONDS}`, '-f', 'lavfi', '-i', `sine=d=${SECONDS}`]
  await promisify(execFile)('ffmpeg', ['-y', '-loglevel', 'error', ...sources, ...codecs, path])
  return fileOf(name, await readFile(path))
}

test('a video is measured by the browser, sent once, and watched to its end', async () => {
  const file = await makeRecording('clip.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'])
  const page = await browser.newPage(service.base)
  const posts = watchPosts(page)
  await choose(page, file)
  await page.getByText(/^MP4 video · .* · 0:08$/).waitFor()
  await sendButton(page).waitFor()
  expect(await page.getByRole('region', { name: 'Price' }).textContent()).toContain('Total1 credit')
  expect(new Set(posts)).toEqual(new Set(['/web/estimate/mp4']))

  for (const name of ['Audio', 'Subtitles']) await page.getByLabel(name, { exact: true }).uncheck()
  await page.getByText('Options of Frames').click()
  await page.getByLabel('Frame mode').selectOption('evenly-spaced')
  await page.getByLabel('Max extracted frames').fill('4')
  await expectAccessible(page)
  await sendButton(page).click()
  await page.waitForURL('**/jobs/*')
  await page
    .getByRole('progressbar')
    .or(page.getByRole('link', { name: /^Download/ }))
    .first()
    .waitFor()
  await waitForResult(page)
  const { status, metrics, output } = await readJob(page)
  expect({ status, credits: metrics.chargedCredits }).toEqual({ status: 'succeeded', credits: 1 })
  expect(metrics.durationSeconds).toBeCloseTo(SECONDS, 0)
  expect(output?.files.filter(({ path }) => /^frames\/(?!.*sheet).*\.(?:jpe?g|png)$/.test(path))).toHaveLength(4)
  expect(posts).not.toContain('/web/measure')
  await page.context().close()
})

test('a recording that the browser cannot play is measured by the service', async () => {
  const file = await makeRecording('old.avi', ['-c:v', 'mpeg4', '-c:a', 'mp2'])
  const page = await browser.newPage(service.base)
  await choose(page, file)
  await page.getByText('How long it is could not be told in the browser').waitFor()
  await page.getByRole('button', { name: 'Measure it' }).click()
  await page.getByText(/^AVI video · .* · 0:08$/).waitFor()
  await sendButton(page).waitFor()
  await page.getByText('need not be sent again until').waitFor()
  await page.context().close()
})

test('a transcript alone has its own form and its own price', async () => {
  const file = await makeRecording('tone.mp3', ['-map', '1:a', '-c:a', 'libmp3lame'])
  const page = await browser.newPage(service.base)
  await choose(page, file)
  await page.getByText(/^MP3 audio · .* · 0:08$/).waitFor()
  const choice = page.getByRole('radio', { name: /^Transcript only/ })
  // Without a speech model nothing of it can be had, and the page says so.
  if (await choice.isDisabled()) {
    expect(await page.getByText('Not available: no speech engine is set up here.').count()).toBeGreaterThan(0)
    return
  }
  await choice.check()
  await page.getByRole('button', { name: 'Transcribe for 2 credits' }).waitFor()
  await page.getByRole('radio', { name: /^Quality/ }).check()
  await page.getByRole('button', { name: 'Transcribe for 5 credits' }).waitFor()
  await page.getByText('The same as an API call').click()
  expect(await page.locator('pre').textContent()).toContain(`${service.base}/extract/transcribe`)
  await expectAccessible(page)
  await page.context().close()
})
