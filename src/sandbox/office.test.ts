import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { isRoot } from './isolation.ts'
import type { Extraction } from './pool.ts'
import { ISOLATIONS, openTestSandbox, type TestSandbox } from './pool-fixture.ts'

const LETTER = '{\\rtf1\\ansi A letter.\\par}'
/** Takes an office some seconds. */
const LONG = `{\\rtf1\\ansi ${'\\trowd\\cellx2000\\cellx4000\\intbl one\\cell two\\cell\\row\n'.repeat(2_000)}\\pard end\\par}`

describe.each(ISOLATIONS)('an office with isolation %s', { timeout: 240_000 }, (isolation) => {
  let sandbox: TestSandbox
  const open = async () => {
    const limits = { memoryBytes: 1_500 * 1_048_576, wallSeconds: 200, cpuSeconds: 30, stallSeconds: 60 }
    sandbox = await openTestSandbox({ isolation, limits })
  }
  afterEach(() => sandbox.close())

  const extract = (text: string, owner: string, signal = new AbortController().signal): Promise<Extraction> => {
    const inputPath = sandbox.writeInput(text, 'rtf')
    const capabilities = [{ id: 'word.text', values: { password: '', headersFooters: 'drop', tableLayout: 'grid' } }]
    const request = { owner, extension: 'rtf', inputPath, name: 'a.rtf', bytes: text.length, capabilities }
    return sandbox.pool.extract(request, {}, signal)
  }
  const waitFor = async (isTrue: () => boolean, rounds = 250) => {
    for (let round = 0; !isTrue() && round < rounds; round++) await sleep(20)
    expect(isTrue()).toBe(true)
  }

  test('stays for the account that it was started for, and ends with the sandbox', async () => {
    await open()
    for (const account of ['one', 'one', 'two']) await (await extract(LETTER, account)).release()
    // Each account has its child, with an office and the script that speaks to it; a spare has neither.
    await waitFor(() => sandbox.pool.stats().spares === 1)
    expect(sandbox.pool.stats()).toMatchObject({ idle: 2, restarts: 0 })
    if (isRoot()) expect(sandbox.countProcesses()).toBe(2 * 3 + 1)
    await sandbox.pool.close()
    if (isRoot()) expect(sandbox.countProcesses()).toBe(0)
    expect(sandbox.listFolders()).toEqual([])
  })

  test('ends with a job that is canceled', async () => {
    await open()
    await (await extract(LETTER, 'one')).release()
    const controller = new AbortController()
    const work = extract(LONG, 'one', controller.signal)
    await sleep(300)
    controller.abort(new Error('canceled'))
    await expect(work).rejects.toThrow('canceled')
    await waitFor(() => sandbox.pool.stats().spares === 1)
    if (isRoot()) expect(sandbox.countProcesses()).toBe(1)
    await (await extract(LETTER, 'one')).release()
  })
})
