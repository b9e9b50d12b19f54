import type { Fragment } from './fragments.ts'
import { type Edges, edgesAround, middleOf, overlapOf } from './geometry.ts'

/** Fragments that stand beside each other on one line of a column. */
export type Line = Edges & {
  /** From left to right. */
  fragments: Fragment[]
  /** Size of most of its text. */
  size: number
  characters: number
  /** Shares of its characters, 0 to 1. */
  bold: number
  monospace: number
  italic: number
}

/** A gap wider than this, in sizes of the text, may be that between columns. */
const JOIN_GAP = 0.45
const ROW_POINTS = 6
/** Open lines of a row that a fragment is held against. */
const OPEN_LIMIT = 8

/** Joins fragments that follow each other on a line; those of neighbouring columns stay apart. */
export const formLines = (fragments: readonly Fragment[]): Line[] => {
  const open = new Map<number, Fragment[][]>()
  const groups: Fragment[][] = []
  for (const fragment of [...fragments].sort((a, b) => a.x - b.x || a.y - b.y)) {
    const row = Math.floor(middleOf(fragment) / ROW_POINTS)
    const reach = Math.min(4, Math.ceil((fragment.size * 0.4) / ROW_POINTS))
    const found = findNeighbour(fragment, open, row, reach)
    if (found === 'duplicate') continue
    const group = found ?? []
    group.push(fragment)
    if (!found) groups.push(group)
    const inRow = open.get(row)
    if (!inRow) open.set(row, [group])
    else if (!inRow.includes(group, Math.max(0, inRow.length - OPEN_LIMIT))) inRow.push(group)
  }
  return groups.map(toLine)
}

const findNeighbour = (
  fragment: Fragment,
  open: ReadonlyMap<number, Fragment[][]>,
  row: number,
  reach: number,
): Fragment[] | 'duplicate' | undefined => {
  let best: Fragment[] | undefined
  let bestOverlap = 0
  for (let near = row - reach; near <= row + reach; near++) {
    const groups = open.get(near) ?? []
    for (let index = groups.length - 1; index >= Math.max(0, groups.length - OPEN_LIMIT); index--) {
      const group = groups[index] as Fragment[]
      const last = group.at(-1) as Fragment
      if (isDrawnAgain(fragment, last)) return 'duplicate'
      const overlap = joinOverlap(last, fragment)
      if (overlap > bestOverlap) {
        best = group
        bestOverlap = overlap
      }
    }
  }
  return best
}

/** The same text a hair's breadth away is a bold face made by drawing twice, or a shadow. */
const isDrawnAgain = (a: Fragment, b: Fragment): boolean =>
  a.text === b.text &&
  Math.abs(a.x - b.x) < Math.max(1.5, a.size * 0.15) &&
  Math.abs(a.y - b.y) < Math.max(1.5, a.size * 0.15)

const joinOverlap = (left: Fragment, right: Fragment): number => {
  const size = Math.max(left.size, right.size)
  const gap = right.x - left.right
  if (gap > size * JOIN_GAP || gap < -Math.max(size, (left.right - left.x) * 0.3)) return 0
  const lower = Math.min(left.bottom - left.y, right.bottom - right.y)
  const overlap = overlapOf(left.y, left.bottom, right.y, right.bottom) / Math.max(lower, 0.1)
  return overlap >= 0.5 ? overlap : 0
}

/** A line of fragments, which are put in order here. */
export const toLine = (fragments: Fragment[]): Line => {
  fragments.sort((a, b) => a.x - b.x)
  let characters = 0
  let bold = 0
  let monospace = 0
  let italic = 0
  let main = fragments[0] as Fragment
  for (const fragment of fragments) {
    const { length } = fragment.text
    characters += length
    if (fragment.bold) bold += length
    if (fragment.monospace) monospace += length
    if (fragment.italic) italic += length
    if (length > main.text.length || (length === main.text.length && fragment.size > main.size)) main = fragment
  }
  const { x, y, right, bottom } = fragments.length === 1 ? main : edgesAround(fragments)
  return {
    x,
    y,
    right,
    bottom,
    fragments,
    size: main.size,
    characters,
    bold: bold / characters,
    monospace: monospace / characters,
    italic: italic / characters,
  }
}

/** Lines of one column: what stands on the same height is one line, however wide the gaps. */
export const mergeLevel = (lines: readonly Line[]): Line[] => {
  const sorted = [...lines].sort((a, b) => middleOf(a) - middleOf(b))
  const merged: Line[] = []
  let level: Line[] = []
  let around: Edges | undefined
  const close = () => {
    if (level.length > 0)
      merged.push(level.length === 1 ? (level[0] as Line) : toLine(level.flatMap((l) => l.fragments)))
    level = []
  }
  for (const line of sorted) {
    if (around && isLevel(around, line, level)) {
      level.push(line)
      around = edgesAround([around, line])
      continue
    }
    close()
    level = [line]
    around = line
  }
  close()
  return merged.sort((a, b) => a.y - b.y)
}

const LEVEL_LIMIT = 200

const isLevel = (around: Edges, line: Line, level: readonly Line[]): boolean => {
  if (level.length > LEVEL_LIMIT) return false
  const lower = Math.min(around.bottom - around.y, line.bottom - line.y)
  if (overlapOf(around.y, around.bottom, line.y, line.bottom) < lower * 0.6) return false
  // Lines over each other that also share their width are tightly set lines, not parts of one.
  return level.every(
    (part) =>
      overlapOf(part.x, part.right, line.x, line.right) < Math.min(part.right - part.x, line.right - line.x) * 0.3,
  )
}
