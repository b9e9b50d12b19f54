import type { LeaningRectangle } from './rectangle.ts'
import { pointIn } from './rectangle.ts'

/** Bare pixels: three bytes each, red, green, blue, row by row. */
export type Picture = { width: number; height: number; data: Uint8Array }

/** A quarter turn clockwise, so many times. */
export type QuarterTurns = 0 | 1 | 2 | 3

/** Cuts a rectangle out of a picture, turned so many quarters, drawn to the given size. */
export const cutOut = (
  picture: Picture,
  rectangle: LeaningRectangle,
  turns: QuarterTurns,
  width: number,
  height: number,
): Picture => {
  const [startX, startY] = pointIn(rectangle, ...unturn(0, 0, turns))
  const [rightX, rightY] = pointIn(rectangle, ...unturn(1, 0, turns))
  const [downX, downY] = pointIn(rectangle, ...unturn(0, 1, turns))
  const stepX = [(rightX - startX) / width, (rightY - startY) / width] as const
  const stepY = [(downX - startX) / height, (downY - startY) / height] as const
  // More than a pixel to a step: looking between would skip pixels, so each point is the mean of several.
  const samples = Math.min(4, Math.max(1, Math.round(Math.hypot(...stepY)), Math.round(Math.hypot(...stepX))))
  const data = new Uint8Array(width * height * 3)
  const sum = new Float64Array(3)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0)
      for (let i = 0; i < samples; i++) {
        const v = row + (i + 0.5) / samples
        for (let j = 0; j < samples; j++) {
          const u = column + (j + 0.5) / samples
          addPixel(picture, startX + u * stepX[0] + v * stepY[0], startY + u * stepX[1] + v * stepY[1], sum)
        }
      }
      const at = (row * width + column) * 3
      for (let channel = 0; channel < 3; channel++) data[at + channel] = (sum[channel] ?? 0) / (samples * samples) + 0.5
    }
  }
  return { width, height, data }
}

/** Where in the rectangle lies what will be at (u, v) once it is turned. */
const unturn = (u: number, v: number, turns: QuarterTurns): [number, number] => {
  switch (turns) {
    case 0:
      return [u, v]
    case 1:
      return [v, 1 - u]
    case 2:
      return [1 - u, 1 - v]
    case 3:
      return [1 - v, u]
  }
}

/** Adds the colour between the four pixels around a point; outside, the edge goes on. */
const addPixel = ({ width, height, data }: Picture, x: number, y: number, sum: Float64Array): void => {
  const px = Math.min(Math.max(x - 0.5, 0), width - 1)
  const py = Math.min(Math.max(y - 0.5, 0), height - 1)
  const left = Math.floor(px)
  const top = Math.floor(py)
  const right = Math.min(left + 1, width - 1)
  const bottom = Math.min(top + 1, height - 1)
  const fx = px - left
  const fy = py - top
  const a = (top * width + left) * 3
  const b = (top * width + right) * 3
  const c = (bottom * width + left) * 3
  const d = (bottom * width + right) * 3
  for (let channel = 0; channel < 3; channel++) {
    const above = (data[a + channel] ?? 0) * (1 - fx) + (data[b + channel] ?? 0) * fx
    const below = (data[c + channel] ?? 0) * (1 - fx) + (data[d + channel] ?? 0) * fx
    sum[channel] = (sum[channel] ?? 0) + above * (1 - fy) + below * fy
  }
}
