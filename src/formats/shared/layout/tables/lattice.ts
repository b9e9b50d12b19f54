import type { Ruling, Rulings } from './rulings.ts'

/** Lines that cross each other, as a grid: `xs` and `ys` are its boundaries, in order. */
export type Lattice = {
  xs: readonly number[]
  ys: readonly number[]
  horizontal: readonly Ruling[]
  vertical: readonly Ruling[]
}

/** How far, in points, lines may end before or behind the one they meet. */
const MEET = 3
/** Boundaries nearer than this, in points, are one: a double line. */
const SAME_BOUNDARY = 4
/** A line that goes on beyond the outermost line that crosses it, by this many points, has an open column or row there. */
const OPEN_SIDE = 10
/** A drawing with more crossings or boundaries is no table. */
const MAX_CROSSINGS = 200_000
const MAX_CELLS = 10_000

/** The grids that the lines of a page make. */
export const findLattices = ({ horizontal, vertical }: Rulings): Lattice[] =>
  componentsOf(horizontal, vertical).flatMap(toLattice)

type Component = { horizontal: Ruling[]; vertical: Ruling[] }

const componentsOf = (horizontal: readonly Ruling[], vertical: readonly Ruling[]): Component[] => {
  const parents = Array.from({ length: horizontal.length + vertical.length }, (_, index) => index)
  const find = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root] ?? root
    while (parents[index] !== root) {
      const next = parents[index] ?? root
      parents[index] = root
      index = next
    }
    return root
  }
  let crossings = 0
  for (const [index, line] of horizontal.entries())
    for (let other = firstAt(vertical, line.from - MEET); other < vertical.length; other++) {
      const upright = vertical[other]
      if (!upright || upright.at > line.to + MEET) break
      if (++crossings > MAX_CROSSINGS) return []
      if (upright.from - MEET <= line.at && line.at <= upright.to + MEET)
        parents[find(index)] = find(horizontal.length + other)
    }
  const components = new Map<number, Component>()
  const componentAt = (index: number): Component => {
    const root = find(index)
    let component = components.get(root)
    if (!component) {
      component = { horizontal: [], vertical: [] }
      components.set(root, component)
    }
    return component
  }
  horizontal.forEach((line, index) => {
    componentAt(index).horizontal.push(line)
  })
  vertical.forEach((line, index) => {
    componentAt(horizontal.length + index).vertical.push(line)
  })
  return [...components.values()].filter((found) => found.horizontal.length > 0 && found.vertical.length > 0)
}

const firstAt = (rulings: readonly Ruling[], at: number): number => {
  let [low, high] = [0, rulings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rulings[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

const toLattice = ({ horizontal, vertical }: Component): Lattice[] => {
  const xs = withOpenSides(boundaries(vertical), horizontal)
  const ys = withOpenSides(boundaries(horizontal), vertical)
  if (xs.length < 2 || ys.length < 2 || xs.length * ys.length > MAX_CELLS) return []
  return [{ xs, ys, horizontal, vertical }]
}

const boundaries = (rulings: readonly Ruling[]): number[] => {
  const places: number[] = []
  for (const at of rulings.map((ruling) => ruling.at).sort((a, b) => a - b)) {
    const last = places.at(-1)
    if (last === undefined || at - last > SAME_BOUNDARY) places.push(at)
  }
  return places
}

/** Adds the ends of the crossing lines as boundaries where a table has no line at that side. */
const withOpenSides = (places: readonly number[], crossing: readonly Ruling[]): number[] => {
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0]
  const before = crossing.filter(({ from }) => from < first - OPEN_SIDE)
  const after = crossing.filter(({ to }) => to > last + OPEN_SIDE)
  return [
    ...(before.length * 2 > crossing.length ? [Math.min(...before.map(({ from }) => from))] : []),
    ...places,
    ...(after.length * 2 > crossing.length ? [Math.max(...after.map(({ to }) => to))] : []),
  ]
}

/** Whether a line is drawn at a boundary over the most of a stretch; open sides have none and need none. */
export const isDrawn = (rulings: readonly Ruling[], at: number, from: number, to: number): boolean => {
  let covered = 0
  for (const ruling of rulings)
    if (Math.abs(ruling.at - at) <= SAME_BOUNDARY)
      covered += Math.max(0, Math.min(to, ruling.to) - Math.max(from, ruling.from))
  return covered >= 0.6 * (to - from)
}
