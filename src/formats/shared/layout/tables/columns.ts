import { type Band, joinWords, median, type PageWord } from './page-words.ts'

/** A strip between two columns, free of text but for what spans both. */
export type Separator = { x0: number; x1: number }

/** Gaps up to this part of an em are spaces between words of one cell. */
const SPACE_EM = 0.38
/** Between columns, most rows keep at least this part of an em free; a region of few rows has to be clearer. */
const COLUMN_GAP_EM = 0.85
const COLUMN_GAP_OF_FEW_EM = 1.15
/** Less is enough where the texts at one side of it all begin, or all end, at the same place. */
const ALIGNED_GAP_EM = 0.55
const EDGE_EM = 0.12
/** Lines nearer to each other than this overlap. */
const OVERLAP_EM = 0.8
/** Of the lines at a separator, how many may span it. */
const SPANNING_SHARE = 0.25

/** Where the columns of these lines part: strips that nearly no line crosses and most leave wide open. */
export const findSeparators = (bands: readonly Band[], em: number): Separator[] => {
  const rows = overlappingBands(bands, em).map((words) => joinWords(words, SPACE_EM))
  const multi = rows.filter((blobs) => blobs.length > 1).length
  if (multi === 0) return []
  const edges = edgesOf(rows)
  const separators: Separator[] = []
  // Strips that no line crosses come first: a tolerant look would swallow columns with few entries.
  for (let tolerated = 0; tolerated <= multi * SPANNING_SHARE; tolerated += 1 + (tolerated >> 1))
    for (const strip of openStrips(edges, tolerated))
      if (separators.every(({ x0, x1 }) => x1 <= strip.x0 || x0 >= strip.x1) && partsColumns(rows, strip, em))
        separators.push(strip)
  return separators.sort((a, b) => a.x0 - b.x0)
}

/** Puts lines together that overlap in height: cells of one row that are centred have their lines at halves. */
const overlappingBands = (bands: readonly Band[], em: number): (readonly PageWord[])[] => {
  const rows: PageWord[][] = []
  let last = -Infinity
  for (const { words, y0, y1 } of bands) {
    const middle = (y0 + y1) / 2
    const row = rows.at(-1)
    if (row && middle - last < OVERLAP_EM * em) row.push(...words)
    else rows.push([...words])
    last = middle
  }
  return rows.map((words) => words.sort((a, b) => a.x0 - b.x0))
}

const partsColumns = (rows: readonly (readonly Blob[])[], strip: Separator, em: number): boolean => {
  const gaps: Separator[] = []
  let crossing = 0
  for (const blobs of rows) {
    const gap = gapAt(blobs, strip)
    if (gap === 'crossed') crossing++
    else if (gap) gaps.push(gap)
  }
  // A column of labels may never stand beside the next: a head without a name for the labels, rows without entries.
  if (gaps.length === 0 && crossing === 0) return strip.x1 - strip.x0 > COLUMN_GAP_EM * em
  if (gaps.length === 0 || crossing > SPANNING_SHARE * (gaps.length + crossing)) return false
  const width = median(gaps.map(({ x0, x1 }) => x1 - x0))
  return width >= neededGap(gaps, em) * em
}

const neededGap = (gaps: readonly Separator[], em: number): number => {
  if (gaps.length < 3) return COLUMN_GAP_OF_FEW_EM
  const areAlike = (edges: readonly number[]): boolean => {
    const middle = median(edges)
    return edges.filter((edge) => Math.abs(edge - middle) < EDGE_EM * em).length >= 0.75 * edges.length
  }
  const isAligned = gaps.length > 3 && (areAlike(gaps.map(({ x1 }) => x1)) || areAlike(gaps.map(({ x0 }) => x0)))
  return isAligned ? ALIGNED_GAP_EM : COLUMN_GAP_EM
}

type Blob = { x0: number; x1: number }

/** The free space of a line around a strip, if text stands on both sides. */
const gapAt = (blobs: readonly Blob[], strip: Separator): Separator | 'crossed' | undefined => {
  let left = -Infinity
  for (const { x0, x1 } of blobs) {
    if (x1 <= strip.x0) left = x1
    else if (x0 >= strip.x1) return left === -Infinity ? undefined : { x0: left, x1: x0 }
    else return 'crossed'
  }
  return undefined
}

type Edge = { x: number; change: 1 | -1 }

const edgesOf = (rows: readonly (readonly Blob[])[]): Edge[] =>
  rows
    .flatMap((blobs) =>
      blobs.flatMap(({ x0, x1 }): Edge[] => [
        { x: x0, change: 1 },
        { x: Math.max(x1, x0), change: -1 },
      ]),
    )
    .sort((a, b) => a.x - b.x || a.change - b.change)

/** Strips between the texts that at most `tolerated` lines cross, each narrowed to where the fewest do. */
const openStrips = (edges: readonly Edge[], tolerated: number): Separator[] => {
  const strips: Separator[] = []
  let depth = 0
  let best: (Separator & { depth: number }) | undefined
  let seen = false
  edges.forEach(({ x, change }, index) => {
    depth += change
    if (depth > tolerated) {
      if (best && seen) strips.push({ x0: best.x0, x1: best.x1 })
      seen = true
      best = undefined
      return
    }
    const until = edges[index + 1]?.x ?? x
    if (until <= x) return
    if (!best || depth < best.depth || (depth === best.depth && until - x > best.x1 - best.x0))
      best = { x0: x, x1: until, depth }
  })
  return strips
}
