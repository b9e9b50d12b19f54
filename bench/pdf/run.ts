import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { convertWithOurs, type EngineName, engines } from './engines.ts'
import { wordF1 } from './word-score.ts'

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url))
const CORPUS = join(SHARED, 'corpus', 'pdf')
const SCORER = join(SHARED, 'score', 'markdown.mjs')
const NAMES = Object.keys(engines) as EngineName[]
const LONG_PAGES = [350, 700, 1400]

const round = (value: number, digits = 4): number => Number(value.toFixed(digits))

/** Markdown beside two other engines: reading order, tables, headings, CPU; words of long papers; memory of long files. */
export const run = async (): Promise<void> => {
  if (!existsSync(join(CORPUS, 'rebuilt')) || !existsSync(SCORER)) {
    console.log(`skipped: there is no corpus of PDF files with truth in ${CORPUS}`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-pdf-'))
  try {
    const report = {
      cores: cpus().length,
      node: process.versions.node,
      ordered: await compareEngines('ordered', folder),
      shuffled: await compareEngines('shuffled', folder),
      'words of docling files': await scoreWords(),
      'long files': await measureLongFiles(folder),
    }
    console.log(JSON.stringify(report, null, 2))
    await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Engines whose native part npm has for this platform. */
const availableEngines = (): EngineName[] =>
  NAMES.filter((name) => {
    try {
      runScript('convert-all.ts', [name])
      return true
    } catch {
      console.log(`${name} cannot be loaded here and is left out`)
      return false
    }
  })

const runScript = (script: string, args: readonly string[]): string =>
  execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', args.length > 1 ? 'inherit' : 'ignore'],
  })

type Scores = { overall: number; nid: number; teds: number; mhs: number }

const compareEngines = async (set: string, folder: string): Promise<Record<string, unknown>> => {
  const measured = availableEngines().map((name) => {
    const output = join(folder, set, name)
    const cpu = JSON.parse(runScript('convert-all.ts', [name, join(CORPUS, 'rebuilt', set), output])) as {
      cold: number
      warm: number
    }
    const { overall, nid, teds, mhs } = JSON.parse(
      execFileSync(process.execPath, [SCORER, join(CORPUS, 'rebuilt', 'truth'), output], { encoding: 'utf8' }),
    ) as Scores
    return { name, overall, order: nid, tables: teds, headings: mhs, cpu }
  })
  const reference = measured.find(({ name }) => name === 'liteparse')?.cpu ?? { cold: 1, warm: 1 }
  return Object.fromEntries(
    measured.map(({ name, cpu, ...scores }) => [
      name,
      {
        ...scores,
        cpuSeconds: { firstPass: round(cpu.cold, 3), warm: round(cpu.warm, 3) },
        timesLiteparse: { firstPass: round(cpu.cold / reference.cold, 2), warm: round(cpu.warm / reference.warm, 2) },
      },
    ]),
  )
}

/** The reference leaves running headers and footers out. */
const scoreWords = async (): Promise<Record<string, number>> => {
  const folder = join(CORPUS, 'docling')
  const scores: Record<string, number> = {}
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort()) {
    const reference = await readFile(join(folder, `${file}.gt.md`), 'utf8')
    scores[file] = round(wordF1(await convertWithOurs(join(folder, file), 'drop'), reference))
  }
  const values = Object.values(scores)
  return { ...scores, mean: round(values.reduce((sum, value) => sum + value, 0) / values.length) }
}

/** Files of the corpus one after the other, as often as it takes: more pages must cost as much more time, not memory. */
const measureLongFiles = async (folder: string): Promise<Record<string, unknown>> => {
  const sources = [join(CORPUS, 'docling'), join(CORPUS, 'rebuilt', 'ordered')]
  const files: { path: string; pages: number }[] = []
  for (const source of sources) {
    for (const name of (await readdir(source)).filter((file) => file.endsWith('.pdf')).sort()) {
      const path = join(source, name)
      files.push({ path, pages: Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' })) })
    }
  }
  const measured: Record<string, unknown> = {}
  for (const wanted of LONG_PAGES) {
    const path = join(folder, `long-${wanted}.pdf`)
    const chosen: string[] = []
    let pages = 0
    for (let index = 0; pages < wanted; index++) {
      const file = files[index % files.length] as { path: string; pages: number }
      chosen.push(file.path)
      pages += file.pages
    }
    execFileSync('qpdf', ['--empty', '--pages', ...chosen, '--', path])
    const { cpuSeconds, peakRssMb } = JSON.parse(runScript('convert-long.ts', [path])) as {
      cpuSeconds: number
      peakRssMb: number
    }
    measured[`${pages} pages`] = {
      cpuMsPerPage: round((cpuSeconds * 1000) / pages, 2),
      peakRssMb: Math.round(peakRssMb),
    }
  }
  return measured
}
