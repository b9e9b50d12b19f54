import { sketchColumns } from './column-table.ts'
import { edgesOf } from './edges.ts'
import type { Band } from './page-words.ts'
import type { Ruling } from './rulings.ts'
import type { Sketch } from './sketch.ts'

/** Lines of a table without rules stand at most this many ems apart, or this many if their columns begin alike. */
const NEAR_EM = 1.6
const FAR_EM = 5
const MAX_PENDING = 12
/** Texts of one row stand at the same height, but for this part of an em. */
const LEVEL_EM = 0.2
/** And have the same size, but for this part of it. */
const SIZE_SHARE = 0.2

/** Tables that only their columns of text show. */
export const findAligned = (bands: readonly Band[], rules: readonly Ruling[]): Sketch[] => {
  const sketches: Sketch[] = []
  let index = 0
  let used = 0
  while (index < bands.length) {
    const band = bands[index]
    if (!band || band.segments.length < 2) {
      index++
      continue
    }
    const start = startOfHead(bands, index, used)
    const end = endOfRegion(bands, index)
    const region = bands.slice(start, end)
    if (region.length > 1) {
      const [top, bottom] = [region[0]?.y0 ?? 0, region.at(-1)?.y1 ?? 0]
      const inside = rules.filter(({ at, from, to }) => at > top && at < bottom && from < band.x1 && to > band.x0)
      const sketch = isLevel(region) && !isJustified(region) ? sketchColumns(region, inside, 0.7) : undefined
      if (sketch) sketches.push(sketch)
    }
    index = Math.max(end, index + 1)
    used = index
  }
  return sketches
}

type Opening = { x0: number; x1: number }

/** Index after the last line that goes on with the columns that begin at a line. */
const endOfRegion = (bands: readonly Band[], start: number): number => {
  const first = bands[start]
  if (!first) return start
  const edges = edgesOf(first.size)
  edges.add(first)
  let openings = openingsOf(first)
  let end = start + 1
  let pending = 0
  let spanning = false
  let last = first
  for (let index = start + 1; index < bands.length && pending <= MAX_PENDING; index++) {
    const whole = bands[index]
    if (!whole) break
    const band = edges.part(whole)
    const gap = band.y0 - last.y1
    const left = narrow(openings, band)
    const isNear = gap < NEAR_EM * band.size
    if (!isNear && (gap > FAR_EM * band.size || !edges.hold(band))) break
    if (Math.max(band.size, last.size) > 1.35 * Math.min(band.size, last.size)) break
    if (band.segments.length > 1) {
      if (left.length * 2 < openings.length || left.length === 0 || (spanning && !edges.hold(band))) break
      openings = left
      end = index + 1
      pending = 0
      spanning = false
      edges.add(band)
    } else {
      if (left.length < openings.length) {
        if (spanning || isSentence(band, first)) break
        spanning = true
      }
      pending++
    }
    last = band
  }
  while (end < bands.length && isContinuation(bands[end - 1], bands[end], openings)) end++
  return endOfSingles(bands, start, end)
}

/** Whether a line over several columns is too long to be the name of a group of rows. */
const isSentence = ({ words, x0, x1 }: Band, first: Band): boolean =>
  words.length > 8 ||
  (words.length > 3 && /[.!?:]$/.test(words.at(-1)?.text ?? '')) ||
  (words.length > 4 && x1 - x0 > 0.8 * (first.x1 - first.x0) && !words.every(({ bold }) => bold))

/** Takes in rows after the last full one that only have one entry, where the columns leave no doubt. */
const endOfSingles = (bands: readonly Band[], start: number, end: number): number => {
  const region = bands.slice(start, end)
  const left = Math.min(...region.map(({ x0 }) => x0))
  const singles: Band[] = []
  for (const band of bands.slice(end, end + MAX_PENDING)) {
    const above = singles.at(-1) ?? region.at(-1)
    if (!above || band.segments.length > 1 || band.y0 - above.y1 > FAR_EM * band.size) break
    if (Math.abs(band.size - above.size) > 0.1 * above.size) break
    singles.push(band)
  }
  // Entries of the last group, in a column where other rows have their only entry too.
  const alone = region.filter(({ segments, x0 }) => segments.length === 1 && x0 > left + 2)
  const group = singles.findIndex(({ x0, size }) => !alone.some((band) => Math.abs(band.x0 - x0) < 0.2 * size))
  if (group !== 0 && singles.length > 0) return end + (group < 0 ? singles.length : group)
  // Labels left of a head that has no name for them: a table to be filled in.
  if (!region.every(({ words }) => words.every(({ bold }) => bold))) return end
  const x0 = singles[0]?.x0 ?? 0
  const other = singles.findIndex((band) => band.x1 > left || Math.abs(band.x0 - x0) > 0.3 * band.size)
  const labels = other < 0 ? singles.length : other
  return labels > 2 ? end + labels : end
}

/** Whether the texts of most lines stand at one height: what only happens to be beside each other does not. */
const isLevel = (bands: readonly Band[]): boolean => {
  const parted = bands.filter(({ segments }) => segments.length > 1)
  const crooked = parted.filter(({ segments, size }) => {
    const bottoms = segments.map(({ words }) => Math.max(...words.map(({ y1 }) => y1)))
    const middles = segments.map(({ words }) => Math.max(...words.map(({ y0, y1 }) => y0 + y1)) / 2)
    const sizes = segments.map(({ words }) => Math.max(...words.map((word) => word.size)))
    return Math.min(spread(bottoms), spread(middles)) > LEVEL_EM * size || spread(sizes) > SIZE_SHARE * size
  })
  return crooked.length * 4 <= parted.length
}

/** Whether the gaps are those of justified text: alike within a line that goes from edge to edge, but not from line to line. */
const isJustified = (bands: readonly Band[]): boolean => {
  const parted = bands.filter(({ segments }) => segments.length > 1)
  const [left, right] = [Math.min(...bands.map(({ x0 }) => x0)), Math.max(...bands.map(({ x1 }) => x1))]
  const widths: number[] = []
  for (const { words, x0, x1, size } of parted) {
    const gaps = words.slice(1).map((word, index) => word.x0 - (words[index]?.x1 ?? 0))
    if (x0 - left > 0.2 * size || right - x1 > 0.2 * size || gaps.length < 2) continue
    if (spread(gaps) < 0.15 * size) widths.push((gaps[0] ?? 0) / size)
  }
  return widths.length * 2 > parted.length && (widths.length < 3 || spread(widths) > 0.2)
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** A single text right below the last row, in one column, is the rest of a cell. */
const isContinuation = (above: Band | undefined, band: Band | undefined, openings: readonly Opening[]): boolean => {
  if (!above || !band || band.segments.length > 1) return false
  const isTight = band.y0 - above.y1 < 0.3 * band.size && band.size < 1.1 * above.size && band.size > 0.9 * above.size
  if (!isTight || narrow(openings, band).length < openings.length) return false
  return above.segments.some(({ x0, x1 }) => Math.abs(x0 - band.x0) < 0.3 * band.size && band.x1 <= x1 + 2 * band.size)
}

/** Lines right above that only have a part of the head, or have it so narrow that no gaps show. */
const startOfHead = (bands: readonly Band[], start: number, used: number): number => {
  let first = start
  while (first > used && start - first < 3) {
    const [band, below] = [bands[first - 1], bands[first]]
    const stub = below?.segments[0]
    if (!band || !below || !stub) break
    const gap = below.y0 - band.y1
    const isAlike = band.size < 1.1 * below.size && band.size > 0.9 * below.size
    const isPart = band.segments.length === 1 && band.x0 >= stub.x1 && (gap < 0.6 * band.size || isName(band, below))
    if (!isAlike || gap > NEAR_EM * band.size || !(isPart || namesColumns(band, below))) break
    first--
  }
  return first
}

/** Whether a bold line has the name of a column, where the labels of the rows have none. */
const isName = (band: Band, below: Band): boolean => {
  if (!band.words.every(({ bold }) => bold) || below.words.some(({ bold }) => bold)) return false
  const near = 0.2 * band.size
  return below.segments.slice(1).some(({ x0, x1 }) => Math.abs(x0 - band.x0) < near || Math.abs(x1 - band.x1) < near)
}

/** Whether a word begins wherever a text of the line below does; two may do so by chance, if they are not bold. */
const namesColumns = (band: Band, below: Band): boolean => {
  const isBold = band.words.every(({ bold }) => bold) && !below.words.some(({ bold }) => bold)
  if (below.segments.length < (isBold ? 2 : 3)) return false
  return below.segments.every(({ x0 }) => band.words.some((word) => Math.abs(word.x0 - x0) < 0.2 * band.size))
}

const openingsOf = ({ segments }: Band): Opening[] =>
  segments.slice(1).map((segment, index) => ({ x0: segments[index]?.x1 ?? 0, x1: segment.x0 }))

/** What a line leaves of openings. */
const narrow = (openings: readonly Opening[], band: Band): Opening[] => {
  const left: Opening[] = []
  for (const opening of openings) {
    let x0 = opening.x0
    for (const segment of band.segments) {
      if (segment.x1 <= x0 || segment.x0 >= opening.x1) continue
      if (segment.x0 - x0 > 0.4 * band.size) left.push({ x0, x1: segment.x0 })
      x0 = Math.max(x0, segment.x1)
    }
    if (opening.x1 - x0 > 0.4 * band.size) left.push({ x0, x1: opening.x1 })
  }
  return left
}
