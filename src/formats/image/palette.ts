/** A colour of a picture and the share of its visible pixels that it stands for. */
export type PaletteColor = { red: number; green: number; blue: number; share: number }

export type Palette = {
  colors: readonly PaletteColor[]
  average: { red: number; green: number; blue: number } | undefined
  /** Share of all pixels that nothing, or nearly nothing, is seen of. */
  transparentShare: number
  /** Whether any pixel lets something through. */
  hasTransparency: boolean
}

/** Pixels of nearly one colour: how many, and the sums of their channels. */
type Cell = { count: number; red: number; green: number; blue: number }

const CELL_BITS = 5
const CLEAR_BELOW = 32
const OPAQUE = 255
const REFINEMENTS = 8
/** Colours closer than this look like one. */
const MIN_DISTANCE = 20
const CHANNELS = ['red', 'green', 'blue'] as const

/** Finds the dominant colours among pixels of four bytes: median cut, then k-means; the same pixels give the same answer. */
export const findPalette = (pixels: Uint8Array, maxColors: number): Palette => {
  const cells = new Map<number, Cell>()
  const all: Cell = { count: 0, red: 0, green: 0, blue: 0 }
  let hasTransparency = false
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    hasTransparency ||= alpha < OPAQUE
    if (alpha < CLEAR_BELOW) continue
    const shift = 8 - CELL_BITS
    const key = ((red >> shift) << (2 * CELL_BITS)) | ((green >> shift) << CELL_BITS) | (blue >> shift)
    const cell = cells.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 }
    cells.set(key, cell)
    for (const sum of [cell, all]) add(sum, { count: 1, red, green, blue })
  }
  const total = pixels.length >> 2
  const centers = refine([...cells.values()], splitBoxes([...cells.values()], maxColors))
  return {
    colors: centers
      .map((center) => ({ ...round(center), share: center.count / Math.max(1, all.count) }))
      .sort((a, b) => b.share - a.share || toNumber(b) - toNumber(a)),
    average: all.count > 0 ? round(all) : undefined,
    transparentShare: total > 0 ? (total - all.count) / total : 0,
    hasTransparency,
  }
}

const add = (sum: Cell, more: Cell): void => {
  sum.count += more.count
  for (const channel of CHANNELS) sum[channel] += more[channel]
}

const sumUp = (cells: readonly Cell[]): Cell => {
  const sum: Cell = { count: 0, red: 0, green: 0, blue: 0 }
  for (const cell of cells) add(sum, cell)
  return sum
}

const mean = (cell: Cell, channel: (typeof CHANNELS)[number]): number => cell[channel] / cell.count

const round = (cell: Cell): { red: number; green: number; blue: number } => ({
  red: Math.round(mean(cell, 'red')),
  green: Math.round(mean(cell, 'green')),
  blue: Math.round(mean(cell, 'blue')),
})

const toNumber = ({ red, green, blue }: PaletteColor): number => (red << 16) | (green << 8) | blue

const squaredDistance = (a: Cell, b: Cell): number =>
  CHANNELS.reduce((sum, channel) => sum + (mean(a, channel) - mean(b, channel)) ** 2, 0)

type Box = { cells: readonly Cell[]; channel: (typeof CHANNELS)[number]; spread: number }

/** Cuts the box that spreads widest in two at the middle of its pixels, until there are enough. */
const splitBoxes = (cells: readonly Cell[], maxColors: number): Cell[] => {
  if (cells.length === 0) return []
  const boxes: Box[] = [measureBox(cells)]
  while (boxes.length < maxColors) {
    const widest = boxes.reduce((best, box) => (box.spread > best.spread ? box : best))
    if (widest.cells.length < 2) break
    const { channel } = widest
    const sorted = widest.cells.toSorted((a, b) => mean(a, channel) - mean(b, channel))
    const cut = findMiddle(sorted)
    boxes.splice(boxes.indexOf(widest), 1, measureBox(sorted.slice(0, cut)), measureBox(sorted.slice(cut)))
  }
  return boxes.map((box) => sumUp(box.cells))
}

const measureBox = (cells: readonly Cell[]): Box => {
  const center = sumUp(cells)
  const spreads = CHANNELS.map((channel) => ({
    channel,
    spread: cells.reduce((sum, cell) => sum + cell.count * (mean(cell, channel) - mean(center, channel)) ** 2, 0),
  }))
  return { cells, ...spreads.reduce((best, next) => (next.spread > best.spread ? next : best)) }
}

const findMiddle = (cells: readonly Cell[]): number => {
  const half = sumUp(cells).count / 2
  let count = 0
  const index = cells.findIndex((cell) => {
    count += cell.count
    return count >= half
  })
  return Math.min(Math.max(1, index + (count - half < half ? 1 : 0)), cells.length - 1)
}

/** Moves each colour to the middle of the cells nearest to it, and makes one of those that look alike. */
const refine = (cells: readonly Cell[], starts: readonly Cell[]): Cell[] => {
  let centers = [...starts]
  for (let pass = 0; pass < REFINEMENTS; pass++) centers = mergeAlike(gather(cells, centers))
  return centers
}

const gather = (cells: readonly Cell[], centers: readonly Cell[]): Cell[] => {
  const gathered = centers.map((): Cell => ({ count: 0, red: 0, green: 0, blue: 0 }))
  for (const cell of cells) {
    let nearest = 0
    let nearestDistance = Number.POSITIVE_INFINITY
    for (const [index, center] of centers.entries()) {
      const distance = squaredDistance(cell, center)
      if (distance >= nearestDistance) continue
      nearest = index
      nearestDistance = distance
    }
    add(gathered[nearest] as Cell, cell)
  }
  return gathered.filter(({ count }) => count > 0)
}

const mergeAlike = (centers: readonly Cell[]): Cell[] => {
  const kept: Cell[] = []
  for (const center of centers.toSorted((a, b) => b.count - a.count)) {
    const alike = kept.find((other) => squaredDistance(center, other) < MIN_DISTANCE ** 2)
    if (alike) add(alike, center)
    else kept.push({ ...center })
  }
  return kept
}
