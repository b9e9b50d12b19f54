import { type Edges, edgesAround } from './geometry.ts'
import type { Line } from './lines.ts'

/** Lines that stand apart at the top and at the foot of a page, where running headers and footers do. */
export type Margins = { top: Row[][]; bottom: Row[][]; rest: Line[] }

/** Lines on one height, from left to right; rows that no gap parts make a group. */
export type Row = Line[]

const ROWS_LIMIT = 3
/** How much of the page's height a margin may take. */
const EDGE_SHARE = 0.13
/** A row is set apart when the gap to the next one is greater than this many times its height. */
const APART = 0.9
const SEGMENTS_LIMIT = 5
/** Longer lines, several together, are text. */
const PROSE_CHARACTERS = 60

/** Sets aside the rows at the edges of a page that a gap parts from the text. */
export const findMargins = (lines: readonly Line[], pageHeight: number, objects: readonly Edges[]): Margins => {
  const high = lines.filter((line) => line.y < pageHeight * 2 * EDGE_SHARE)
  const all = objects.length > 0 ? Infinity : lines.length
  const top = takeRows(high, objects, pageHeight * EDGE_SHARE, all)
  const atTop = new Set(top.flat(2))
  const below = lines.filter((line) => !atTop.has(line))
  // The foot is the top of the page upside down.
  const originals = new Map(
    below.filter((line) => line.bottom > pageHeight * (1 - 2 * EDGE_SHARE)).map((line) => [flip(line), line]),
  )
  const flipped = takeRows([...originals.keys()], objects.map(flip), pageHeight * (EDGE_SHARE - 1), all - atTop.size)
  const bottom = flipped
    .map((group) => group.map((row) => row.map((line) => originals.get(line) as Line)).reverse())
    .reverse()
  const atFoot = new Set(bottom.flat(2))
  return { top, bottom, rest: below.filter((line) => !atFoot.has(line)) }
}

const flip = <T extends Edges>(edges: T): T => ({ ...edges, y: -edges.bottom, bottom: -edges.y })

const takeRows = (lines: readonly Line[], objects: readonly Edges[], limit: number, all: number): Row[][] => {
  const rows = nearestRows(lines, limit)
  const taken: Row[][] = []
  let waiting: Row[] = []
  for (const [index, row] of rows.entries()) {
    const around = edgesAround(row)
    if (index > ROWS_LIMIT || around.bottom > limit || row.length > SEGMENTS_LIMIT) break
    if (objects.some(({ y, bottom }) => y < around.bottom && bottom > around.y)) break
    waiting.push(row)
    let nextTop = Infinity
    for (const { y } of rows[index + 1] ?? []) if (y < nextTop) nextTop = y
    for (const { y } of objects) if (y >= around.bottom - 1 && y < nextTop) nextTop = y
    if (nextTop - around.bottom < (around.bottom - around.y) * APART) continue
    if (waiting.length > 1 && waiting.some((part) => part.some(({ characters }) => characters > PROSE_CHARACTERS)))
      break
    taken.push(waiting)
    waiting = []
  }
  // Where that is all there is, it is the text and no margin.
  return taken.flat(2).length === all ? [] : taken
}

/** The rows down to a height, and the one after. */
const nearestRows = (lines: readonly Line[], limit: number): Row[] => {
  const rows: Row[] = []
  let bottom = -Infinity
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    if (line.y < bottom - (line.bottom - line.y) * 0.3) {
      rows.at(-1)?.push(line)
      bottom = Math.max(bottom, line.bottom)
      continue
    }
    if (rows.length > ROWS_LIMIT + 1 || (rows.at(-1)?.[0]?.y ?? -Infinity) > limit) break
    rows.push([line])
    bottom = line.bottom
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x)
  return rows
}
