import type { Edges } from './geometry.ts'
import { findMonospaceFonts, isEvenlySpaced } from './monospace.ts'
import type { LinkArea, PageContent, TextRun, Word } from './page-content.ts'
import { isSpaceless } from './scripts.ts'

/** A run as the layout reads it: upright, by its edges. */
export type Fragment = Edges & {
  text: string
  size: number
  bold: boolean
  italic: boolean
  monospace: boolean
  color: string
  font: string
  confidence: number | undefined
  words: readonly Word[] | undefined
  /** Links that lie over it. */
  links: readonly LinkArea[] | undefined
}

/** How text stands on a page: `vertical` is that of upright characters set one under the other, lines from right to left. */
export type Frame = 0 | 90 | 180 | 270 | 'vertical'

/** The fragments of a page that stand in one frame, turned upright, and the size of the page then. */
export type FramedFragments = { frame: Frame; width: number; height: number; fragments: Fragment[] }

const TILT_DEGREES = 10
/** Past this a page is not one to be read: a drawing, or an attack. */
const FRAGMENTS_LIMIT = 150_000
const LINK_ROW_POINTS = 24
const LINKS_LIMIT = 5_000
const LINKS_PER_ROW_LIMIT = 100

/** The runs of a page that are not taken by tables, by the way they are turned; the way most of the text stands first. */
export const readFragments = (page: PageContent, taken: ReadonlySet<number>): FramedFragments[] => {
  const byFrame = new Map<Frame | 'tilted', TextRun[]>()
  const runs = page.runs.length > FRAGMENTS_LIMIT ? page.runs.slice(0, FRAGMENTS_LIMIT) : page.runs
  runs.forEach((run, index) => {
    if (taken.has(index) || !/\S/.test(run.text)) return
    const frame = frameOf(run)
    const framed = byFrame.get(frame)
    if (framed) framed.push(run)
    else byFrame.set(frame, [run])
  })
  if (byFrame.has(0)) moveStackedCharacters(byFrame)
  const linksAt = indexLinks(page.links)
  const monospaceFonts = findMonospaceFonts(runs)
  return [...byFrame]
    .map(([frame, runs]): FramedFragments & { characters: number } => {
      const upright = frame === 'tilted' ? 0 : frame
      const turned = upright === 90 || upright === 270 || upright === 'vertical'
      return {
        frame: upright,
        width: turned ? page.height : page.width,
        height: turned ? page.width : page.height,
        fragments: runs.map((run) => toFragment(run, upright, page, linksAt(run), monospaceFonts)),
        characters: frame === 'tilted' ? 0 : runs.reduce((sum, { text }) => sum + text.length, 0),
      }
    })
    .sort((a, b) => b.characters - a.characters)
}

const frameOf = (run: TextRun): Frame | 'tilted' => {
  const angle = ((run.rotation % 360) + 360) % 360
  if (angle < TILT_DEGREES || angle > 360 - TILT_DEGREES) return isSetVertically(run) ? 'vertical' : 0
  for (const right of [90, 180, 270] as const) if (Math.abs(angle - right) < TILT_DEGREES) return right
  return 'tilted'
}

const isSetVertically = ({ text, width, height }: TextRun): boolean =>
  height > width * 1.8 && text.trim().length > 1 && isSpaceless(text.trim().charAt(0))

/** Vertical text may come a character at a time: where characters follow each other downward, not sideways, it is that. */
const moveStackedCharacters = (byFrame: Map<Frame | 'tilted', TextRun[]>): void => {
  const level = byFrame.get(0) ?? []
  const single = level.filter(({ text }) => text.trim().length === 1 && isSpaceless(text.trim()))
  if (single.length < 12 || single.length < level.length * 0.6) return
  const cells = new Set(single.map(({ x, y, fontSize }) => `${Math.round(x / fontSize)}:${Math.round(y / fontSize)}`))
  let below = 0
  let beside = 0
  for (const { x, y, fontSize } of single) {
    const column = Math.round(x / fontSize)
    const row = Math.round(y / fontSize)
    if (cells.has(`${column}:${row + 1}`)) below++
    if (cells.has(`${column + 1}:${row}`)) beside++
  }
  if (below <= beside * 1.3) return
  byFrame.set('vertical', [...(byFrame.get('vertical') ?? []), ...level])
  byFrame.delete(0)
}

const toFragment = (
  run: TextRun,
  frame: Frame,
  { width, height }: PageContent,
  links: readonly LinkArea[] | undefined,
  monospaceFonts: ReadonlySet<string>,
): Fragment => {
  const level = { x: run.x, y: run.y, right: run.x + run.width, bottom: run.y + run.height }
  const { x, y, right, bottom } = frame === 0 ? level : turner(frame, width, height)(level)
  return {
    x,
    y,
    right,
    bottom,
    text: run.text,
    size: run.fontSize > 0 ? run.fontSize : Math.max(1, run.height),
    bold: run.bold,
    italic: run.italic,
    monospace: (run.monospace || monospaceFonts.has(run.font)) && isEvenlySpaced(run),
    color: run.color ?? '000000',
    font: run.font,
    confidence: run.confidence,
    words: frame === 0 ? run.words : undefined,
    links,
  }
}

/** Reads single runs of an upright page as fragments. */
export const createFragmentReader = (page: PageContent): ((index: number) => Fragment) => {
  const linksAt = indexLinks(page.links)
  const monospaceFonts = findMonospaceFonts(page.runs)
  return (index) => {
    const run = page.runs[index] as TextRun
    return toFragment(run, 0, page, linksAt(run), monospaceFonts)
  }
}

/** Turns rectangles of a page so that text of a frame stands upright. */
export const turner = (frame: Frame, width: number, height: number): ((edges: Edges) => Edges) => {
  if (frame === 90) return ({ x, y, right, bottom }) => ({ x: y, y: width - right, right: bottom, bottom: width - x })
  if (frame === 180)
    return ({ x, y, right, bottom }) => ({ x: width - right, y: height - bottom, right: width - x, bottom: height - y })
  if (frame === 270)
    return ({ x, y, right, bottom }) => ({ x: height - bottom, y: x, right: height - y, bottom: right })
  if (frame === 'vertical')
    return ({ x, y, right, bottom }) => ({ x: y, y: width - right, right: bottom, bottom: width - x })
  return (edges) => edges
}

/** Turns rectangles back to how the page is shown. */
export const backTurner = (frame: Frame, width: number, height: number): ((edges: Edges) => Edges) => {
  if (frame === 90 || frame === 'vertical')
    return ({ x, y, right, bottom }) => ({ x: width - bottom, y: x, right: width - y, bottom: right })
  if (frame === 180) return turner(180, width, height)
  if (frame === 270)
    return ({ x, y, right, bottom }) => ({ x: y, y: height - right, right: bottom, bottom: height - x })
  return (edges) => edges
}

const indexLinks = (links: readonly LinkArea[]): ((run: TextRun) => readonly LinkArea[] | undefined) => {
  if (links.length === 0) return () => undefined
  const rows = new Map<number, LinkArea[]>()
  for (const link of links.slice(0, LINKS_LIMIT)) {
    const first = Math.floor(link.y / LINK_ROW_POINTS)
    const last = Math.min(Math.floor((link.y + link.height) / LINK_ROW_POINTS), first + 50)
    for (let row = first; row <= last; row++) {
      const inRow = rows.get(row)
      if (!inRow) rows.set(row, [link])
      else if (inRow.length < LINKS_PER_ROW_LIMIT) inRow.push(link)
    }
  }
  return (run) => {
    const middle = run.y + run.height / 2
    const over = (rows.get(Math.floor(middle / LINK_ROW_POINTS)) ?? []).filter(
      ({ x, y, width, height }) =>
        middle >= y - 1 && middle <= y + height + 1 && run.x < x + width && run.x + run.width > x,
    )
    return over.length > 0 ? over : undefined
  }
}
