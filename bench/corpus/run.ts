import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import { TRANSCRIPT_CAPABILITY } from '../../src/core/transcription.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import { createClient, type TestClient } from '../../test/support/client.ts'
import { runParallel } from '../support/measure.ts'

const CORPUS = new URL('../../../shared/corpus/', import.meta.url).pathname
const REPORT = new URL('./report.json', import.meta.url)
const KEY = `fast_prod_${'corpus'.repeat(7)}`
const PORT = 3901
const JOB_MS = 600_000
/** Truths and notes beside the files. */
const NOT_A_SOURCE = /\.(?:gt\.md|gold\.txt|hocr|yaml|jsonl)$/

type Outcome = { file: string; extension: string; outcome: string; seconds: number; warnings: string[] }

/** Every file of the corpus through the real service, with every capability: how each ends. `--folder=pdf/real` limits it. */
export const run = async (): Promise<void> => {
  const folders = process.argv
    .slice(2)
    .filter((name) => name.startsWith('--folder='))
    .map((name) => name.slice(9))
  const files = listFiles(folders)
  if (files.length === 0) return console.log(`there is no corpus at ${CORPUS}`)
  const dataFolder = await mkdtemp(join(tmpdir(), 'quarry-corpus-'))
  const service = spawn(process.execPath, ['src/main.ts', 'serve'], {
    env: {
      ...process.env,
      PORT: String(PORT),
      QUARRY_DATA: dataFolder,
      QUARRY_DEMO_KEY: KEY,
      QUARRY_LOG_LEVEL: 'error',
      QUARRY_WORKER_JOBS: '2',
      QUARRY_RATE_LIMIT_PER_MINUTE: '100000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const chunk of service.stdout as AsyncIterable<Buffer>) if (chunk.toString().includes('is ready')) break
    service.stdout?.resume()
    const client = createClient(`http://127.0.0.1:${PORT}`, KEY)
    const outcomes: Outcome[] = []
    await runParallel(files.length, 2, async (index) => {
      const outcome = await tryFile(client, files[index] as string)
      outcomes.push(outcome)
      console.log(`${outcome.outcome.padEnd(34)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.file}`)
    })
    if (service.exitCode !== null) throw new Error('the service did not survive the corpus')
    console.log(JSON.stringify(summarize(outcomes), null, 2))
    // What was not run again stays as it was found before.
    const all = [...readBefore().filter(({ file }) => !isWanted(file, folders)), ...outcomes]
    all.sort((a, b) => (a.file < b.file ? -1 : 1))
    const report = { files: all.length, byExtension: summarize(all), outcomes: all }
    await writeFile(REPORT, `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const readBefore = (): Outcome[] =>
  existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as { outcomes: Outcome[] }).outcomes : []

const isWanted = (file: string, folders: readonly string[]): boolean =>
  folders.length === 0 || folders.some((folder) => file.startsWith(folder))

const listFiles = (folders: readonly string[]): string[] => {
  try {
    return readdirSync(CORPUS, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !NOT_A_SOURCE.test(path) && relative(CORPUS, path).includes('/'))
      .filter((path) => isWanted(relative(CORPUS, path), folders))
      .sort()
  } catch {
    return []
  }
}

const tryFile = async (client: TestClient, path: string): Promise<Outcome> => {
  const startedAt = performance.now()
  const extension = extname(path).slice(1).toLowerCase()
  const end = (outcome: string, warnings: string[] = []): Outcome => ({
    file: relative(CORPUS, path),
    extension,
    outcome,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    warnings: [...new Set(warnings)].sort(),
  })
  const options = await client.get<{ capabilities: { id: string; available: boolean }[] }>(
    `/extract/options/${extension}`,
  )
  if (options.status !== 200) return end('not taken')
  const selectedCapabilities = options.body.capabilities
    // Most sounds of the corpus are not speech, and a job that pays for a transcript fails where there is none.
    .filter(({ id, available }) => available && id !== TRANSCRIPT_CAPABILITY)
    .map(({ id }) => id)
  const answer = await client.submit(path.split('/').at(-1) as string, readFileSync(path), {
    extraction: { selectedCapabilities },
  })
  if (answer.status !== 202) return end(`refused ${(answer.body as unknown as { code: string }).code}`)
  const record: JobRecord = await client.waitForEnd(answer.body.id, JOB_MS)
  return end(
    record.error?.code ?? record.status,
    record.warnings.map(({ capabilityId, code }) => `${capabilityId} ${code}`),
  )
}

const summarize = (outcomes: readonly Outcome[]): Record<string, Record<string, number>> => {
  const table: Record<string, Record<string, number>> = {}
  for (const { extension, outcome } of outcomes) {
    table[extension] ??= {}
    const row = table[extension]
    row[outcome] = (row[outcome] ?? 0) + 1
  }
  return table
}
