import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp, { type Sharp } from 'sharp'
import { memoryMbOf } from '../support/measure.ts'
import { makePhoto, makeReceipt, makeScreenshot } from './make-pages.ts'
import type { PageRead } from './read-pages.ts'
import { type Score, score } from './score.ts'

const CORPUS = new URL('../../../shared/corpus/ocr/', import.meta.url).pathname
const ENGINES = ['fast', 'quality', 'auto'] as const
const SEEDS = [1, 2, 3, 4]
const QUARTERS = [90, 180, 270]
const LEANS = [-3, 3]

/** A page to read, and what stands on it. `kind` is what figures are summed up by. */
type Page = { kind: string; path: string; truth: string }

/** Character and word error, CPU time and memory of both engines and of the choice between them. */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ocr-'))
  try {
    const pages = [...(await writeScans(folder)), ...(await writeMade(folder))]
    const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
    for (const engine of ENGINES) {
      // Reading large scans with the second engine in every direction takes an hour and tells the same as small ones.
      const mine = pages.filter(({ kind, path }) => engine === 'fast' || kind.startsWith('made') || isUsual(kind, path))
      const { read, peakMb } = await readAll(engine, mine)
      report[engine] = { peakMb, ...summarize(mine, read) }
      console.log(engine, JSON.stringify(report[engine], null, 1))
    }
    await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const SMALL_BYTES = 150_000
const isUsual = (kind: string, path: string): boolean => kind === 'scan' || readFileSync(path).length < SMALL_BYTES

/** Scans of the corpus that have their text beside them: as they are, turned by quarters, leaning. */
const writeScans = async (folder: string): Promise<Page[]> => {
  const pages: Page[] = []
  for (const { path, truth } of findScans()) {
    const name = basename(path).replace(/\W/g, '-')
    const write = async (kind: string, label: string, picture: Sharp) => {
      const target = join(folder, `${name}${label}.png`)
      await picture.png().toFile(target)
      pages.push({ kind, path: target, truth })
    }
    const open = () => sharp(path).flatten({ background: 'white' }).greyscale()
    await write('scan', '', open())
    for (const degrees of QUARTERS) await write('scan, turned', `-turned-${degrees}`, open().rotate(degrees))
    for (const degrees of LEANS) {
      await write('scan, leaning', `-leaning-${degrees}`, open().rotate(degrees, { background: 'white' }))
    }
  }
  return pages
}

const findScans = (): { path: string; truth: string }[] => {
  if (!existsSync(CORPUS)) return []
  return readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (!/\.(png|jpe?g|tiff?)$/.test(name)) return []
    const stem = join(CORPUS, name.replace(/\.\w+$/, ''))
    const truth = [`${stem}.txt`, `${stem}.gold.txt`].find(existsSync)
    return truth ? [{ path: join(CORPUS, name), truth: readFileSync(truth, 'utf8') }] : []
  })
}

const writeMade = async (folder: string): Promise<Page[]> => {
  const pages: Page[] = []
  for (const [kind, make] of [
    ['receipt', makeReceipt],
    ['screenshot', makeScreenshot],
    ['photo', makePhoto],
  ] as const) {
    for (const seed of SEEDS) {
      const { name, png, text } = await make(seed)
      const path = join(folder, `${name}.png`)
      await writeFile(path, png)
      pages.push({ kind: `made ${kind}`, path, truth: text })
    }
  }
  return pages
}

const readAll = async (engine: string, pages: readonly Page[]): Promise<{ read: PageRead[]; peakMb: number }> => {
  const script = new URL('read-pages.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, engine, ...pages.map(({ path }) => path)], {
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peakMb = 0
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, treeMemoryMb(child.pid ?? 0))
  }, 50)
  const read: PageRead[] = []
  for await (const line of createInterface({ input: child.stdout })) read.push(JSON.parse(line) as PageRead)
  clearInterval(timer)
  if (read.length < pages.length) throw new Error(`${engine} read ${read.length} of ${pages.length} pages`)
  return { read, peakMb: Math.round(peakMb) }
}

const treeMemoryMb = (pid: number): number => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
    return memoryMbOf(pid).now + children.reduce((sum, child) => sum + treeMemoryMb(Number(child)), 0)
  } catch {
    return 0
  }
}

type Summary = Score & { pages: number; cpuSecondsPerPage: number; readByPpOcr: number }

const summarize = (pages: readonly Page[], read: readonly PageRead[]): Record<string, Summary> => {
  const results = pages.map((page, i) => ({ page, read: read[i] as PageRead }))
  const groups = Map.groupBy(results, ({ page }) => page.kind)
  return Object.fromEntries(
    [...groups].map(([kind, group]) => {
      const scores = group.map(({ page, read }) => score(page.truth, read.text))
      const mean = (pick: (one: Score) => number) =>
        percent(scores.reduce((sum, one) => sum + pick(one), 0) / scores.length)
      const cpuSeconds = group.reduce((sum, { read }) => sum + read.cpuSeconds, 0) / group.length
      return [
        kind,
        {
          pages: group.length,
          characterError: mean((one) => one.characterError),
          wordError: mean((one) => one.wordError),
          wordF1: mean((one) => one.wordF1),
          cpuSecondsPerPage: Math.round(cpuSeconds * 100) / 100,
          readByPpOcr: group.filter(({ read }) => read.engine === 'pp-ocr').length,
        },
      ]
    }),
  )
}

const percent = (share: number): number => Math.round(share * 1_000) / 10
