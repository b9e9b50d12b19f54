import { findHull, fitRectangle, growRectangle, type LeaningRectangle, type Point } from './rectangle.ts'

/** How likely each point of an image belongs to the core of a line of text, row by row. */
export type TextMap = { width: number; height: number; data: Float32Array }

/** From which likelihood on a point is text. */
const POINT_THRESHOLD = 0.3
/** Mean likelihood of the points of a line. */
const LINE_THRESHOLD = 0.55
/** Thinner cores are specks. */
const MIN_CORE = 2
/** The model marks the core of a line; the line is larger by this share of area to perimeter. */
const GROWTH = 1.6
const MAX_LINES = 5_000

/** The lines of text that a map shows, as rectangles in its points. */
export const findText = ({ width, height, data }: TextMap): LeaningRectangle[] => {
  const seen = new Uint8Array(width * height)
  const open: number[] = []
  const found: LeaningRectangle[] = []
  for (let start = 0; start < data.length && found.length < MAX_LINES; start++) {
    if (seen[start] || (data[start] ?? 0) <= POINT_THRESHOLD) continue
    const edges = new Map<number, [left: number, right: number]>()
    let sum = 0
    let count = 0
    seen[start] = 1
    open.push(start)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width
      const y = (at - x) / width
      sum += data[at] ?? 0
      count++
      const edge = edges.get(y)
      if (!edge) edges.set(y, [x, x])
      else if (x < edge[0]) edge[0] = x
      else if (x > edge[1]) edge[1] = x
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (seen[next] || (data[next] ?? 0) <= POINT_THRESHOLD) continue
          seen[next] = 1
          open.push(next)
        }
      }
    }
    if (sum / count < LINE_THRESHOLD) continue
    const core = fitRectangle(findHull(cornersOf(edges)))
    if (Math.min(core.width, core.height) < MIN_CORE) continue
    found.push(growRectangle(core, (core.width * core.height * GROWTH) / (2 * (core.width + core.height))))
  }
  return found
}

/** Points are squares: their corners make the shape. */
const cornersOf = (edges: ReadonlyMap<number, readonly [number, number]>): Point[] =>
  [...edges].flatMap(([y, [left, right]]): Point[] => [
    [left, y],
    [left, y + 1],
    [right + 1, y],
    [right + 1, y + 1],
  ])
