import type { Box } from '../document/model.ts'

/** Fewer lines above each other are no column. */
const MIN_COLUMN_LINES = 3
/** Columns of text have lines of at least so many times their height; shorter ones are cells, read row by row. */
const MIN_COLUMN_WIDTH = 7
/** Share of the lower column's height that the other must stand beside. */
const MIN_BESIDE = 0.5
const MAX_DEPTH = 6
/** Every line is tried as the edge of a column against every other: enough for any page that is read. */
const MAX_LINES = 2_000

/** Puts lines of upright text in reading order: column by column where there are columns, else row by row. */
export const orderLines = <T extends Box>(lines: readonly T[], direction: 'ltr' | 'rtl' = 'ltr'): T[] => {
  // Seen in a mirror, text that runs to the left runs to the right.
  const placed = lines.map((line) => ({
    x: direction === 'ltr' ? line.x : -line.x - line.width,
    y: line.y,
    width: line.width,
    height: line.height,
    line,
  }))
  return orderWithin(placed, lines.length <= MAX_LINES ? MAX_DEPTH : 0).map(({ line }) => line)
}

const orderWithin = <T extends Box>(lines: readonly T[], depth: number): T[] => {
  const bands = depth > 0 ? findBands(lines) : undefined
  if (!bands) return orderRows(lines)
  return bands.flatMap((band) =>
    'left' in band
      ? [...orderWithin(band.left, depth - 1), ...orderWithin(band.right, depth - 1)]
      : orderRows(band.lines),
  )
}

/** What lies between two heights of the page: two columns, or lines that run across. */
type Band<T> = { left: T[]; right: T[] } | { lines: T[] }

/** Cuts the page at the gap that parts the most lines; undefined where no gap parts columns of text. */
const findBands = <T extends Box>(lines: readonly T[]): Band<T>[] | undefined => {
  const fromTop = lines.toSorted((a, b) => middleY(a) - middleY(b))
  let best: { bands: Band<T>[]; parted: number } | undefined
  for (const x of new Set(lines.map((line) => Math.floor(line.x)))) {
    const bands = cutAt(fromTop, x)
    const parted = bands.reduce(
      (sum, band) => sum + ('left' in band ? Math.min(band.left.length, band.right.length) : 0),
      0,
    )
    if (parted > (best?.parted ?? 0)) best = { bands, parted }
  }
  return best?.bands
}

const cutAt = <T extends Box>(fromTop: readonly T[], x: number): Band<T>[] => {
  const bands: Band<T>[] = []
  let stretch: T[] = []
  const addLines = (more: readonly T[]) => {
    const last = bands.at(-1)
    if (last && 'lines' in last) last.lines.push(...more)
    else bands.push({ lines: [...more] })
  }
  const endStretch = () => {
    const left = stretch.filter((line) => line.x < x)
    const right = stretch.filter((line) => line.x >= x)
    if (isColumn(left) && isColumn(right) && areBeside(left, right)) bands.push({ left, right })
    else if (stretch.length > 0) addLines(stretch)
    stretch = []
  }
  for (const line of fromTop) {
    if (line.x < x && line.x + line.width > x) {
      endStretch()
      addLines([line])
    } else stretch.push(line)
  }
  endStretch()
  return bands
}

const isColumn = (lines: readonly Box[]): boolean =>
  lines.length >= MIN_COLUMN_LINES && median(lines.map(({ width, height }) => width / height)) >= MIN_COLUMN_WIDTH

const areBeside = (left: readonly Box[], right: readonly Box[]): boolean => {
  const a = spanOf(left)
  const b = spanOf(right)
  const together = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return together >= MIN_BESIDE * Math.min(a.end - a.start, b.end - b.start)
}

const spanOf = (lines: readonly Box[]) => ({
  start: Math.min(...lines.map(({ y }) => y)),
  end: Math.max(...lines.map(({ y, height }) => y + height)),
})

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Rows from top to bottom; what stands at one height from left to right. */
const orderRows = <T extends Box>(lines: readonly T[]): T[] => {
  const rows: T[][] = []
  for (const line of lines.toSorted((a, b) => middleY(a) - middleY(b))) {
    const row = rows.at(-1)
    const last = row?.at(-1)
    if (row && last && Math.abs(middleY(line) - middleY(last)) < Math.min(line.height, last.height) / 2) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x))
}

const middleY = ({ y, height }: Box): number => y + height / 2
