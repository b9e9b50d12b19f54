import type { Box, Placed } from './model.ts'

/** Where something stands, as JSON: what is not known is left out. */
export const toJsonPlace = ({ page, box, confidence, direction }: Placed): Record<string, unknown> => ({
  ...(page === undefined ? {} : { page }),
  ...(box === undefined ? {} : { box: roundBox(box) }),
  ...(confidence === undefined ? {} : { confidence: Math.round(confidence * 1_000) / 1_000 }),
  ...(direction === undefined ? {} : { direction }),
})

/** A length in points with two decimals: a hundredth of a point is finer than any printer. */
export const roundPoints = (points: number): number => Math.round(points * 100) / 100

/** A box with two decimals. */
export const roundBox = ({ x, y, width, height }: Box): Box => ({
  x: roundPoints(x),
  y: roundPoints(y),
  width: roundPoints(width),
  height: roundPoints(height),
})
