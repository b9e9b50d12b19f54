import type { Box } from './model.ts'

/** Something with a place on the page; without one it keeps its turn after all others. */
export type Positioned = { box: Box | undefined }

/**
 * The order in which a person reads: the widest gap that parts all boxes, sideways or downwards, is the outermost one.
 * So a heading stays with the text below it when the columns are farther apart than the two.
 */
export const sortByReading = <T extends Positioned>(items: readonly T[]): T[] => {
  const placed = items.filter((item) => item.box !== undefined)
  return [...split(placed, 0), ...items.filter((item) => item.box === undefined)]
}

const MAX_SPLITS = 200
/** Nobody reads a page of more. */
const MAX_SPLIT_ITEMS = 1_000
/** Boxes often overlap a little where nobody sees it. */
const TOLERANCE_POINTS = 4

const split = <T extends Positioned>(items: readonly T[], depth: number): T[] => {
  if (items.length < 2 || depth > MAX_SPLITS) return [...items]
  if (items.length > MAX_SPLIT_ITEMS) return sortByRows(items)
  const down = widestGap(items, ({ y, height }) => [y, y + height])
  const across = widestGap(items, ({ x, width }) => [x, x + width])
  if (!down && !across) return sortByRows(items)
  const isAcross = across !== undefined && (down === undefined || across.width > down.width)
  const at = isAcross ? across.at : (down?.at ?? 0)
  const middle = ({ x, y, width, height }: Box): number => (isAcross ? x + width / 2 : y + height / 2)
  const isFirst = ({ box }: T) => box !== undefined && middle(box) < at
  const first = items.filter(isFirst)
  const second = items.filter((item) => !isFirst(item))
  return first.length === 0 || second.length === 0
    ? sortByRows(items)
    : [...split(first, depth + 1), ...split(second, depth + 1)]
}

/** The widest stretch that no box covers, and its middle. */
const widestGap = <T extends Positioned>(
  items: readonly T[],
  spanOf: (box: Box) => [from: number, to: number],
): { at: number; width: number } | undefined => {
  const spans = items.flatMap(({ box }) => (box ? [spanOf(box)] : [])).sort((a, b) => a[0] - b[0])
  let end = spans[0]?.[1] ?? 0
  let widest: { at: number; width: number } | undefined
  for (const [from, to] of spans) {
    const width = from - end
    if (width > -TOLERANCE_POINTS && from > (spans[0]?.[0] ?? 0) && (!widest || width > widest.width)) {
      widest = { at: (from + end) / 2, width }
    }
    end = Math.max(end, to)
  }
  return widest
}

const sortByRows = <T extends Positioned>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.box?.y ?? 0) - (b.box?.y ?? 0) || (a.box?.x ?? 0) - (b.box?.x ?? 0))
