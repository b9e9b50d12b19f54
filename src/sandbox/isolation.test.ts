import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeIsolation, isRoot } from './isolation.ts'
import { ISOLATIONS, openTestSandbox, type TestSandbox } from './pool-fixture.ts'
import { makeProcessFolder } from './process-folder.ts'

describe.each(ISOLATIONS)('isolation %s', (isolation) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openTestSandbox({ isolation })
  })
  afterAll(() => sandbox.close())

  test('is what it says, and says what it lacks', () => {
    expect(sandbox.pool.isolation).toBe(isolation)
    if (isolation === 'bubblewrap') expect(sandbox.pool.problem).toBeUndefined()
    else expect(sandbox.pool.problem).toMatch(/^Extraction runs as/)
  })

  test('leaves no privilege, no environment and no way around the limits', async () => {
    const who = await sandbox.ask({ do: 'who' })
    const status = String(who.status)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    if (isRoot()) {
      const { unprivilegedUid } = sandbox.settings
      expect(who.uid).toBeGreaterThanOrEqual(unprivilegedUid)
      expect(who.uid).toBeLessThan(unprivilegedUid + 10)
      expect(who.gid).toBe(who.uid)
      expect(who.groups).toEqual([who.gid])
      for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
        expect(status).toMatch(new RegExp(`^Cap${set}:\\s+0+$`, 'm'))
    }
    const allowed = ['HOME', 'LANG', 'NODE_COMPILE_CACHE', 'PATH', 'PWD', 'QUARRY_RESIDENTS_FOLDER', 'TMPDIR', 'TZ']
    expect(Object.keys(who.environment as object).filter((name) => !allowed.includes(name))).toEqual([])
    const limits = String(who.limits)
    expect(limits).toMatch(/^Max core file size\s+0\s+0/m)
    expect(limits).toMatch(/^Max file size\s+8388608\s+8388608/m)
    expect(limits).toMatch(/^Max open files\s+256\s+256/m)
    expect(limits).toMatch(/^Max cpu time\s+35\s+35/m)
  })

  test('lets nothing be written but its own folder', async () => {
    const canary = join(dirname(sandbox.folder), 'canary')
    writeFileSync(canary, 'untouched', { mode: 0o666 })
    if (isolation !== 'none') {
      for (const path of [
        '/written',
        '/usr/written',
        '/etc/written',
        '/dev/written',
        '/dev/shm',
        '/proc/written',
        canary,
      ]) {
        const { written } = await sandbox.ask({ do: 'write-path', path })
        expect(['EACCES', 'ENOENT', 'EROFS', 'EPERM', 'EISDIR'], path).toContain(written)
      }
      const { written } = await sandbox.ask({ do: 'write-source' })
      expect(['EACCES', 'EROFS']).toContain(written)
    }
    expect(readFileSync(canary, 'utf8')).toBe('untouched')
  })

  test('hides the files of the service', async () => {
    const canary = join(dirname(sandbox.folder), 'secret')
    writeFileSync(canary, 'secret', { mode: 0o600 })
    if (isolation === 'none') return
    for (const path of [canary, '/etc/shadow', `/proc/${process.pid}/environ`]) {
      const { text } = await sandbox.ask({ do: 'read-path', path })
      expect(['EACCES', 'ENOENT', 'EPERM'], path).toContain(text)
    }
  })

  test('hides other children', async () => {
    const other = await sandbox.act({ do: 'ok' }, { owner: 'other' })
    const file = other.artifacts[0]?.file ?? ''
    if (isolation !== 'none') {
      for (const path of [file, join(dirname(file), '../in/source.mischief'), join(dirname(file), '../out/scratch')]) {
        const { text } = await sandbox.ask({ do: 'read-path', path })
        expect(['EACCES', 'ENOENT'], path).toContain(text)
      }
    }
    await other.release()
  })

  const hasOwnSystem = isolation === 'bubblewrap'
  if (hasOwnSystem)
    test('has no network and a file system of its own', async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const { port } = server.address() as AddressInfo
      const { connected } = await sandbox.ask({ do: 'connect', port })
      server.close()
      expect(connected).toBe('ECONNREFUSED')
      const who = await sandbox.ask({ do: 'who' })
      expect([...String(who.interfaces).matchAll(/^\s*(\w+):/gm)].map((match) => match[1])).toEqual(['lo'])
      // Its own count of processes: it sees itself near the start of it.
      expect(Number(who.pids)).toBeLessThan(10)
      for (const path of ['/root', '/home', '/etc/hostname', '/var/lib', '/sys', sandbox.folder]) {
        const { text } = await sandbox.ask({ do: 'read-path', path: join(path, 'anything') })
        expect(['ENOENT', 'ENOTDIR'], path).toContain(text)
      }
    })

  test('ends with the service, however that ends', async () => {
    const { settings } = sandbox
    const script = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, 'pool.ts'))}
      const settings = JSON.parse(process.argv[1])
      const pool = await openSandbox(settings)
      const text = process.argv[2]
      void pool.extract({ owner: 'a', extension: 'mischief', inputPath: text, name: 'a.mischief', bytes: 10,
        capabilities: [{ id: 'mischief.act', values: {} }] }, {}, new AbortController().signal)
      const timer = setInterval(() => { if (pool.stats().running > 0) { clearInterval(timer); setTimeout(() => console.log('busy'), 300) } }, 20)
      setInterval(() => {}, 1e6)
    `
    const uid = settings.unprivilegedUid + 20
    const folder = join(dirname(sandbox.folder), 'victim')
    const own = JSON.stringify({ ...settings, folder, unprivilegedUid: uid, unprivilegedGid: uid })
    const input = sandbox.writeInput('{"do":"hang"}')
    const service = spawn(process.execPath, ['--input-type=module', '-e', script, own, input], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => service.stdout.once('data', resolve))
    const before = sandbox.countProcesses()
    const startMs = performance.now()
    const exit = new Promise((resolve) => service.once('exit', resolve))
    service.kill('SIGKILL')
    await exit
    const isGone = () =>
      !isRoot() || sandbox.countProcesses() <= sandbox.pool.stats().spares + sandbox.pool.stats().idle
    while (!isGone() && performance.now() - startMs < 1_000) await sleep(10)
    expect(isGone()).toBe(true)
    if (isRoot()) expect(before).toBeGreaterThan(sandbox.countProcesses())

    // What it left lying is removed by the next one that uses the folder.
    const next = await openTestSandbox({ isolation, folder })
    expect(next.listFolders().length).toBeLessThanOrEqual(1)
    await next.close()
  })
})

test('doctor is told what is wrong', async () => {
  const sandbox = await openTestSandbox()
  const asked = { ...sandbox.settings, isolation: 'user' as const, unprivilegedUid: -5 }
  expect(await describeIsolation(sandbox.settings)).toMatchObject({ lines: [`isolation: ${sandbox.pool.isolation}`] })
  const { ok, lines } = await describeIsolation(asked)
  expect(ok).toBe(false)
  expect(lines[0]).toBe('No isolation for extraction works here (user).')
  await sandbox.close()
})

describe('a trial', () => {
  test('needs no folder that is there already, and leaves nothing in it', async () => {
    const sandbox = await openTestSandbox()
    const folder = join(sandbox.folder, 'never', 'used')
    const { ok } = await describeIsolation({ ...sandbox.settings, folder })
    expect(ok).toBe(sandbox.pool.problem === undefined)
    expect(readdirSync(folder)).toEqual([])
    await sandbox.close()
  })

  test('whose process was killed is cleared away by the next', async () => {
    const sandbox = await openTestSandbox()
    const folder = join(sandbox.folder, 'killed')
    const { warn: _, ...settings } = { ...sandbox.settings, folder }
    const script = `
      const { describeIsolation } = await import(${JSON.stringify(new URL('isolation.ts', import.meta.url).href)})
      const until = Date.now() + 30_000
      while (Date.now() < until) await describeIsolation(${JSON.stringify(settings)})`
    const tried = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    const ended = once(tried, 'exit')
    const list = () => (existsSync(folder) ? readdirSync(folder) : [])
    // Stopped in the middle of one, and never to go on.
    for (let isInside = false; !isInside; ) {
      tried.kill('SIGCONT')
      while (list().length === 0) await sleep(2)
      tried.kill('SIGSTOP')
      isInside = list().length > 0
    }
    tried.kill('SIGKILL')
    await ended
    await makeProcessFolder(folder, 0o711)
    expect(list()).toHaveLength(1)
    await sandbox.close()
  })
})
