import type { Box } from '../document/model.ts'

/** A rectangle by its edges, which is what comparisons need. */
export type Edges = { x: number; y: number; right: number; bottom: number }

export const middleOf = ({ y, bottom }: Edges): number => (y + bottom) / 2

/** How much of two spans lies over each other; negative where there is a gap. */
export const overlapOf = (aFrom: number, aTo: number, bFrom: number, bTo: number): number =>
  Math.min(aTo, bTo) - Math.max(aFrom, bFrom)

/** The rectangle around others; nothing for none. */
export const edgesAround = (parts: readonly Edges[]): Edges => {
  const edges = { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity }
  for (const part of parts) {
    if (part.x < edges.x) edges.x = part.x
    if (part.y < edges.y) edges.y = part.y
    if (part.right > edges.right) edges.right = part.right
    if (part.bottom > edges.bottom) edges.bottom = part.bottom
  }
  return edges
}

export const edgesOf = ({ x, y, width, height }: Box): Edges => ({ x, y, right: x + width, bottom: y + height })

export const boxOf = ({ x, y, right, bottom }: Edges): Box => ({ x, y, width: right - x, height: bottom - y })

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
