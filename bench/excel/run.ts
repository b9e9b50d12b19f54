import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { ENGINES } from './engines.ts'

const CORPUS = fileURLToPath(new URL('../../../shared/corpus/office/', import.meta.url))
const SCORE = new URL('../../../shared/score/structure.mjs', import.meta.url)
const EXTENSIONS = ['xlsx', 'xlsm', 'xls', 'xlsb', 'ods']
const TRUTH = '.gt.md'
const MINUTES_5_MS = 300_000

type Measured = { cpuSeconds: number; peakMb: number; results: { file: string; ok: boolean; markdown?: string }[] }
type Score = Record<'words' | 'headings' | 'cells', number | null>

/** Each engine in a process of its own: fidelity and speed on real files, then CPU and memory on large ones. */
export const run = async (): Promise<void> => {
  const report: Record<string, unknown> = { node: process.versions.node }
  if (existsSync(CORPUS)) report['real files'] = await compareOnCorpus()
  else console.log(`there is no corpus at ${CORPUS}`)
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-excel-'))
  try {
    for (const rows of [100_000, 1_000_000]) {
      const file = join(folder, `${rows}.xlsx`)
      await makeWorkbook(file, rows)
      const label = `${rows.toLocaleString('en')} rows of 10 cells`
      report[label] = Object.fromEntries(
        // The others hold the whole sheet: a million rows are beyond them.
        Object.keys(ENGINES)
          .filter((name) => rows <= 100_000 || name.startsWith('quarry'))
          .map((name) => [name, measureLarge(name, file)]),
      )
      console.log(label, JSON.stringify(report[label], null, 2))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(new URL('./report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}

const measure = (engine: string, files: readonly string[]): Measured => {
  const script = fileURLToPath(new URL('./measure-one.ts', import.meta.url))
  const output = execFileSync(process.execPath, [script, engine, ...files], {
    maxBuffer: 1024 ** 3,
    timeout: MINUTES_5_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(output.toString()) as Measured
}

const measureLarge = (engine: string, file: string) => {
  try {
    const { cpuSeconds, peakMb, results } = measure(engine, [file])
    return { cpuSeconds: Math.round(cpuSeconds * 100) / 100, peakMb, ok: results.every(({ ok }) => ok) }
  } catch {
    return { ok: false }
  }
}

const compareOnCorpus = async () => {
  const { compare } = (await import(SCORE.href)) as { compare(truth: string, found: string): Score }
  const files = EXTENSIONS.flatMap((extension) =>
    readdirSync(join(CORPUS, extension))
      .filter((name) => !name.endsWith(TRUTH))
      .map((name) => join(CORPUS, extension, name)),
  )
  const rows = Object.keys(ENGINES)
    .filter((name) => !name.includes('job'))
    .map((name) => {
      const { cpuSeconds, results } = measure(name, files)
      const scores = results.flatMap(({ file, markdown = '' }) =>
        existsSync(file + TRUTH) ? [{ file, ...compare(readFileSync(file + TRUTH, 'utf8'), markdown) }] : [],
      )
      const done = results.filter(({ ok }) => ok).length
      return [
        name,
        {
          files: results.length,
          succeeded: done,
          filesPerCpuSecond: Math.round(done / cpuSeconds),
          failed: results.filter(({ ok }) => !ok).map(({ file }) => file.slice(CORPUS.length)),
          cells: Object.fromEntries(scores.map(({ file, cells }) => [file.slice(CORPUS.length), cells])),
          meanCellsXlsx: meanOf(scores.filter(({ file }) => file.endsWith('.xlsx')).map(({ cells }) => cells)),
          meanCells: meanOf(scores.map(({ cells }) => cells)),
          meanHeadings: meanOf(scores.map(({ headings }) => headings)),
          meanWords: meanOf(scores.map(({ words }) => words)),
        },
      ] as const
    })
  const table = Object.fromEntries(rows)
  console.log(JSON.stringify(table, null, 2))
  return table
}

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0
    ? null
    : Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1e4) / 1e4
}

const REGIONS = ['North', 'South', 'East', 'West & Co', 'Zürich']
const FIRST_DAY_MS = Date.UTC(2015, 0, 1)
const DAY_MS = 86_400_000

function* makeRows(count: number) {
  for (let i = 0; i < count; i++) {
    const day = new Date(FIRST_DAY_MS + (i % 3_000) * DAY_MS)
    const [name, region, note] = [`Customer ${(i * 7_919) % count}`, REGIONS[i % 5] ?? '', `note ${i % 97} of the day`]
    yield [i + 1, name, region, i * 1.25, (i % 1_000) / 1_000, day, i % 2 === 0, note, Math.sqrt(i + 1), i * 3]
  }
}

const makeWorkbook = async (file: string, rows: number): Promise<void> => {
  const { writeXlsxStream } = await import('hucre/xlsx')
  const formats: Record<string, string> = { Amount: '#,##0.00', Share: '0.0%', Date: 'yyyy-mm-dd' }
  const headers = ['ID', 'Customer', 'Region', 'Amount', 'Share', 'Date', 'Active', 'Note', 'Root', 'Triple']
  const columns = headers.map((header) => ({ header, ...(formats[header] ? { numFmt: formats[header] } : {}) }))
  await pipeline(writeXlsxStream(makeRows(rows), { name: 'Big', columns }), createWriteStream(file))
}
