import { type Band, bandsOf, median, type PageWord, type Segment } from './page-words.ts'
import type { Ruling } from './rulings.ts'

/** How many times a page is parted into columns of prose inside columns of prose. */
const MAX_DEPTH = 3
const MAX_RULES = 6
const MAX_LONG_RULES = 60
const BIN = 3
const MAX_BINS = 2_000
const MAX_GUTTERS = 6
/** Columns of prose have at least this many lines beside each other. */
const MIN_LINES = 6
/** A paragraph that tells prose has so many full lines, of more than so many characters. */
const PARAGRAPH_LINES = 4
const PARAGRAPH_CHARACTERS = 26

/** Parts words where pages or columns of prose stand beside each other, so that no line goes over two of them. */
export const partZones = (words: readonly PageWord[], vertical: readonly Ruling[]): PageWord[][] =>
  partAtRules(words, vertical).flatMap((part) => partColumns(part, 0))

/** Parts words at lines that go down beside most of them. */
const partAtRules = (words: readonly PageWord[], vertical: readonly Ruling[]): PageWord[][] => {
  const [top, bottom] = [Math.min(...words.map(({ y0 }) => y0)), Math.max(...words.map(({ y1 }) => y1))]
  const long = vertical
    .filter(({ from, to }) => Math.min(to, bottom) - Math.max(from, top) > 0.8 * (bottom - top))
    .slice(0, MAX_LONG_RULES)
    .filter(({ at }) => !words.some(({ x0, x1 }) => x0 < at && at < x1))
    .map(({ at }) => at)
  const parts: PageWord[][] = []
  for (const at of [...long.slice(0, MAX_RULES), Infinity]) {
    const taken = new Set(parts.flat())
    parts.push(words.filter((word) => word.x1 <= at && !taken.has(word)))
  }
  return parts.filter((part) => part.length > 0)
}

const partColumns = (words: readonly PageWord[], depth: number): PageWord[][] => {
  if (depth === MAX_DEPTH || words.length < 40) return [[...words]]
  for (const gutter of findGutters(words)) {
    const inside = words.filter((word) => isBeside(word, gutter))
    const left = inside.filter((word) => middleX(word) < gutter.x)
    const right = inside.filter((word) => middleX(word) >= gutter.x)
    if (!isProse(bandsOf(left), bandsOf(right))) continue
    const above = words.filter((word) => middleY(word) <= gutter.y0)
    const below = words.filter((word) => middleY(word) >= gutter.y1)
    return [above, left, right, below].filter((part) => part.length > 0).flatMap((part) => partColumns(part, depth + 1))
  }
  return [[...words]]
}

type Gutter = { x: number; y0: number; y1: number }

const middleX = ({ x0, x1 }: PageWord): number => (x0 + x1) / 2
const middleY = ({ y0, y1 }: PageWord): number => (y0 + y1) / 2
const isBeside = (word: PageWord, { y0, y1 }: Gutter): boolean => middleY(word) > y0 && middleY(word) < y1

/** The highest strips that no word crosses, with words on both sides. */
const findGutters = (words: readonly PageWord[]): Gutter[] => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x0, x1, y0, y1 } of words) {
    left = Math.min(left, x0)
    right = Math.max(right, x1)
    top = Math.min(top, y0)
    bottom = Math.max(bottom, y1)
  }
  const bins = Math.min(MAX_BINS, Math.ceil((right - left) / BIN))
  if (bins < 10) return []
  const ends = new Float64Array(bins).fill(top)
  const starts = new Float64Array(bins)
  const heights = new Float64Array(bins)
  const extend = (bin: number, until: number) => {
    const from = ends[bin] ?? top
    if (until - from <= (heights[bin] ?? 0)) return
    starts[bin] = from
    heights[bin] = until - from
  }
  for (const { x0, x1, y0, y1 } of words.toSorted((a, b) => a.y0 - b.y0)) {
    const until = Math.min(bins - 1, Math.floor((x1 - left) / BIN))
    for (let bin = Math.floor((x0 - left) / BIN); bin <= until; bin++) {
      extend(bin, y0)
      if ((ends[bin] ?? top) < y1) ends[bin] = y1
    }
  }
  for (let bin = 0; bin < bins; bin++) extend(bin, bottom)
  const size = median(words.map((word) => word.size)) || 10
  const margin = Math.ceil((12 * size) / BIN)
  const high: number[] = []
  for (let bin = margin; bin < bins - margin; bin++) if ((heights[bin] ?? 0) > MIN_LINES * size) high.push(bin)
  high.sort((a, b) => (heights[b] ?? 0) - (heights[a] ?? 0))
  const gutters: Gutter[] = []
  for (const bin of high) {
    const x = left + (bin + 0.5) * BIN
    if (gutters.some((gutter) => Math.abs(gutter.x - x) <= 3 * size)) continue
    const y0 = starts[bin] ?? top
    gutters.push({ x, y0, y1: y0 + (heights[bin] ?? 0) })
    if (gutters.length === MAX_GUTTERS) break
  }
  return gutters
}

/**
 * Whether two stacks of lines are columns of a page, not of a table: both have paragraphs, or one has and the lines of
 * the other stand at their own heights; and paragraphs do not end at the same heights, as the rows of a table do.
 */
const isProse = (left: readonly Band[], right: readonly Band[]): boolean => {
  if (left.length < MIN_LINES || right.length < MIN_LINES) return false
  const sides = [hasParagraph(left, (band) => band.segments.at(-1)), hasParagraph(right, (band) => band.segments[0])]
  if (!sides.includes(true)) return false
  if (!sides.every(Boolean) && areLevel(left, right)) return false
  const [ends, others] = [breaksOf(left), breaksOf(right)]
  const fewer = Math.min(ends.length, others.length)
  if (fewer === 0) return sides.every(Boolean)
  const shared = ends.filter(({ to, size }) => others.some((other) => Math.abs(other.to - to) < 0.2 * size)).length
  return sides.every(Boolean) ? shared < 2 || shared < 0.75 * fewer : shared < 0.5 * fewer
}

/** Whether the side with fewer lines has them at heights of lines of the other: rows of a table do. */
const areLevel = (left: readonly Band[], right: readonly Band[]): boolean => {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left]
  const heights = new Set(more.map(({ y1, size }) => Math.round(y1 / (0.15 * size))))
  const level = fewer.filter(({ y1, size }) => {
    const height = Math.round(y1 / (0.15 * size))
    return heights.has(height) || heights.has(height - 1) || heights.has(height + 1)
  })
  return level.length >= 0.8 * fewer.length
}

/** Whether lines that follow each other closely fill the column, as those of a paragraph do. */
const hasParagraph = (bands: readonly Band[], nearest: (band: Band) => Segment | undefined): boolean => {
  const widths = bands.map((band) => widthOf(nearest(band))).sort((a, b) => a - b)
  const width = widths[Math.floor(widths.length * 0.9)] ?? 0
  let run = 0
  for (const [index, band] of bands.entries()) {
    const segment = nearest(band)
    const characters = segment?.words.reduce((sum, { text }) => sum + text.length + 1, 0) ?? 0
    const isFull = widthOf(segment) > 0.82 * width && characters > PARAGRAPH_CHARACTERS
    const isTight = band.y0 - (bands[index - 1]?.y1 ?? -Infinity) < 0.7 * band.size
    run = isFull ? (isTight ? run + 1 : 1) : 0
    if (run === PARAGRAPH_LINES) return true
  }
  return false
}

const widthOf = (segment: Segment | undefined): number => (segment ? segment.x1 - segment.x0 : 0)

/** Where the lines of a column stand further apart than they mostly do. */
const breaksOf = (bands: readonly Band[]): { from: number; to: number; size: number }[] => {
  const gaps = bands.slice(1).map((band, index) => ({ from: bands[index]?.y1 ?? 0, to: band.y0, size: band.size }))
  const usual = median(gaps.map(({ from, to }) => to - from))
  return gaps.filter(({ from, to, size }) => to - from > usual + 0.3 * size)
}
