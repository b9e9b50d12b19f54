import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobRecord } from '../../src/jobs/records.ts'
import { type CodeBlock, findExamples, PAGES, readGuide } from '../../web/build/guides.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { PROJECT } from '../support/paths.ts'
import { startTestService, type TestAccount, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

const PATIENCE_MS = 180_000
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, 12').toString('base64')}`
const run = promisify(execFile)

/** Every example of every guide, read from the files that the pages are made of. */
const EXAMPLES = new Map(
  Object.keys(PAGES)
    .filter((path) => !path.startsWith('docs/reference/'))
    .flatMap((path) => [...findExamples(readGuide(path, readFileSync(join(PROJECT, path), 'utf8')))]),
)
const languagesOf = (name: string): string[] => (EXAMPLES.get(name) ?? []).map(({ kind }) => kind)

let service: TestService
let account: TestAccount
let client: TestClient
let folder = ''

beforeAll(async () => {
  service = await startTestService({ QUARRY_WEBHOOK_ALLOW_PRIVATE: 'true', QUARRY_FORMATS: '' })
  account = await service.account()
  client = createClient(service.base, account.key)
  folder = await mkdtemp(join(tmpdir(), 'examples-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'table.csv'), 'name,amount\nstone,3\nsand,5\n')
  await copyFile(join(PROJECT, 'src/formats/word/golden/structure/structure.docx'), join(folder, 'report.docx'))
  execFileSync('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', join(folder, 'talk.wav'), 'The quarry is open today.'])
  await mkdir(join(folder, 'node_modules/@quarry'), { recursive: true })
  await symlink(join(PROJECT, 'packages/client'), join(folder, 'node_modules/@quarry/client'))
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The program of a block, with the address of this service in the place of the written one. */
const prepare = async ({ kind, code }: CodeBlock): Promise<[string, string[]]> => {
  const text = code.replaceAll('http://localhost:3000', service.base)
  if (kind === 'sh') return ['bash', ['-euo', 'pipefail', '-c', text]]
  const path = join(folder, kind === 'python' ? 'example.py' : 'example.ts')
  await writeFile(path, text)
  return kind === 'python' ? ['python3', [path]] : [process.execPath, [path]]
}
const environment = (more: Record<string, string> = {}) => ({
  cwd: folder,
  env: { PATH: process.env.PATH ?? '', QUARRY_KEY: account.key, ...more },
})

/** Runs an example as its reader would, and gives what it printed. */
const runExample = async (name: string, kind: string, more: Record<string, string> = {}): Promise<string> => {
  const block = EXAMPLES.get(name)?.find((one) => one.kind === kind)
  if (!block) throw new Error(`no example ${name} in ${kind}`)
  const [program, args] = await prepare(block)
  const { stdout } = await run(program, args, { ...environment(more), timeout: PATIENCE_MS })
  return stdout
}

const newestJob = async (): Promise<JobRecord> => {
  const { body } = await client.get<{ jobs: JobRecord[] }>('/extract/jobs?limit=1')
  const job = body.jobs[0]
  if (!job) throw new Error('there is no job')
  return client.waitForEnd(job.id, PATIENCE_MS)
}

const expectZip = async (name: string, member: string): Promise<void> => {
  const bytes = await readFile(join(folder, name))
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect(bytes.includes(member)).toBe(true)
  await rm(join(folder, name))
}

test('every example is run here', () => {
  expect([...EXAMPLES.keys()].sort()).toEqual(
    ['download', 'estimate', 'extract', 'idempotent', 'submit', 'transcribe', 'verify', 'wait'].sort(),
  )
  for (const [name, blocks] of EXAMPLES) expect(blocks.length, name).toBeGreaterThan(0)
})

describe('as its reader would', () => {
  test.each(languagesOf('extract'))('extract: %s', { timeout: PATIENCE_MS }, async (kind) => {
    await runExample('extract', kind)
    await expectZip('report.zip', 'manifest.json')
    expect(await newestJob()).toMatchObject({ status: 'succeeded', format: 'docx', billing: 'charged' })
  })

  test.each(languagesOf('submit'))('submit: %s', { timeout: PATIENCE_MS }, async (kind) => {
    const printed = await runExample('submit', kind)
    const job = await newestJob()
    expect(printed).toContain(job.id)
    expect(job).toMatchObject({ status: 'succeeded', format: 'csv' })
    const capabilities = new Set(job.output?.files.map(({ capabilityId }) => capabilityId))
    expect([...capabilities].filter((id) => id !== null).sort()).toEqual(['data.json', 'data.markdown'])
  })

  test('idempotent: sent twice, made once', { timeout: PATIENCE_MS }, async () => {
    const [first, second] = [await runExample('idempotent', 'sh'), await runExample('idempotent', 'sh')]
    expect(JSON.parse(second).id).toBe(JSON.parse(first).id)
    await newestJob()
  })

  test.each(languagesOf('wait'))('wait: %s', { timeout: PATIENCE_MS }, async (kind) => {
    const { body } = await client.submit('table.csv', 'a,b\n1,2\n')
    expect(await runExample('wait', kind, { JOB_ID: body.id })).toContain('succeeded')
  })

  test.each(languagesOf('download'))('download: %s', { timeout: PATIENCE_MS }, async (kind) => {
    const { id } = await client.extract('table.csv', 'a,b\n1,2\n')
    await runExample('download', kind, { JOB_ID: id })
    await expectZip('result.zip', 'manifest.json')
  })

  test.each(languagesOf('estimate'))('estimate: %s', { timeout: PATIENCE_MS }, async (kind) => {
    const { body } = await client.call<{ quotedCredits: number }>('POST', '/extract/estimate/pptx', {
      json: { fileSizeMb: 12, slideCount: 48 },
    })
    const printed = await runExample('estimate', kind)
    expect(Number(/\d+/.exec(kind === 'sh' ? printed.slice(printed.indexOf('quotedCredits')) : printed)?.[0])).toBe(
      body.quotedCredits,
    )
  })

  test.each(languagesOf('transcribe'))('transcribe: %s', { timeout: PATIENCE_MS }, async (kind) => {
    await runExample('transcribe', kind)
    expect(await newestJob()).toMatchObject({ status: 'succeeded', workflow: 'transcribe', format: 'wav' })
    if (kind === 'sh' || kind === 'ts sdk') await expectZip('talk.zip', 'transcript.txt')
  })

  test.each(languagesOf('verify'))('verify: %s', { timeout: PATIENCE_MS }, async (kind) => {
    const block = EXAMPLES.get('verify')?.find((one) => one.kind === kind)
    if (!block) throw new Error('no such example')
    const port = await findPort()
    const [program, args] = await prepare(block)
    const receiver = spawn(program, args, environment({ WEBHOOK_SECRET: SECRET, PORT: String(port) }))
    try {
      const printed = collect(receiver)
      const url = `http://127.0.0.1:${port}`
      await waitFor('the receiver', () =>
        fetch(url, { method: 'POST', body: '{}', headers: forged }).then(isRefused, no),
      )
      await client.extract('table.csv', 'a,b\n1,2\n')
      const options = { webhookUrl: url, webhookSecret: SECRET, webhookEvents: ['job.succeeded'] }
      await client.extract('table.csv', 'a,b\n3,4\n', options)
      await waitFor('the webhook', () => printed().includes('job.succeeded'), PATIENCE_MS)
    } finally {
      receiver.kill('SIGKILL')
    }
  })
})

const forged = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': 'v1,AAAA',
}
const isRefused = (response: Response): boolean => response.status === 401
const no = (): false => false

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  return () => text
}

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
