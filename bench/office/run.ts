import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCatalog } from '../../src/formats/index.ts'
import { treeCpuSeconds } from '../support/measure.ts'
import { extractText } from './extract.ts'
import { makeDeck, makeDocument } from './make-large.ts'
import { findPeers, type Peer } from './peers.ts'

const CORPUS = process.env.QUARRY_CORPUS ?? new URL('../../../shared/corpus/', import.meta.url).pathname
const SCORER = process.env.QUARRY_SCORER ?? new URL('../../../shared/score/structure.mjs', import.meta.url).href
const ROUNDS = 3

type Scores = Record<'words' | 'headings' | 'items' | 'cells', number | null>
type Result = { scores: Record<string, number>; failed: string[]; filesPerCpuSecond: number }

const average = (values: readonly number[]): number =>
  Number((values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(4))

/** Fidelity over the files that have a reference, and speed over all of them, warm. */
const measure = async (
  files: readonly string[],
  convert: Peer['convert'],
  compare: (reference: string, prediction: string) => Scores,
): Promise<Result> => {
  const found: Record<string, number[]> = {}
  const failed: string[] = []
  for (const file of files) {
    const prediction = await convert(file).catch((error: { code?: string; message?: string }) => {
      failed.push(`${file.slice(file.lastIndexOf('/') + 1)}: ${error.code ?? error.message}`)
      return ''
    })
    const reference = `${file}.gt.md`
    if (!existsSync(reference)) continue
    for (const [name, score] of Object.entries(compare(readFileSync(reference, 'utf8'), prediction))) {
      if (score !== null) found[name] = [...(found[name] ?? []), score]
    }
  }
  const before = treeCpuSeconds(process.pid)
  for (let round = 0; round < ROUNDS; round++) for (const file of files) await convert(file).catch(() => '')
  const seconds = treeCpuSeconds(process.pid) - before
  const scores = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, average(values)]))
  return { scores, failed, filesPerCpuSecond: Number(((ROUNDS * files.length) / seconds).toFixed(1)) }
}

const extractOne = (file: string): unknown =>
  JSON.parse(execFileSync(process.execPath, [join(import.meta.dirname, 'extract-one.ts'), file]).toString())

/** Word and PowerPoint to markdown: fidelity and speed beside other tools, large files, hostile files. */
export const run = async (): Promise<void> => {
  const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
  const catalog = await loadCatalog()
  const ours: Peer = {
    name: 'quarry',
    extensions: ['docx', 'pptx'],
    convert: (file) => extractText(catalog, file, 'markdown'),
  }
  const peers = await findPeers()
  const { compare } = (await import(SCORER)) as { compare: (reference: string, prediction: string) => Scores }
  for (const extension of ours.extensions) {
    const folder = join(CORPUS, 'office', extension)
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(`.${extension}`))
      .map((name) => join(folder, name))
    const results: Record<string, Result> = {}
    for (const tool of [ours, ...peers].filter(({ extensions }) => extensions.includes(extension))) {
      results[tool.name] = await measure(files, tool.convert, compare)
      console.log(extension, tool.name, JSON.stringify(results[tool.name]))
    }
    report[extension] = results
  }
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-office-'))
  try {
    const large: Record<string, unknown> = {}
    for (const pages of [250, 1_000]) {
      await makeDocument(join(folder, `${pages}.docx`), pages)
      large[`docx ${pages} pages`] = extractOne(join(folder, `${pages}.docx`))
    }
    for (const slides of [125, 500]) {
      await makeDeck(join(folder, `${slides}.pptx`), slides)
      large[`pptx ${slides} slides`] = extractOne(join(folder, `${slides}.pptx`))
    }
    report.large = large
    const hostile = readdirSync(join(CORPUS, 'hostile')).filter((name) => /\.(?:docx|pptx)$/.test(name))
    report.hostile = Object.fromEntries(hostile.map((name) => [name, extractOne(join(CORPUS, 'hostile', name))]))
    console.log(JSON.stringify({ large, hostile: report.hostile }, null, 2))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}
