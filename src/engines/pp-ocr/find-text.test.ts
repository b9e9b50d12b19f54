import { expect, test } from 'vitest'
import { findText, type TextMap } from './find-text.ts'

/** A map with likelihood 0.9 where `isText` says so. */
const draw = (width: number, height: number, isText: (x: number, y: number) => boolean, likelihood = 0.9): TextMap => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, i) =>
    isText(i % width, Math.floor(i / width)) ? likelihood : 0.05,
  ),
})

test('an upright bar is found and grown on all sides', () => {
  const [found, ...more] = findText(draw(120, 60, (x, y) => x >= 20 && x < 100 && y >= 25 && y < 35))
  expect(more).toEqual([])
  expect(found).toMatchObject({ centerX: 60, centerY: 30, angle: 0 })
  // 80 by 10, grown by 800 · 1.6 / 180 on each side.
  expect(found?.width).toBeCloseTo(80 + 14.2, 1)
  expect(found?.height).toBeCloseTo(10 + 14.2, 1)
})

test('a bar that leans keeps its angle', () => {
  const lean = Math.tan((10 * Math.PI) / 180)
  const [found] = findText(draw(200, 100, (x, y) => x >= 20 && x < 180 && Math.abs(y - 50 - (x - 100) * lean) < 6))
  expect(((found?.angle ?? 0) * 180) / Math.PI).toBeCloseTo(10, 0)
  expect(found?.centerX).toBeCloseTo(100, 0)
})

test('bars apart are two lines; bars that touch are one', () => {
  const bar = (x: number, y: number, top: number) => x >= 10 && x < 90 && y >= top && y < top + 8
  expect(findText(draw(100, 60, (x, y) => bar(x, y, 10) || bar(x, y, 30)))).toHaveLength(2)
  expect(findText(draw(100, 60, (x, y) => bar(x, y, 10) || bar(x, y, 18)))).toHaveLength(1)
})

test('specks and faint patches are no text', () => {
  expect(findText(draw(100, 60, (x, y) => x === 50 && y === 30))).toEqual([])
  expect(findText(draw(100, 60, (x, y) => x > 20 && x < 80 && y > 20 && y < 40, 0.4))).toEqual([])
})
