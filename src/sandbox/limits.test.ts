import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRoot } from './isolation.ts'
import { ISOLATIONS, openTestSandbox, type TestSandbox } from './pool-fixture.ts'

const MEBIBYTE = 1_048_576

describe.each(ISOLATIONS)('limits with isolation %s', (isolation) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openTestSandbox({ isolation, spares: 2 })
  })
  afterAll(() => sandbox.close())

  const expectFailure = async (
    deed: Record<string, unknown>,
    code: string,
    params: Record<string, unknown>,
    limits: Parameters<TestSandbox['fail']>[1] = {},
  ) => {
    const failure = await sandbox.fail(deed, limits)
    expect({ code: failure.code, params: failure.params }).toEqual({ code, params })
    return failure
  }
  const memory = { limit: 'memory', allowed: 160 * MEBIBYTE }
  const outputBytes = { limit: 'output_bytes', allowed: 8 * MEBIBYTE }
  const outputFiles = { limit: 'output_files', allowed: 200 }

  test.each([
    ['JavaScript objects', { do: 'eat-heap' }],
    ['buffers', { do: 'eat-memory' }],
    ['one huge buffer', { do: 'eat-memory-at-once', megabytes: 3_000 }],
    ['the buffers of a grandchild', { do: 'eat-memory-in-grandchild' }],
  ])('memory: %s', async (_what, deed) => {
    await expectFailure(deed, 'extract.limit_exceeded', memory)
  })

  test.each([
    ['one artifact', { do: 'fill-disk' }, outputBytes],
    ['one work file', { do: 'fill-one-file' }, outputBytes],
    ['many work files', { do: 'fill-scratch' }, outputBytes],
    ['too many artifacts', { do: 'many-files' }, outputFiles],
    ['too many work files', { do: 'many-scratch-files' }, outputFiles],
  ])('output: %s', async (_what, deed, params) => {
    await expectFailure(deed, 'extract.limit_exceeded', params)
  })

  test('a job may have as many files as the limit says', async () => {
    const { artifacts, release } = await sandbox.act({ do: 'many-files', files: 200 })
    expect(new Set(artifacts.map(({ path }) => path)).size).toBe(200)
    await release()
  })

  test('CPU time of a busy job that tells of progress', async () => {
    const limits = { cpuSeconds: 0.5 }
    await expectFailure({ do: 'spin' }, 'extract.limit_exceeded', { limit: 'cpu', allowed: 0.5 }, { limits })
  })

  test('wall time, of a job that is alive', async () => {
    const limits = { wallSeconds: 0.4 }
    const deed = { do: 'slow', seconds: 10, steps: 100 }
    await expectFailure(deed, 'extract.timed_out', { limit: 'wall_seconds', allowed: 0.4 }, { limits })
  })

  test.each(['stall', 'hang'])('no sign of progress: %s', async (deed) => {
    const limits = { stallSeconds: 0.4 }
    await expectFailure({ do: deed }, 'extract.timed_out', { limit: 'stall_seconds', allowed: 0.4 }, { limits })
  })

  test('a job that tells of progress is not stalled', async () => {
    const limits = { stallSeconds: 0.4 }
    const { release } = await sandbox.act({ do: 'slow', seconds: 1, steps: 10 }, { limits })
    await release()
  })

  test.each([
    ['exit', { do: 'exit', steps: 3 }, { exitCode: 3 }],
    ['exit as if all were well', { do: 'exit' }, { exitCode: 0 }],
    ['abort', { do: 'crash' }, { signal: 'SIGABRT' }],
    ['exception', { do: 'throw' }, {}],
    ['exception outside the job', { do: 'throw-later' }, {}],
    ['garbage in the protocol', { do: 'say', text: 'garbage\n' }, {}],
    ['a message of another kind', { do: 'say', text: '{"type":"ready"}\n' }, {}],
    ['a line without end', { do: 'say', text: 'x'.repeat(70_000) }, {}],
    ['more messages than a job can need', { do: 'flood' }, {}],
    [
      'an artifact that is not there',
      {
        do: 'say',
        text: '{"type":"artifact","file":"9","path":"a","mediaType":"a/b","capabilityId":"mischief.act","provenance":{}}\n',
      },
      {},
    ],
    ['an artifact that is a link', { do: 'symlink-out', path: '/etc/hostname' }, {}],
    ['a work file that is a link', { do: 'symlink-artifact', path: '/etc/hostname' }, {}],
  ])('engine failure: %s', async (_what, deed, params) => {
    const failure = await expectFailure(deed, 'extract.engine_failed', params)
    expect(failure.cause).toBeInstanceOf(Error)
    // What the client reads names no file of ours.
    expect(failure.detail).toBe('An extraction engine failed on this file.')
  })

  test('a failure that the format reports passes through', async () => {
    await expectFailure({ do: 'fail:extract.source_encrypted' }, 'extract.source_encrypted', {})
  })

  test('a probe has limits too', async () => {
    const request = {
      owner: 'account',
      extension: 'mischief',
      inputPath: sandbox.writeInput('{"do":"hang","inProbe":true}'),
      name: 'test.mischief',
      bytes: 10,
      shared: {},
      limits: { stallSeconds: 0.4 },
    }
    const failure = await sandbox.pool.probe(request, new AbortController().signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'extract.timed_out', params: { limit: 'stall_seconds' } })
  })

  test.each([
    ['busy', { do: 'hang' }],
    ['waiting', { do: 'stall' }],
    ['with a grandchild', { do: 'grandchild', seconds: 100 }],
    [
      'with a grandchild that left the group',
      { do: isolation === 'none' ? 'grandchild' : 'escaped-grandchild', seconds: 100 },
    ],
  ])('an abort ends a job that is %s within a second, and all it started', async (_what, deed) => {
    const controller = new AbortController()
    const reason = new Error('canceled')
    const outcome = sandbox.act(deed, { signal: controller.signal }).catch((error: unknown) => error)
    await sleep(deed.do === 'escaped-grandchild' ? 800 : 400)
    const startMs = performance.now()
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    expect(performance.now() - startMs).toBeLessThan(1_000)
  })

  test('what is left at the end are the spares', async () => {
    for (let round = 0; sandbox.pool.stats().spares < 2 && round < 100; round++) await sleep(50)
    const { running, waiting, idle, restarts } = sandbox.pool.stats()
    expect({ running, waiting, idle }).toEqual({ running: 0, waiting: 0, idle: 0 })
    expect(restarts).toBeGreaterThan(25)
    expect(sandbox.listFolders()).toHaveLength(2)
    if (isRoot()) expect(sandbox.countProcesses()).toBe(2)
  })
})
