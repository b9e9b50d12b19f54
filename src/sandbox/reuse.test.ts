import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { isRoot } from './isolation.ts'
import type { SandboxSettings } from './pool.ts'
import { ISOLATIONS, openTestSandbox, type TestSandbox } from './pool-fixture.ts'

describe.each(ISOLATIONS)('children with isolation %s', (isolation) => {
  let sandbox: TestSandbox
  const open = async (changes: Partial<SandboxSettings> = {}) => {
    sandbox = await openTestSandbox({ isolation, ...changes })
  }
  afterEach(() => sandbox.close())

  const remember = (owner: string) => sandbox.ask({ do: 'remember', text: owner }, { owner })
  const recall = async (owner: string) => (await sandbox.ask({ do: 'find-files' }, { owner })).memory
  const waitFor = async (isTrue: () => boolean) => {
    for (let round = 0; !isTrue() && round < 200; round++) await sleep(20)
    expect(isTrue()).toBe(true)
  }

  test('serve the same account again, and no other', async () => {
    await open()
    await remember('one')
    expect(await recall('one')).toBe('one')
    expect(await recall('two')).toBe(null)
    expect(await recall('one')).toBe('one')
  })

  test('are wiped between jobs', async () => {
    await open()
    await remember('one')
    // Only there is /tmp the child's own.
    const more = isolation === 'bubblewrap' ? { path: '/tmp/left-by-mischief' } : {}
    const { release } = await sandbox.act({ do: 'leave-files', ...more }, { owner: 'one' })
    await release()
    const found = await sandbox.ask({ do: 'find-files', ...more }, { owner: 'one' })
    expect(found).toMatchObject({ scratch: 'ENOENT', path: 'ENOENT', memory: 'one' })
  })

  test('serve a probe and then the job', async () => {
    await open()
    const text = '{"do":"ok","steps":7}'
    const request = {
      owner: 'one',
      extension: 'mischief',
      inputPath: sandbox.writeInput(text),
      name: 'a.mischief',
      bytes: 21,
      shared: {},
    }
    expect(await sandbox.pool.probe(request, new AbortController().signal)).toEqual({ pages: 7 })
    await waitFor(() => sandbox.pool.stats().idle === 1)
    const { release } = await sandbox.act({ do: 'ok' }, { owner: 'one' })
    await release()
    expect(sandbox.pool.stats()).toMatchObject({ idle: 1, restarts: 0 })
  })

  test('are not used again after a failure, a broken capability, or with a process left behind', async () => {
    await open()
    for (const spoil of [
      () => sandbox.fail({ do: 'fail:extract.source_unreadable' }, { owner: 'one' }),
      () => sandbox.act({ do: 'throw' }, { owner: 'one', capabilities: ['mischief.act', 'mischief.more'] }),
      () => sandbox.act({ do: 'grandchild' }, { owner: 'one' }),
      // Without isolation nothing tells whose such a process is.
      () => sandbox.act({ do: isolation === 'none' ? 'grandchild' : 'escaped-grandchild' }, { owner: 'one' }),
    ]) {
      await remember('one')
      const outcome = await spoil()
      if ('release' in outcome) await outcome.release()
      expect(await recall('one')).toBe(null)
    }
    await waitFor(() => sandbox.pool.stats().spares === 1)
    if (isRoot()) await waitFor(() => sandbox.countProcesses() === 2)
  })

  test('may keep a program running on purpose, with its files, and only that', async () => {
    await open()
    await remember('one')
    await sandbox.ask({ do: 'resident' }, { owner: 'one' })
    const found = await sandbox.ask({ do: 'find-residents' }, { owner: 'one' })
    expect(found).toEqual({ alive: 1, profile: 'kept' })
    expect(await recall('one')).toBe('one')
    expect(await sandbox.ask({ do: 'find-residents' }, { owner: 'two' })).toEqual({ alive: 0, profile: 'ENOENT' })
    const { release } = await sandbox.act({ do: 'grandchild' }, { owner: 'one' })
    await release()
    expect(await recall('one')).toBe(null)
    await waitFor(() => sandbox.pool.stats().spares === 1)
    const { idle, spares } = sandbox.pool.stats()
    if (isRoot()) await waitFor(() => sandbox.countProcesses() === idle + spares)
  })

  test('are wiped of what nobody lives in', async () => {
    await open()
    await remember('one')
    await sandbox.ask({ do: 'leave-in-residents-folder' }, { owner: 'one' })
    expect(await recall('one')).toBe('one')
    const listed = await sandbox.ask({ do: 'read-path', path: '/proc/self/environ' }, { owner: 'one' })
    const folder = /QUARRY_RESIDENTS_FOLDER=([^\0]+)/.exec(String(listed.text))?.[1]
    expect(await sandbox.ask({ do: 'read-path', path: `${folder}/left` }, { owner: 'one' })).toEqual({
      text: 'ENOENT',
    })
  })

  test('are wiped even of what is hard to remove', async () => {
    await open()
    for (const deed of ['deep-folders', 'closed-folder']) {
      const { release } = await sandbox.act({ do: deed })
      await release()
    }
    expect((await sandbox.fail({ do: 'deep-folders', seconds: 5 })).params).toMatchObject({ limit: 'output_files' })
    await waitFor(() => sandbox.pool.stats().spares === 1)
    expect(sandbox.listFolders()).toHaveLength(sandbox.pool.stats().spares + sandbox.pool.stats().idle)
  })

  test('are retired after their number of jobs', async () => {
    await open({ jobsPerChild: 2 })
    await remember('one')
    expect(await recall('one')).toBe('one')
    expect(await recall('one')).toBe(null)
    expect(sandbox.pool.stats().restarts).toBe(0)
  })

  test('are retired after a time without work', async () => {
    await open({ idleSeconds: 0.2 })
    await remember('one')
    expect(sandbox.pool.stats().idle).toBe(1)
    await waitFor(() => sandbox.pool.stats().idle === 0)
    expect(await recall('one')).toBe(null)
  })

  test('give way to another account, the one used longest ago first', async () => {
    await open({ maxChildren: 2 })
    await remember('one')
    await remember('two')
    await remember('three')
    expect(await recall('two')).toBe('two')
    expect(await recall('one')).toBe(null)
    expect(await recall('three')).toBe(null)
  })

  test('serve who waits in the order they came, never more than so many at once', async () => {
    await open({ maxChildren: 1 })
    const order: string[] = []
    let most = 0
    const jobs = ['one', 'two', 'one', 'three'].map(async (owner, index) => {
      const { release } = await sandbox.act({ do: 'slow', seconds: 0.05 }, { owner })
      order.push(`${owner} ${index}`)
      most = Math.max(most, sandbox.pool.stats().running)
      await release()
    })
    await Promise.all(jobs)
    expect(order).toEqual(['one 0', 'two 1', 'one 2', 'three 3'])
    expect(most).toBe(1)
  })

  test('are not kept from others by a request that went away while it waited', async () => {
    await open({ maxChildren: 1 })
    const first = await sandbox.act({ do: 'ok' }, { owner: 'one' })
    const controller = new AbortController()
    const second = sandbox
      .act({ do: 'ok' }, { owner: 'two', signal: controller.signal })
      .catch((error: unknown) => error)
    const third = sandbox.act({ do: 'ok' }, { owner: 'three' })
    controller.abort(new Error('canceled'))
    expect(await second).toMatchObject({ message: 'canceled' })
    await first.release()
    await (await third).release()
  })

  test('leave nothing behind when the sandbox is closed in the middle of work', async () => {
    await open({ maxChildren: 3, spares: 2 })
    await remember('one')
    const held = await sandbox.act({ do: 'ok' }, { owner: 'two' })
    const outcome = sandbox.act({ do: 'hang' }, { owner: 'three' }).catch((error: unknown) => error)
    await waitFor(() => sandbox.pool.stats().running === 2)
    await sandbox.pool.close()
    expect(await outcome).toMatchObject({ message: 'the sandbox is closed' })
    await held.release()
    expect(sandbox.listFolders()).toEqual([])
    if (isRoot()) expect(sandbox.countProcesses()).toBe(0)
    await expect(sandbox.act({ do: 'ok' })).rejects.toThrow('the sandbox is closed')
  })
})
