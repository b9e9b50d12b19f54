import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryMbOf, quantile, runParallel, treeCpuSeconds } from '../support/measure.ts'
import { fillWithFinishedJobs } from './fill.ts'

const KEY = `fast_prod_${'bench'.repeat(8)}`
const PORT = 3900
const BASE = `http://127.0.0.1:${PORT}`
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(230).slice(0, 10_240)
const BOUNDARY = 'bench-boundary'
const BODY = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\n${TEXT}\r\n--${BOUNDARY}--\r\n`,
)
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

type Answer = { status: number; body: Buffer }
const ask = (method: string, path: string, body?: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = { 'x-fast-api-key': KEY }
    if (body)
      Object.assign(headers, {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': body.length,
      })
    const request = http.request(`${BASE}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    request.on('error', reject)
    request.end(body)
  })

type Record_ = { id: string; status: string; createdAt: string; startedAt: string | null; finishedAt: string | null }
const submit = async (): Promise<string> => {
  const { status, body } = await ask('POST', '/extract', BODY)
  if (status !== 202) throw new Error(`submission answered ${status}: ${body.toString()}`)
  return (JSON.parse(body.toString()) as Record_).id
}
const waitForEnd = async (id: string, everyMs: number): Promise<Record_> => {
  for (;;) {
    const record = JSON.parse((await ask('GET', `/extract/job/${id}`)).body.toString()) as Record_
    if (record.status === 'succeeded') return record
    if (record.status === 'failed' || record.status === 'canceled') throw new Error(`job ended as ${record.status}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
const download = async (id: string): Promise<void> => {
  const { status, body } = await ask('GET', `/extract/job/${id}/download`)
  if (status !== 200 || body.readUInt32LE(0) !== 0x04034b50) throw new Error('the download is not a ZIP')
}

/** The whole way of a small file: throughput, latency, polls, memory, with a short and with a long history. */
export const run = async (): Promise<void> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'quarry-bench-'))
  const env = {
    ...process.env,
    // As `npm start` has it.
    MALLOC_ARENA_MAX: '2',
    PORT: String(PORT),
    QUARRY_DATA: dataFolder,
    QUARRY_DEMO_KEY: KEY,
    QUARRY_LOG_LEVEL: 'warn',
    QUARRY_RATE_LIMIT_PER_MINUTE: '100000000',
    QUARRY_PLANS: JSON.stringify({ pro: { maxFileSizeMb: 5000, maxQueuedJobs: 100_000 } }),
  }
  const service = spawn(process.execPath, ['--max-semi-space-size=8', 'src/main.ts', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = service.pid ?? 0
  const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
  try {
    for await (const chunk of service.stdout as AsyncIterable<Buffer>) if (chunk.toString().includes('is ready')) break
    const postgresPid = Number((await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
    const cpu = () => treeCpuSeconds(pid) + treeCpuSeconds(postgresPid)
    report['4 GiB upload to a fresh server'] = await measureUpload(dataFolder, pid)
    console.log(JSON.stringify(report['4 GiB upload to a fresh server'], null, 2))
    // Sustained speed is wanted, not that of a process that has just started; the history is to stay short.
    await runParallel(600, 12, async (index) => {
      const { id } = await waitForEnd(await submit(), 5)
      await download(id)
      if (index >= 50) await ask('DELETE', `/extract/job/${id}`)
    })

    for (const history of [100, 100_000]) {
      const have = await fillWithFinishedJobs(dataFolder, history)
      report[`with ${history} finished jobs`] = {
        finishedJobs: have,
        ...(await measureIdle()),
        ...(await measureThroughput(cpu)),
        ...(await measurePolls(cpu)),
      }
      console.log(JSON.stringify(report[`with ${history} finished jobs`], null, 2))
    }
    const { now, peak } = memoryMbOf(pid)
    report['server memory after all that'] = { rssMb: Math.round(now), peakMb: Math.round(peak) }
    console.log(JSON.stringify(report['server memory after all that'], null, 2))
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    await rm(dataFolder, { recursive: true, force: true })
  }
  await writeFile(new URL('./report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}

const measureIdle = async () => {
  const wholeMs: number[] = []
  const pickUpMs: number[] = []
  for (let i = 0; i < 150; i++) {
    const startedAt = performance.now()
    const id = await submit()
    const record = await waitForEnd(id, 2)
    await download(id)
    wholeMs.push(performance.now() - startedAt)
    pickUpMs.push(Date.parse(record.startedAt ?? '') - Date.parse(record.createdAt))
  }
  return {
    pickUpMs: { median: quantile(pickUpMs, 0.5), p99: quantile(pickUpMs, 0.99) },
    wholeWayMs: { median: Math.round(quantile(wholeMs, 0.5)), p99: Math.round(quantile(wholeMs, 0.99)) },
  }
}

/** Submit, poll until it has succeeded, download: `parallel` clients as fast as they can. */
const measureThroughput = async (cpu: () => number) => {
  const jobs = 1200
  const cpuBefore = cpu()
  const seconds = await runParallel(jobs, 16, async () => {
    const id = await submit()
    await waitForEnd(id, 100)
    await download(id)
  })
  return {
    jobsPerSecond: Math.round((jobs / seconds) * 10) / 10,
    cpuMsPerJob: Math.round(((cpu() - cpuBefore) / jobs) * 10_000) / 10,
  }
}

const measurePolls = async (cpu: () => number) => {
  const id = await submit()
  await waitForEnd(id, 5)
  const cpuBefore = cpu()
  // In a process of its own, so that the load does not share a thread with this script.
  const output = execFileSync(
    process.execPath,
    [
      'node_modules/autocannon/autocannon.js',
      '-j',
      '-c',
      '32',
      '-d',
      '6',
      '-H',
      `x-fast-api-key=${KEY}`,
      `${BASE}/extract/job/${id}`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const { requests, non2xx } = JSON.parse(output.toString()) as {
    requests: { average: number; total: number }
    non2xx: number
  }
  if (non2xx > 0) throw new Error(`${non2xx} polls failed`)
  return {
    pollsPerSecond: Math.round(requests.average),
    cpuMsPerPoll: Math.round(((cpu() - cpuBefore) / requests.total) * 100_000) / 100,
  }
}

/** 4 GiB streamed in by curl, the server's memory watched; the job it makes is canceled. */
const measureUpload = async (folder: string, pid: number) => {
  const path = join(folder, 'large.txt')
  execFileSync('truncate', ['-s', '4G', path])
  const startedAt = performance.now()
  const args = ['-s', '-F', `file=@${path}`, '-H', `X-Fast-Api-Key: ${KEY}`, `${BASE}/extract`]
  const client = spawn('curl', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let answer = ''
  client.stdout.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryMbOf(pid).now)
  }, 100)
  await once(client, 'exit')
  clearInterval(timer)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { id, status } = JSON.parse(answer) as { id: string; status: string }
  await ask('POST', `/extract/job/${id}/cancel`)
  await rm(path)
  return { status, peakRssMb: Math.round(peak), seconds }
}
