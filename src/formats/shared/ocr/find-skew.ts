/** A picture in shades of grey, row by row, of at most `SKEW_PICTURE_SIDE` pixels each way. */
export type GreyPicture = { width: number; height: number; data: Uint8Array }

/** Lines of text are still apart at this size, and a larger one takes longer. */
export const SKEW_PICTURE_SIDE = 1_000
/** No point is farther from the middle than half a diagonal. */
const REACH = SKEW_PICTURE_SIDE

const MAX_DEGREES = 15
const COARSE_STEP_DEGREES = 0.5
const FINE_STEP_DEGREES = 0.1
/** More points of ink than this add nothing. */
const MAX_POINTS = 40_000
const MIN_POINTS = 200
/** How much more sharply than at the other angles lines must stand out at the best one. */
const MIN_CONTRAST = 1.25

/**
 * Degrees that the lines of a page lean clockwise, between -15 and 15; 0 where none stand out. At the right angle ink
 * falls together in rows (or columns, for a page on its side) with gaps between.
 */
export const findSkewDegrees = (picture: GreyPicture): number => {
  const points = findEdges(picture)
  if (points.length < 2 * MIN_POINTS) return 0
  const coarse = range(-MAX_DEGREES, MAX_DEGREES, COARSE_STEP_DEGREES).map((degrees) => measure(points, degrees))
  const best = coarse.reduce((a, b) => (b.sharpness > a.sharpness ? b : a))
  const ordinary = median(coarse.map(({ sharpness }) => sharpness))
  if (best.sharpness < ordinary * MIN_CONTRAST) return 0
  const fine = range(best.degrees - COARSE_STEP_DEGREES, best.degrees + COARSE_STEP_DEGREES, FINE_STEP_DEGREES)
    .map((degrees) => measure(points, degrees))
    .reduce((a, b) => (b.sharpness > a.sharpness ? b : a))
  return Math.abs(fine.degrees) > MAX_DEGREES - COARSE_STEP_DEGREES ? 0 : Math.round(fine.degrees * 10) / 10
}

/** Where dark meets light going down or across: the outlines of letters, whichever of the two is the ink. */
const findEdges = ({ width, height, data }: GreyPicture): Float32Array => {
  const threshold = edgeThreshold({ width, height, data })
  const found: number[] = []
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const at = y * width + x
      const here = data[at] ?? 0
      if (here - (data[at + width] ?? 0) > threshold || here - (data[at + 1] ?? 0) > threshold) found.push(x, y)
    }
  }
  const every = Math.max(1, Math.ceil(found.length / 2 / MAX_POINTS))
  const points = new Float32Array(2 * Math.ceil(found.length / 2 / every))
  for (let from = 0, to = 0; from < found.length; from += 2 * every) {
    points[to++] = (found[from] ?? 0) - width / 2
    points[to++] = (found[from + 1] ?? 0) - height / 2
  }
  return points
}

/** A fair part of the whole range of greys, so that faint pages have edges too. */
const edgeThreshold = ({ data }: GreyPicture): number => {
  const counts = new Uint32Array(256)
  for (const grey of data) counts[grey] = (counts[grey] ?? 0) + 1
  const at = (share: number) => {
    let left = data.length * share
    return counts.findIndex((count) => {
      left -= count
      return left <= 0
    })
  }
  return Math.max(8, (at(0.995) - at(0.005)) / 5)
}

const measure = (points: Float32Array, degrees: number): { degrees: number; sharpness: number } => {
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  const rows = new Uint32Array(2 * REACH)
  const columns = new Uint32Array(2 * REACH)
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] as number
    const y = points[i + 1] as number
    const row = Math.round(y * cos - x * sin) + REACH
    const column = Math.round(x * cos + y * sin) + REACH
    rows[row] = (rows[row] as number) + 1
    columns[column] = (columns[column] as number) + 1
  }
  return { degrees, sharpness: Math.max(sharpnessOf(rows), sharpnessOf(columns)) }
}

/** Sum of squared differences between neighbours: great where full rows and empty ones follow each other. */
const sharpnessOf = (counts: Uint32Array): number => {
  let sum = 0
  for (let i = 1; i < counts.length; i++) sum += ((counts[i] as number) - (counts[i - 1] as number)) ** 2
  return sum
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step)

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
