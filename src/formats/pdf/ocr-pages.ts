import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import type { Box } from '../shared/document/model.ts'
import type { PageContent, TextRun } from '../shared/layout/page-content.ts'
import { type OcrSettings, type Recognized, recognizeImage } from '../shared/ocr/recognize.ts'
import { renderPage } from '../shared/pages/render-page.ts'
import { judgeText, needsOcr } from './needs-ocr.ts'

/** `auto` reads pages from their picture only where their text is missing, garbled or plainly not all. */
export type OcrMode = 'auto' | 'always' | 'never'

export type PageOcrSettings = OcrSettings & {
  /** Lower where a page is very large. */
  dpi?: number
}

/** What was read from the picture of a page, and the content of the page with it. */
export type PageReading = {
  content: PageContent
  /** Absent where the page was not read from its picture. */
  recognized?: Recognized
}

const USUAL_DPI = 300
const MIN_DPI = 30
const POINTS_PER_INCH = 72
/** More would be scaled down again before it is read. */
const MAX_PIXELS = 20_000_000

/** The content of a page as the mode wants it: its own text, or what its picture shows. */
export const readPage = async (
  file: PdfFile,
  page: PageContent,
  mode: OcrMode,
  settings: PageOcrSettings,
  context: Context,
): Promise<PageReading> => {
  if (mode === 'never' || (mode === 'auto' && !(await needsOcr(file, page)))) return { content: page }
  const recognized = await recognizePage(file, page, settings, context)
  if (!recognized || recognized.content.runs.length === 0) return { content: page }
  if (mode === 'always') return { content: replaceText(page, recognized), recognized }
  return improve(page, recognized)
}

/** A page with the text that its picture shows, whatever text it brings itself. */
export const readPageByOcr = async (
  file: PdfFile,
  page: PageContent,
  settings: PageOcrSettings,
  context: Context,
): Promise<PageContent> => (await readPage(file, page, 'always', settings, context)).content

const improve = (page: PageContent, recognized: Recognized): PageReading => {
  switch (judgeText(page)) {
    case 'sparse':
      return addText(page, recognized)
    case 'garbled':
      // Garbled text that is read as almost nothing was perhaps no text of that kind.
      if (countLetters(recognized.content.runs) * 2 < countLetters(page.runs)) return { content: page }
      return { content: replaceText(page, recognized), recognized }
    default:
      return { content: replaceText(page, recognized), recognized }
  }
}

const countLetters = (runs: readonly TextRun[]): number => runs.reduce((sum, { text }) => sum + text.length, 0)

const replaceText = (page: PageContent, { content, rotation }: Recognized): PageContent => {
  // What lies on the page as it is shown has no place on one that was turned.
  const kept = rotation === 0 ? { lines: page.lines, links: page.links, images: page.images } : undefined
  return {
    ...content,
    number: page.number,
    ...(page.label ? { label: page.label } : {}),
    ...(kept ? { ...kept, lines: [...kept.lines, ...content.lines] } : {}),
  }
}

/** The page's own text, and what was read where it has none. */
const addText = (page: PageContent, recognized: Recognized): PageReading => {
  const { content, rotation } = recognized
  const runs = content.runs.filter((run) => !page.runs.some((own) => overlap(own, run)))
  if (rotation !== 0 || runs.length === 0) return { content: page }
  return {
    content: { ...page, source: 'ocr', runs: [...page.runs, ...runs], lines: [...page.lines, ...content.lines] },
    recognized: { ...recognized, content: { ...content, runs } },
  }
}

/** Whether a good part of the smaller box lies in the other. */
const overlap = (a: Box, b: Box): boolean => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 && width * height > 0.3 * Math.min(a.width * a.height, b.width * b.height)
}

/** Reads the picture of a page; once, whoever asks: what was read is kept in the job's folder. */
const recognizePage = async (
  file: PdfFile,
  page: PageContent,
  settings: PageOcrSettings,
  context: Context,
): Promise<Recognized | undefined> => {
  const kept = await keptAt(file, page, settings, context)
  const found = await readFile(kept, 'utf8').catch(() => undefined)
  if (found) return JSON.parse(found) as Recognized
  const path = `${kept}.png`
  try {
    const drawn = await renderPage(file, page.number, findDpi(page, settings.dpi ?? USUAL_DPI), path)
    if (!drawn) return undefined
    const recognized = await recognizeImage({ path, dpi: drawn.dpi }, settings, context)
    const fitted = { ...recognized, content: fitToPage(recognized, page) }
    await writeFile(kept, JSON.stringify(fitted))
    return fitted
  } finally {
    await rm(path, { force: true })
  }
}

const keptAt = async (
  { path }: PdfFile,
  { number }: PageContent,
  { engine, languages, dpi = USUAL_DPI }: PageOcrSettings,
  context: Context,
): Promise<string> => {
  const key = createHash('sha256')
    .update(JSON.stringify([path, engine, languages, dpi]))
    .digest('hex')
    .slice(0, 16)
  const folder = join(context.scratch, `ocr-${key}`)
  await mkdir(folder, { recursive: true })
  return join(folder, `${number}.json`)
}

const findDpi = ({ width, height }: PageContent, wanted: number): number => {
  const highest = Math.sqrt(MAX_PIXELS / (width * height)) * POINTS_PER_INCH
  return Math.max(MIN_DPI, Math.min(wanted, highest))
}

/** Pixels are whole, points are not: the drawing is a little larger or smaller than the page. */
const fitToPage = ({ content, rotation }: Recognized, page: PageContent): PageContent => {
  const isOnSide = rotation === 90 || rotation === 270
  const width = isOnSide ? page.height : page.width
  const height = isOnSide ? page.width : page.height
  const scale = content.width > 0 ? width / content.width : 1
  const place = <T extends Box>(box: T): T => ({
    ...box,
    x: box.x * scale,
    y: box.y * scale,
    width: box.width * scale,
    height: box.height * scale,
  })
  return {
    ...content,
    number: page.number,
    width,
    height,
    runs: content.runs.map((run) => ({
      ...place(run),
      fontSize: run.fontSize * scale,
      ...(run.words ? { words: run.words.map(place) } : {}),
    })),
    lines: content.lines.map(({ x1, y1, x2, y2, thickness }) => ({
      x1: x1 * scale,
      y1: y1 * scale,
      x2: x2 * scale,
      y2: y2 * scale,
      thickness: thickness * scale,
    })),
  }
}
