import type { PixelBox } from '../ocr-page.ts'

/** A point in pixels. */
export type Point = readonly [x: number, y: number]

/** A rectangle that may lean: its centre, its sides, and the angle of its width to the horizontal, clockwise. */
export type LeaningRectangle = {
  centerX: number
  centerY: number
  /** Along the angle. */
  width: number
  height: number
  /** Radians, at most an eighth of a turn either way. */
  angle: number
}

/** The corners of the smallest convex shape around the points. */
export const findHull = (points: readonly Point[]): Point[] => {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (input: readonly Point[]): Point[] => {
    const chain: Point[] = []
    for (const point of input) {
      while (chain.length >= 2 && turn(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())]
}

const turn = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** The rectangle of least area around a convex shape: one of its sides lies on a side of the shape. */
export const fitRectangle = (hull: readonly Point[]): LeaningRectangle => {
  let best: LeaningRectangle | undefined
  for (let i = 0; i < hull.length; i++) {
    const [x1, y1] = hull[i] as Point
    const [x2, y2] = hull[(i + 1) % hull.length] as Point
    const found = measureAlong(hull, Math.atan2(y2 - y1, x2 - x1))
    if (!best || found.width * found.height < best.width * best.height) best = found
  }
  return layFlat(best ?? { centerX: 0, centerY: 0, width: 0, height: 0, angle: 0 })
}

const measureAlong = (hull: readonly Point[], angle: number): LeaningRectangle => {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of hull) {
    const along = x * cos + y * sin
    const across = y * cos - x * sin
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  const along = (left + right) / 2
  const across = (top + bottom) / 2
  return {
    centerX: along * cos - across * sin,
    centerY: along * sin + across * cos,
    width: right - left,
    height: bottom - top,
    angle,
  }
}

/** The same rectangle with an angle of at most 45 degrees, so that its width is what lies across the page. */
const layFlat = (rectangle: LeaningRectangle): LeaningRectangle => {
  let { angle, width, height } = rectangle
  while (angle > Math.PI / 4) {
    angle -= Math.PI / 2
    ;[width, height] = [height, width]
  }
  while (angle <= -Math.PI / 4) {
    angle += Math.PI / 2
    ;[width, height] = [height, width]
  }
  return { ...rectangle, angle, width, height }
}

/** The rectangle pushed outwards on all sides. */
export const growRectangle = (rectangle: LeaningRectangle, by: number): LeaningRectangle => ({
  ...rectangle,
  width: rectangle.width + 2 * by,
  height: rectangle.height + 2 * by,
})

/** A point of the rectangle, given as shares of its width and height from its top left corner. */
export const pointIn = ({ centerX, centerY, width, height, angle }: LeaningRectangle, u: number, v: number): Point => {
  const along = (u - 0.5) * width
  const across = (v - 0.5) * height
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return [centerX + along * cos - across * sin, centerY + along * sin + across * cos]
}

/** The upright box around a part of the rectangle, given as shares of its width and of its height. */
export const boundsOf = (
  rectangle: LeaningRectangle,
  [u1, u2]: readonly [number, number] = [0, 1],
  [v1, v2]: readonly [number, number] = [0, 1],
): PixelBox => {
  const corners = [
    pointIn(rectangle, u1, v1),
    pointIn(rectangle, u2, v1),
    pointIn(rectangle, u1, v2),
    pointIn(rectangle, u2, v2),
  ]
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}
