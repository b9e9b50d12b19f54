import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { convertOffice, OFFICE_TOOLS } from './libreoffice.ts'
import { listResidents, RESIDENTS_VARIABLE } from './residents.ts'

const root = mkdtempSync(join(tmpdir(), 'office-test-'))
const home = join(root, 'residents')
const scratch = join(root, 'scratch')
const output = join(scratch, 'out.docx')
const signal = new AbortController().signal

const SMALL = '{\\rtf1\\ansi Small but whole.\\par}'
/** Takes an office some seconds. */
const LARGE = `{\\rtf1\\ansi ${'\\trowd\\cellx2000\\cellx4000\\intbl one\\cell two\\cell\\row\n'.repeat(800)}\\pard end\\par}`

const convert = (content: string | Buffer, importFilter = 'Rich Text Format', abort: AbortSignal = signal) => {
  const input = join(root, 'source.bin')
  writeFileSync(input, content)
  const outputs = [{ path: output, filter: 'MS Word 2007 XML' }]
  return convertOffice({ input, importFilter, kind: 'text', outputs }, { signal: abort, scratch })
}
const isAlive = (pid: number) => {
  try {
    // One that is dead and only not yet waited for answers to signals too.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const areGone = async (pids: readonly number[]) => {
  for (let round = 0; round < 50 && pids.some(isAlive); round++) await sleep(20)
  return !pids.some(isAlive)
}

beforeEach(async () => {
  const { mkdirSync } = await import('node:fs')
  for (const folder of [home, scratch]) mkdirSync(folder, { recursive: true })
  process.env[RESIDENTS_VARIABLE] = home
})
afterEach(() => rmSync(scratch, { recursive: true, force: true }))
afterAll(() => {
  for (const pid of listResidents()) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

describe('an office that stays', () => {
  it('serves one job after the other, and one that dies is replaced', async () => {
    await convert(SMALL)
    const [script = 0, office = 0] = listResidents()
    await convert(SMALL)
    expect(listResidents()).toEqual([script, office])
    expect(readdirSync(home)).toHaveLength(1)

    process.kill(office, 'SIGKILL')
    await convert(SMALL)
    expect(listResidents()).toHaveLength(2)
    expect(listResidents()).not.toContain(office)
    expect(await areGone([script, office])).toBe(true)
    expect(readdirSync(home)).toHaveLength(1)
  })

  it('that is killed in the middle of its work gives way to one that does it again', async () => {
    await convert(SMALL)
    const before = listResidents()
    const work = convert(LARGE)
    await sleep(200)
    process.kill(before[1] ?? 0, 'SIGKILL')
    await work
    expect(readFileSync(output).subarray(0, 2).toString()).toBe('PK')
    expect(await areGone(before)).toBe(true)
  })

  it('ends with the job that is canceled', async () => {
    await convert(SMALL)
    const before = listResidents()
    const controller = new AbortController()
    const work = convert(LARGE, 'Rich Text Format', controller.signal)
    await sleep(200)
    controller.abort(new Error('canceled'))
    await expect(work).rejects.toThrow('canceled')
    expect(await areGone(before)).toBe(true)
    expect(listResidents()).toEqual([])
    expect(readdirSync(home)).toEqual([])
  })
})

describe('a conversion', () => {
  it('leaves nothing behind where nothing may stay', async () => {
    delete process.env[RESIDENTS_VARIABLE]
    const before = listResidents()
    await convert(SMALL)
    expect(listResidents()).toEqual(before)
    expect(readdirSync(scratch)).toEqual(['out.docx'])
  })

  it.each([
    ['of rubbish', Buffer.alloc(5_000, 7), 'MS Word 97'],
    ['of an archive that is none', 'PK\u0003\u0004 not a zip', 'MS Word 2007 XML'],
  ])('%s fails as unreadable', async (_, content, filter) => {
    await expect(convert(content, filter)).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })

  it('fetches nothing', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      await convert(`<html><body><img src="${url}/image.png"><p>text</p></body></html>`, 'HTML (StarWriter)')
      await convert(
        `{\\rtf1 {\\field{\\*\\fldinst INCLUDEPICTURE "${url}/picture.png" \\\\d}{\\fldrslt}}{\\field{\\*\\fldinst INCLUDETEXT "${url}/text.rtf"}{\\fldrslt}}\\par}`,
      )
      expect(asked).toEqual([])
    } finally {
      server.close()
    }
  })

  it('runs no macro, by its profile', async () => {
    await convert(SMALL)
    const [profile = ''] = readdirSync(home)
    const settings = readFileSync(join(home, profile, 'user/registrymodifications.xcu'), 'utf8')
    expect(settings).toMatch(/"DisableMacrosExecution" oor:op="fuse"><value>true</)
    expect(settings).toMatch(/"MacroSecurityLevel" oor:op="fuse"><value>3</)
  })
})

it('names the packages that it needs', () => {
  for (const tools of Object.values(OFFICE_TOOLS))
    expect(tools.map((tool) => tool.debianPackage)).toContain('python3-uno')
})
