import { expect, test } from 'vitest'
import { findSkewDegrees } from './find-skew.ts'

/** Lines of dashes that lean by some degrees, as a page of text seen from afar. */
const drawLines = (degrees: number, isSideways = false) => {
  const size = 600
  const data = new Uint8Array(size * size).fill(255)
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const dx = x - size / 2
      const dy = y - size / 2
      const along = isSideways ? dy * cos - dx * sin : dx * cos + dy * sin
      const across = isSideways ? dx * cos + dy * sin : dy * cos - dx * sin
      const isInk = Math.abs(along) < 200 && Math.abs(across) < 200 && (across + 200) % 20 < 7 && (along + 200) % 9 < 6
      if (isInk) data[y * size + x] = 0
    }
  }
  return { width: size, height: size, data }
}

test.each([-12, -3, 0, 0.5, 4, 9])('lines that lean by %f degrees', (degrees) => {
  expect(findSkewDegrees(drawLines(degrees))).toBeCloseTo(degrees, 0)
  expect(findSkewDegrees(drawLines(degrees, true))).toBeCloseTo(degrees, 0)
})

test('an empty page does not lean', () => {
  expect(findSkewDegrees({ width: 100, height: 100, data: new Uint8Array(10_000).fill(255) })).toBe(0)
})
