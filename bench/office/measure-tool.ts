import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { loadCatalog } from '../../src/formats/index.ts'
import { treeCpuSeconds } from '../support/measure.ts'
import { extractText } from './extract.ts'
import { findPeers, type Peer } from './peers.ts'

/** Fidelity over the files that have a reference, and speed over all of them. */
export type Result = {
  scores: Record<string, number>
  /** Files that lose something, with what they score. */
  below: Record<string, Record<string, number>>
  failed: string[]
  filesPerCpuSecond: number
}
type Compare = (reference: string, prediction: string) => Record<string, number | null>

const WORTH_A_LOOK = 0.97
const WARM_UP_CPU_SECONDS = 2
const MEASURED_CPU_SECONDS = 3

/** All that can be measured: ours and the other tools that are on this machine. */
export const findTools = async (): Promise<Peer[]> => {
  const catalog = await loadCatalog()
  const extensions = ['docx', 'pptx', 'xlsx', 'html']
  return [
    { name: 'quarry', extensions, convert: (file) => extractText(catalog, file, 'markdown') },
    // The references know no other tables than those of pipes, and repeat in them what merged cells say.
    {
      name: 'quarry, tableFormat=pipe',
      extensions,
      convert: (file) => extractText(catalog, file, 'markdown', { tableFormat: 'pipe' }),
    },
    ...(await findPeers()),
  ]
}

const average = (values: readonly number[]): number =>
  Number((values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(4))

const judge = async (files: readonly string[], { convert }: Peer, compare: Compare) => {
  const found: Record<string, number[]> = {}
  const failed: string[] = []
  const below: Result['below'] = {}
  for (const file of files) {
    const prediction = await convert(file).catch((error: { code?: string; message?: string }) => {
      failed.push(`${basename(file)}: ${error.code ?? error.message}`)
      return ''
    })
    const reference = `${file}.gt.md`
    if (!existsSync(reference)) continue
    const scores = Object.entries(compare(readFileSync(reference, 'utf8'), prediction)).filter(
      (entry): entry is [string, number] => entry[1] !== null,
    )
    for (const [name, score] of scores) found[name] = [...(found[name] ?? []), score]
    const lost = scores.filter(([, score]) => score < WORTH_A_LOOK)
    if (lost.length > 0) below[basename(file)] = Object.fromEntries(lost)
  }
  const scores = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, average(values)]))
  return { scores, below, failed }
}

/** Converts all files again and again for so much CPU; gives the files per CPU second. */
const race = async (files: readonly string[], { convert }: Peer, cpuSeconds: number): Promise<number> => {
  const before = treeCpuSeconds(process.pid)
  let spent = 0
  let done = 0
  while (spent < cpuSeconds) {
    for (const file of files) await convert(file).catch(() => '')
    done += files.length
    spent = treeCpuSeconds(process.pid) - before
  }
  return Number((done / spent).toFixed(1))
}

/** A process of its own for each tool and format: `node measure-tool.ts TOOL SCORER FILE…` prints a `Result`. */
if (process.argv[1] === import.meta.filename) {
  const [name, scorer = '', ...files] = process.argv.slice(2)
  const tool = (await findTools()).find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const { compare } = (await import(scorer)) as { compare: Compare }
  const judged = await judge(files, tool, compare)
  await race(files, tool, WARM_UP_CPU_SECONDS)
  const result: Result = { ...judged, filesPerCpuSecond: await race(files, tool, MEASURED_CPU_SECONDS) }
  console.log(JSON.stringify(result))
  process.exit(0)
}
