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
type Page = {
  kind: string
  path: string
  truth: string
  /** The same page before it was turned. */
  upright?: string
  isLarge?: boolean
}

/** Character and word error, CPU time and memory of both engines and of the choice between them. */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ocr-'))
  try {
    const pages = [...(await writeScans(folder)), ...(await writeMade(folder))]
    const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
    for (const engine of ENGINES) {
      // Reading large scans with the second engine in every direction takes an hour and tells the same as small ones.
      const mine = pages.filter(({ upright, isLarge }) => engine === 'fast' || !upright || !isLarge)
      const { read, peakMb } = await readAll(engine, mine)
      report[engine] = { peakMb, ...summarize(mine, read) }
      console.log(engine, JSON.stringify(report[engine], null, 1))
    }
    await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const LARGE_PIXELS = 1_000_000

/** Scans of the corpus that have their text beside them: as they are, turned by quarters, leaning. */
const writeScans = async (folder: string): Promise<Page[]> => {
  const pages: Page[] = []
  for (const { path, truth } of findScans()) {
    const name = basename(path).replace(/\W/g, '-')
    const { width = 0, height = 0 } = await sharp(path).metadata()
    const isLarge = width * height > LARGE_PIXELS
    const write = async (kind: string, label: string, picture: Sharp) => {
      const target = join(folder, `${name}${label}.png`)
      await picture.png().toFile(target)
      pages.push({ kind, path: target, truth, isLarge, ...(label ? { upright: join(folder, `${name}.png`) } : {}) })
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

type Summary = Score & {
  pages: number
  /** Of the same pages before they were turned. */
  uprightCharacterError?: number
  cpuSecondsPerPage: number
  readByPpOcr: number
}

const summarize = (pages: readonly Page[], read: readonly PageRead[]): Record<string, Summary> => {
  const results = pages.map((page, i) => {
    const found = read[i] as PageRead
    return { page, read: found, score: score(page.truth, found.text) }
  })
  const byPath = new Map(results.map((result) => [result.page.path, result]))
  const groups = Map.groupBy(results, ({ page }) => page.kind)
  return Object.fromEntries(
    [...groups].map(([kind, group]) => {
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
      const share = (pick: (one: Score) => number) => percent(mean(group.map((one) => pick(one.score))))
      const upright = group.flatMap(({ page }) => byPath.get(page.upright ?? '')?.score.characterError ?? [])
      return [
        kind,
        {
          pages: group.length,
          characterError: share((one) => one.characterError),
          ...(upright.length > 0 ? { uprightCharacterError: percent(mean(upright)) } : {}),
          wordError: share((one) => one.wordError),
          wordF1: share((one) => one.wordF1),
          cpuSecondsPerPage: Math.round(mean(group.map((one) => one.read.cpuSeconds)) * 100) / 100,
          readByPpOcr: group.filter((one) => one.read.engine === 'pp-ocr').length,
        },
      ]
    }),
  )
}

const percent = (share: number): number => Math.round(share * 1_000) / 10
