import './own-formats.ts'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, type JobRecord } from '../../packages/client/src/index.ts'
import { ok } from '../jobs/deeds.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { startCuttingProxy, startGateway } from './gateway.ts'

const MB = 1_048_576
let service: TestService
let account: TestAccount
let client: Client
let folder: string
beforeAll(async () => {
  service = await startTestService({ QUARRY_WORKER_POOLS: 'document' })
  account = await service.account()
  client = clientOf(service.base)
  folder = await mkdtemp(join(tmpdir(), 'quarry-client-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
const clientOf = (base: string, more: { maxRetries?: number; timeoutMs?: number } = {}) =>
  createClient({ baseUrl: `${base}/extract`, apiKey: account.key, ...more })
const countJobs = async (): Promise<number> => {
  const rows = await service.database.query<{ n: number }>(
    'select count(*)::int as n from jobs where account_id = $1',
    [account.id],
  )
  return rows[0]?.n ?? -1
}

describe('uploads', () => {
  const FILE_MB = 300
  // What Node needs for itself is some 60 to 100 MB; a file held in memory would be 300 more.
  const MOST_MB = 230
  test.each(['path', 'stream'])(
    `a file of ${FILE_MB} MB is not in memory: %s`,
    async (how) => {
      const path = join(folder, 'large.zip')
      await writeFile(path, '')
      await truncate(path, FILE_MB * MB)
      const child = spawn(process.execPath, [fileURLToPath(new URL('send-file.ts', import.meta.url)), path, how], {
        env: { ...process.env, QUARRY_BASE: service.base, QUARRY_KEY: account.key },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, err] = await Promise.all([readText(child.stdout), readText(child.stderr)])
      expect(out, err).toMatch(/^\{/)
      const { id, peakMb, sentBytes } = JSON.parse(out) as { id: string; peakMb: number; sentBytes: number }
      expect(sentBytes).toBeGreaterThan(FILE_MB * MB)
      expect(peakMb).toBeLessThan(MOST_MB)
      const { metrics } = await client.jobs.get(id)
      expect(metrics.inputBytes).toBe(FILE_MB * MB)
    },
    300_000,
  )

  test('an answer that is lost is asked for again, and makes one job', async () => {
    const before = await countJobs()
    const gateway = await startGateway(service.base, (_, count) => (count === 1 ? 'lose-answer' : 'pass'))
    const submission = await clientOf(gateway.base).extract(new File([ok()], 'once.mischief'))
    const keys = gateway.seen.map(({ headers }) => headers['idempotency-key'])
    await gateway.close()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(await countJobs()).toBe(before + 1)
    expect((await client.jobs.wait(submission)).status).toBe('succeeded')
  })
  test('two calls are two jobs', async () => {
    const send = () => client.extract(new File([ok()], 'twice.mischief'))
    expect((await send()).id).not.toBe((await send()).id)
  })
  test('what can be read only once is sent only once', async () => {
    const before = await countJobs()
    const gateway = await startGateway(service.base, () => 'lose-answer')
    const own = clientOf(gateway.base)
    const content = ok()
    const sending = own.extract({ name: 'a.mischief', size: content.length, stream: new Blob([content]).stream() })
    await expect(sending).rejects.toMatchObject({ code: 'client.connection_failed' })
    expect(gateway.seen).toHaveLength(1)
    await gateway.close()
    expect(await countJobs()).toBe(before + 1)
  })
  test('a signal ends an upload in the middle, and leaves no job', async () => {
    const before = await countJobs()
    const stop = new AbortController()
    const reason = new Error('enough')
    const stream = async function* () {
      for (;;) yield new Uint8Array(65_536)
    }
    const onProgress = ({ sentBytes }: { sentBytes: number }) => {
      if (sentBytes > MB) stop.abort(reason)
    }
    const file = { name: 'endless.zip', size: 500 * MB, stream }
    await expect(client.extract(file, { signal: stop.signal, onProgress })).rejects.toBe(reason)
    await expect(client.extract(file, { signal: stop.signal })).rejects.toBe(reason)
    expect(await countJobs()).toBe(before)
    await waitFor('the upload to be forgotten', async () => {
      const incoming = await readdir(join(service.dataFolder, 'incoming')).catch(() => [])
      return incoming.length === 0
    })
  })
  test('a source that fails is told as it is, and not tried again', async () => {
    const broken = new Error('the disk is gone')
    let opened = 0
    const stream = async function* () {
      opened += 1
      yield new Uint8Array(10)
      throw broken
    }
    await expect(client.extract({ name: 'a.zip', size: 1000, stream })).rejects.toBe(broken)
    expect(opened).toBe(1)
  })
  test('a source that says nothing is given up', async () => {
    const own = clientOf(service.base, { timeoutMs: 700, maxRetries: 0 })
    const stream = async function* () {
      yield new Uint8Array(10)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      yield new Uint8Array(990)
    }
    await expect(own.extract({ name: 'a.zip', size: 1000, stream })).rejects.toMatchObject({ code: 'client.timed_out' })
  })
})

describe('downloads', () => {
  let job: JobRecord
  beforeAll(async () => {
    // Text that does not pack to less than some six megabytes.
    const content = ok(randomBytes(6 * MB).toString('base64'))
    job = await client.jobs.wait(await client.extract(new File([content], 'large.mischief')))
    expect(job.output?.bytes).toBeGreaterThan(5 * MB)
  }, 120_000)
  const listParts = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'))

  test('a connection that breaks again and again is resumed where it broke', async () => {
    const proxy = await startCuttingProxy(service.base, 2 * MB)
    const path = join(folder, 'resumed.zip')
    const progress: number[] = []
    const saved = await clientOf(proxy.base).jobs.download(job, path, {
      onProgress: ({ receivedBytes, totalBytes }) => {
        expect(totalBytes).toBe(job.output?.bytes)
        progress.push(receivedBytes)
      },
    })
    const cuts = proxy.cuts()
    await proxy.close()
    expect(cuts).toBeGreaterThanOrEqual(2)
    expect(saved).toEqual({ path, bytes: job.output?.bytes, sha256: job.output?.sha256 })
    expect((await readFile(path)).length).toBe(job.output?.bytes)
    // Nothing came twice.
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.at(-1)).toBe(job.output?.bytes)

    const again = await startCuttingProxy(service.base, 2 * MB)
    expect(await buffer(await clientOf(again.base).jobs.download(job))).toEqual(await readFile(path))
    await again.close()
  }, 120_000)
  test('the next request asks only for what is missing', async () => {
    const gateway = await startGateway(service.base, () => 'pass')
    const proxy = await startCuttingProxy(gateway.base, 4 * MB)
    await clientOf(proxy.base).jobs.download(job, join(folder, 'ranges.zip'))
    await Promise.all([proxy.close(), gateway.close()])
    const [whole, ...rest] = gateway.seen.filter(({ path }) => path.endsWith('/download'))
    expect(whole?.headers.range).toBeUndefined()
    expect(rest.length).toBeGreaterThanOrEqual(1)
    for (const { headers } of rest) {
      expect(Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1])).toBeGreaterThan(MB)
      expect(headers['if-range']).toBe(`"${job.output?.sha256}"`)
    }
  }, 120_000)
  test('a connection that never brings anything is given up after the tries', async () => {
    const proxy = await startCuttingProxy(service.base, 200)
    const download = clientOf(proxy.base, { maxRetries: 1 }).jobs.download(job, join(folder, 'never.zip'))
    await expect(download).rejects.toMatchObject({ code: 'client.connection_failed' })
    await proxy.close()
    expect(await listParts()).toEqual([])
  })
  test('a result that came damaged is refused, and no file is left', async () => {
    const flip = (chunk: Buffer) => {
      chunk[0] = (chunk[0] ?? 0) ^ 1
      return chunk
    }
    const gateway = await startGateway(service.base, ({ url }) =>
      url?.endsWith('/download') ? { change: flip } : 'pass',
    )
    const own = clientOf(gateway.base)
    const path = join(folder, 'damaged.zip')
    const refused = { name: 'ResultDamagedError', code: 'client.result_damaged' }
    await expect(own.jobs.download(job, path)).rejects.toMatchObject(refused)
    await expect(own.jobs.download(job).then(buffer)).rejects.toMatchObject(refused)
    await gateway.close()
    expect(await readdir(folder)).not.toContain('damaged.zip')
    expect(await listParts()).toEqual([])
  })
  test('a signal ends a download in the middle, and no file is left', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const path = join(folder, 'stopped.zip')
    const download = client.jobs.download(job, path, { signal: stop.signal, onProgress: () => stop.abort(reason) })
    await expect(download).rejects.toBe(reason)
    expect(await readdir(folder)).not.toContain('stopped.zip')
    expect(await listParts()).toEqual([])
  })
  test('a reader may take its time, and may stop', async () => {
    const stream = await clientOf(service.base, { timeoutMs: 5000 }).jobs.download(job)
    let bytes = 0
    for await (const chunk of stream) {
      // Longer than the service may be silent.
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 6000))
      bytes += chunk.length
    }
    expect(bytes).toBe(job.output?.bytes)
    const other = (await client.jobs.download(job)).getReader()
    expect((await other.read()).done).toBe(false)
    await other.cancel()
  })
  test('a folder that is not there is told before anything is asked for', async () => {
    await expect(client.jobs.download(job, join(folder, 'none', 'a.zip'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
