import { type Edges, median, middleOf, overlapOf } from './geometry.ts'

/** Something that is read as one: a line, a table, a figure with what stands in it. */
export type Atom<T> = Edges & {
  value: T
  /** Characters of a line; `undefined` for what is no line. */
  characters?: number
  /** Lines in it, where there is more than one. */
  lines?: number
  numeric?: boolean
  size: number
}

/** Atoms under each other that are read from top to bottom. */
export type Column<T> = { atoms: Atom<T>[]; left: number; right: number }

/** Edges this near to each other, in points, are one edge. */
const EDGE_TOLERANCE = 2.5
const CANDIDATES_LIMIT = 14
const DEPTH_LIMIT = 14

/** Columns in the order in which they are read: a cut is sought that most of the text keeps clear of, then in each part. */
export const orderColumns = <T>(atoms: readonly Atom<T>[], rightToLeft = false): Column<T>[] => {
  if (atoms.length === 0) return []
  const lineHeight = median(atoms.filter(isLine).map(({ y, bottom }) => bottom - y)) || 12
  const columns: Column<T>[] = []
  const visit = (part: readonly Atom<T>[], depth: number): void => {
    if (part.length === 0) return
    const cut = depth < DEPTH_LIMIT && part.length > 2 && standBeside(part) ? findCut(part, lineHeight) : undefined
    if (!cut) {
      columns.push(toColumn(part))
      return
    }
    for (const band of cut) {
      if (band.kind === 'whole') visit(band.atoms, depth + 1)
      else for (const side of rightToLeft ? [band.right, band.left] : [band.left, band.right]) visit(side, depth + 1)
    }
  }
  visit(atoms, 0)
  return columns
}

/** Whether any atoms stand beside each other: most pages have one column, and are told so at once. */
const standBeside = <T>(atoms: readonly Atom<T>[]): boolean => {
  let bottom = -Infinity
  for (const atom of [...atoms].sort((a, b) => a.y - b.y)) {
    if (atom.y < bottom - (atom.bottom - atom.y) * 0.4) return true
    if (atom.bottom > bottom) bottom = atom.bottom
  }
  return false
}

const isLine = <T>(atom: Atom<T>): boolean => atom.characters !== undefined

const toColumn = <T>(atoms: readonly Atom<T>[]): Column<T> => {
  let left = Infinity
  let right = -Infinity
  for (const atom of atoms) {
    left = Math.min(left, atom.x)
    right = Math.max(right, atom.right)
  }
  return { atoms: [...atoms].sort((a, b) => a.y - b.y || a.x - b.x), left, right }
}

type Side<T> = Atom<T>[]
type Band<T> =
  | { kind: 'whole'; y: number; atoms: Side<T> }
  | { kind: 'split'; y: number; left: Side<T>; right: Side<T> }

/** The bands that the best cut makes of a part; nothing where no cut is worth making. */
const findCut = <T>(atoms: readonly Atom<T>[], lineHeight: number): Band<T>[] | undefined => {
  let best: Band<T>[] | undefined
  let bestWorth = 0
  const starts = atoms.map((atom) => atom.x).sort((a, b) => b - a)
  const ends = atoms.map((atom) => atom.right).sort((a, b) => a - b)
  const few = Math.min(atoms.length - 1, atoms.some((atom) => !isLine(atom) || atom.lines !== undefined) ? 0 : 1)
  for (const x of candidateCuts(atoms, lineHeight)) {
    // Without a line or two on either side it is no cut.
    if ((starts[few] as number) < x - EDGE_TOLERANCE * 2 || (ends[few] as number) > x + lineHeight) continue
    const { bands, worth } = cutAt(atoms, x, lineHeight)
    if (worth > bestWorth * 1.02) {
      best = bands
      bestWorth = worth
    }
  }
  return best
}

/** Where several lines begin, or several end: a column may begin or end there. */
const candidateCuts = <T>(atoms: readonly Atom<T>[], lineHeight: number): number[] => {
  const weightOf = (atom: Atom<T>) => linesIn(atom, lineHeight)
  const clusters: { x: number; weight: number }[] = []
  const gather = (edges: { x: number; weight: number }[], keep: (cluster: { from: number; to: number }) => number) => {
    edges.sort((a, b) => a.x - b.x)
    let from = Number.NaN
    let to = Number.NaN
    let weight = 0
    const close = () => {
      if (weight >= 2) clusters.push({ x: keep({ from, to }), weight })
    }
    for (const edge of edges) {
      if (edge.x - to <= EDGE_TOLERANCE) {
        to = edge.x
        weight += edge.weight
        continue
      }
      close()
      from = edge.x
      to = edge.x
      weight = edge.weight
    }
    close()
  }
  const clear = gutterOf(lineHeight)
  gather(
    atoms.map((atom) => ({ x: atom.x, weight: weightOf(atom) })),
    ({ from }) => from,
  )
  gather(
    atoms.map((atom) => ({ x: atom.right, weight: weightOf(atom) })),
    ({ to }) => to + clear,
  )
  return clusters
    .sort((a, b) => b.weight - a.weight)
    .slice(0, CANDIDATES_LIMIT)
    .map(({ x }) => x)
}

/** A gutter narrower than this, in points, may be a wide space. */
const gutterOf = (lineHeight: number): number => Math.max(2.5, lineHeight * 0.25)

const linesIn = <T>(atom: Atom<T>, lineHeight: number): number =>
  isLine(atom) ? (atom.lines ?? 1) : Math.max(1, (atom.bottom - atom.y) / lineHeight)

const NO_CUT = { bands: [], worth: 0 }

const cutAt = <T>(atoms: readonly Atom<T>[], x: number, lineHeight: number): { bands: Band<T>[]; worth: number } => {
  const crossing: Atom<T>[] = []
  const left: Atom<T>[] = []
  const right: Atom<T>[] = []
  const clear = gutterOf(lineHeight)
  for (const atom of atoms) {
    const side = sideOf(atom, x, clear)
    ;(side === 'left' ? left : side === 'right' ? right : crossing).push(atom)
  }
  if (left.length === 0 || right.length === 0) return NO_CUT
  if (left.length + right.length < 4 && left.every(isLine) && right.every(isLine)) return NO_CUT
  const walls = mergeSpans(crossing)
  const zones = Array.from({ length: walls.length + 1 }, () => ({ left: [] as Side<T>, right: [] as Side<T> }))
  const rest: Atom<T>[] = [...crossing]
  const place = (side: 'left' | 'right') => (atom: Atom<T>) => {
    const zone = zoneOf(walls, middleOf(atom))
    if (zone < 0) rest.push(atom)
    else zones[zone]?.[side].push(atom)
  }
  left.forEach(place('left'))
  right.forEach(place('right'))
  const bands: Band<T>[] = []
  let worth = 0
  for (const zone of zones.flatMap((whole) => partZone(whole.left, whole.right, lineHeight))) {
    const split = splitZone(zone.left, zone.right, lineHeight)
    rest.push(...split.rest)
    if (split.worth === 0) continue
    worth += split.worth
    bands.push({ kind: 'split', y: topOf([...split.left, ...split.right]), left: split.left, right: split.right })
  }
  if (worth === 0) return NO_CUT
  return { bands: withRest(bands, rest), worth }
}

/** What reaches only a little over the cut stands on the side where most of it is. */
const sideOf = <T>(atom: Atom<T>, x: number, clear: number): 'left' | 'right' | 'crossing' => {
  if (atom.right <= x - clear) return 'left'
  if (atom.x >= x - EDGE_TOLERANCE) return 'right'
  const little = Math.min(atom.size, (atom.right - atom.x) * 0.08)
  if (atom.right - x < little) return 'left'
  if (x - atom.x < little) return 'right'
  return 'crossing'
}

type Span = { from: number; to: number }

const mergeSpans = <T>(atoms: readonly Atom<T>[]): Span[] => {
  const spans: Span[] = []
  for (const { y, bottom } of [...atoms].sort((a, b) => a.y - b.y)) {
    const last = spans.at(-1)
    if (last && y <= last.to) last.to = Math.max(last.to, bottom)
    else spans.push({ from: y, to: bottom })
  }
  return spans
}

/** Number of the zone between walls that a height lies in; -1 within a wall. */
const zoneOf = (walls: readonly Span[], y: number): number => {
  let low = 0
  let high = walls.length
  while (low < high) {
    const half = (low + high) >> 1
    if ((walls[half] as Span).to < y) low = half + 1
    else high = half
  }
  const wall = walls[low]
  return wall && y >= wall.from ? -1 : low
}

const topOf = <T>(atoms: readonly Atom<T>[]): number => atoms.reduce((top, { y }) => Math.min(top, y), Infinity)
const bottomOf = <T>(atoms: readonly Atom<T>[]): number =>
  atoms.reduce((bottom, atom) => Math.max(bottom, atom.bottom), -Infinity)

type Sides<T> = { left: Side<T>; right: Side<T> }

const HEAD_LINES_LIMIT = 8

/**
 * Short lines at the top of both columns, as of authors beside each other, are read before what stands below a gap that
 * goes through both.
 */
const partZone = <T>(left: Side<T>, right: Side<T>, lineHeight: number): Sides<T>[] => {
  const whole = [{ left, right }]
  const leftHead = headOf(left, lineHeight)
  const rightHead = headOf(right, lineHeight)
  if (!leftHead || !rightHead) return whole
  const clearFrom = Math.max(leftHead.bottom, rightHead.bottom)
  const clearTo = Math.min(leftHead.next, rightHead.next)
  if (clearTo - clearFrom < lineHeight * 0.8) return whole
  const isAbove = (atom: Atom<T>): boolean => middleOf(atom) < clearFrom
  return [
    { left: left.filter(isAbove), right: right.filter(isAbove) },
    { left: left.filter((atom) => !isAbove(atom)), right: right.filter((atom) => !isAbove(atom)) },
  ]
}

/** The first lines of a side, short ones, down to its first wide gap. */
const headOf = <T>(side: Side<T>, lineHeight: number): { bottom: number; next: number } | undefined => {
  if (side.length < 4) return undefined
  const sorted = [...side].sort((a, b) => a.y - b.y)
  const left = sorted.reduce((least, { x }) => Math.min(least, x), Infinity)
  const width = sorted.reduce((most, { right }) => Math.max(most, right), -Infinity) - left
  let bottom = -Infinity
  for (const [index, atom] of sorted.entries()) {
    if (index > 0 && atom.y - bottom > lineHeight * 1.3) return { bottom, next: atom.y }
    if (index >= HEAD_LINES_LIMIT || !isLine(atom) || atom.right - atom.x > width * 0.8) return undefined
    bottom = Math.max(bottom, atom.bottom)
  }
  return undefined
}

type ZoneSplit<T> = { left: Side<T>; right: Side<T>; rest: Side<T>; worth: number }

/** The columns of a stretch that nothing crosses, if what stands in it are columns. */
const splitZone = <T>(left: Side<T>, right: Side<T>, lineHeight: number): ZoneSplit<T> => {
  const whole: ZoneSplit<T> = { left: [], right: [], rest: [...left, ...right], worth: 0 }
  if (left.length === 0 || right.length === 0) return whole
  const cut = trimZone(left, right, lineHeight)
  if (cut.left.length === 0 || cut.right.length === 0) return whole
  const leftLines = cut.left.reduce((sum, atom) => sum + linesIn(atom, lineHeight), 0)
  const rightLines = cut.right.reduce((sum, atom) => sum + linesIn(atom, lineHeight), 0)
  const fewer = Math.min(leftLines, rightLines)
  const withObject = cut.left.some((atom) => !isLine(atom)) || cut.right.some((atom) => !isLine(atom))
  if (fewer < 2 && !(withObject && Math.max(leftLines, rightLines) >= 3)) return whole
  // Wide spaces in a few lines of text come to stand over each other by chance.
  const gutter = gutterBetween(cut.left, cut.right)
  if (!withObject && fewer < (gutter < lineHeight * 0.8 ? 6 : gutter < lineHeight * 1.6 ? 3 : 2)) return whole
  const beside = overlapOf(topOf(cut.left), bottomOf(cut.left), topOf(cut.right), bottomOf(cut.right))
  const lower = Math.min(bottomOf(cut.left) - topOf(cut.left), bottomOf(cut.right) - topOf(cut.right))
  if (beside < lower * 0.3) return whole
  if (isRows(cut.left, cut.right, lineHeight)) return whole
  return { ...cut, worth: fewer + 0.1 * (leftLines + rightLines) }
}

/** The width that is clear between two sides, but for the odd line that reaches into it. */
const gutterBetween = <T>(left: Side<T>, right: Side<T>): number => {
  const ends = left.map((atom) => atom.right).sort((a, b) => b - a)
  const starts = right.map((atom) => atom.x).sort((a, b) => a - b)
  return (starts[Math.floor(starts.length * 0.05)] as number) - (ends[Math.floor(ends.length * 0.05)] as number)
}

/** What stands on the right above all that is on the left comes before both; what stands well below on the left, after. */
const trimZone = <T>(
  left: Side<T>,
  right: Side<T>,
  lineHeight: number,
): { left: Side<T>; right: Side<T>; rest: Side<T> } => {
  const leftTop = topOf(left)
  const rightBottom = bottomOf(right)
  const [rest, keptRight] = partAbove(right, leftTop, lineHeight)
  const sorted = [...left].sort((a, b) => a.y - b.y)
  let bottom = -Infinity
  let kept = sorted.length
  for (const [index, atom] of sorted.entries()) {
    if (atom.y >= rightBottom && atom.y - bottom > lineHeight * 1.5) {
      kept = index
      break
    }
    bottom = Math.max(bottom, atom.bottom)
  }
  return { left: sorted.slice(0, kept), right: keptRight, rest: [...rest, ...sorted.slice(kept)] }
}

/** The first atoms of a side that end above a height, if a gap parts them from the rest, and the others. */
const partAbove = <T>(atoms: Side<T>, y: number, lineHeight: number): [Side<T>, Side<T>] => {
  const above = atoms.filter((atom) => atom.bottom <= y)
  if (above.length === 0) return [[], atoms]
  const others = atoms.filter((atom) => atom.bottom > y)
  const isSmall = above.length <= 3 && above.every(isLine)
  return isSmall && topOf(others) - bottomOf(above) > lineHeight * 1.5 ? [above, others] : [[], atoms]
}

/**
 * Whether two sides are read across, not down: names with values, titles with page numbers. There the lines of one side
 * each stand on the height of one of the other, and are short.
 */
const isRows = <T>(left: Side<T>, right: Side<T>, lineHeight: number): boolean => {
  const leftLines = left.filter(isLine)
  const rightLines = right.filter(isLine)
  if (leftLines.length === 0 || rightLines.length === 0) return false
  if (leftLines.length < left.length || rightLines.length < right.length) return false
  if ([...left, ...right].some(({ lines }) => lines !== undefined)) return false
  const leftMatched = matchedShare(leftLines, rightLines, lineHeight)
  const rightMatched = matchedShare(rightLines, leftLines, lineHeight)
  const leftLength = median(leftLines.map(({ characters }) => characters ?? 0))
  const rightLength = median(rightLines.map(({ characters }) => characters ?? 0))
  const numbers = rightLines.filter(({ numeric }) => numeric).length
  if (rightMatched >= 0.8 && numbers >= rightLines.length * 0.7) return true
  if (leftMatched >= 0.8 && leftLines.filter(({ numeric }) => numeric).length >= leftLines.length * 0.7) return true
  if (leftMatched >= 0.8 && rightMatched >= 0.8 && Math.min(leftLength, rightLength) <= 16) {
    // A narrow column of prose is set as tightly as its neighbour; rows have one line each or stand apart.
    return !isTight(leftLength < rightLength ? leftLines : rightLines) || Math.max(leftLength, rightLength) <= 22
  }
  if (leftLines.length < 3) return false
  return leftMatched >= 0.8 && leftLength <= 22 && leftLines.length * 1.3 <= rightLines.length && !isTight(leftLines)
}

const matchedShare = <T>(lines: Side<T>, others: Side<T>, lineHeight: number): number => {
  const heights = others.map(middleOf).sort((a, b) => a - b)
  const near = lineHeight * 0.3
  const matched = lines.filter((line) => {
    const middle = middleOf(line)
    let low = 0
    let high = heights.length
    while (low < high) {
      const half = (low + high) >> 1
      if ((heights[half] as number) < middle - near) low = half + 1
      else high = half
    }
    return low < heights.length && (heights[low] as number) <= middle + near
  })
  return matched.length / lines.length
}

const isTight = <T>(lines: Side<T>): boolean => {
  const sorted = [...lines].sort((a, b) => a.y - b.y)
  const gaps = sorted
    .slice(1)
    .map((line, index) => (line.y - (sorted[index] as Atom<T>).bottom) / (line.bottom - line.y))
  return gaps.length > 2 && gaps.filter((gap) => gap < 0.6).length >= gaps.length * 0.8
}

/** Puts what is not in columns between the bands, by height. */
const withRest = <T>(bands: readonly Band<T>[], rest: readonly Atom<T>[]): Band<T>[] => {
  const ordered: Band<T>[] = []
  const sorted = [...rest].sort((a, b) => middleOf(a) - middleOf(b))
  let next = 0
  const takeUntil = (y: number) => {
    const taken: Atom<T>[] = []
    while (next < sorted.length && middleOf(sorted[next] as Atom<T>) < y) taken.push(sorted[next++] as Atom<T>)
    if (taken.length > 0) ordered.push({ kind: 'whole', y: topOf(taken), atoms: taken })
  }
  for (const band of [...bands].sort((a, b) => a.y - b.y)) {
    takeUntil(band.y)
    ordered.push(band)
  }
  takeUntil(Infinity)
  return ordered
}
