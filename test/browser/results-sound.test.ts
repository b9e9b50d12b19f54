import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { expectAccessible, expectNoSidewaysScroll, openBrowser, PHONE_WIDTH, type TestBrowser } from './browser.ts'
import { addOwner, type Owner, waitForNumber } from './results-visit.ts'

const PATIENCE_MS = 240_000
const SPOKEN =
  'Good morning everyone. Today we talk about the results of the quarter and the plans for next year. ' +
  'We decided to open the new office in spring. Bob will ask the city.'
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

const speak = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'spoken-'))
  try {
    execFileSync('espeak-ng', ['-w', join(folder, 'talk.wav'), SPOKEN])
    return readFileSync(join(folder, 'talk.wav'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a meeting is heard and read along', { timeout: PATIENCE_MS }, async () => {
  const { client } = owner
  const answer = await client.submit('talk.wav', speak(), {
    extraction: {
      selectedCapabilities: ['audio.convert', 'audio.waveform', 'media.transcript'],
      capabilityOptions: { 'media.transcript': { 'transcription.mode': 'meeting-intelligence' } },
    },
  })
  expect(answer.body).toMatchObject({ status: 'Queued' })
  const { error } = await client.waitForEnd(answer.body.id, PATIENCE_MS)
  expect(error).toBeNull()

  const page = await owner.openJob(browser, answer.body.id)
  await page.getByRole('heading', { name: 'Action items' }).waitFor()
  await page.getByText('Bob', { exact: true }).waitFor()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByText('Good morning everyone', { exact: false }).waitFor()
  const audio = page.locator('audio')
  await waitForNumber(audio, 'duration', (seconds) => seconds > 5)
  const bar = page.getByRole('slider', { name: 'Place in the sound' })
  await bar.focus()
  await page.keyboard.press('ArrowRight')
  await waitForNumber(audio, 'currentTime', (seconds) => seconds > 4.5)
  const current = page.locator('[aria-current="true"][data-cue]')
  await current.waitFor()
  expect(Number(await current.getAttribute('data-cue'))).toBeGreaterThan(0)
  await page.locator('[data-cue="0"]').click()
  await waitForNumber(audio, 'currentTime', (seconds) => seconds < 4.5)
  await expectAccessible(page)
  await page.context().close()

  const phone = await owner.openJob(browser, answer.body.id, { width: PHONE_WIDTH, theme: 'dark' })
  await phone.getByRole('tab', { name: 'Transcript' }).click()
  await phone.getByText('Good morning everyone', { exact: false }).waitFor()
  await expectNoSidewaysScroll(phone)
  await expectAccessible(phone)
  await phone.context().close()
})
