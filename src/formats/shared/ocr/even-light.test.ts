import { expect, test } from 'vitest'
import { evenLight, measureGrain } from './even-light.ts'

/** Paper that is darker to the right, with a stroke of ink across it. */
const drawShadow = (darkest: number) => {
  const width = 400
  const height = 300
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    const x = i % width
    const paper = 240 - ((240 - darkest) * x) / width
    return Math.floor(i / width) === 150 ? paper * 0.4 : paper
  })
  return { width, height, data }
}

test('paper in shadow becomes as white as the rest, ink stays dark', () => {
  const { data, width } = evenLight(drawShadow(90))
  const at = (x: number, y: number) => data[y * width + x] ?? 0
  expect(at(390, 50)).toBeGreaterThan(235)
  expect(at(10, 50)).toBeGreaterThan(235)
  expect(at(390, 150)).toBeLessThan(120)
})

test('even light is left alone', () => {
  const picture = drawShadow(235)
  expect(evenLight(picture)).toBe(picture)
})

test('grain', () => {
  const noise = Uint8Array.from({ length: 10_000 }, (_, i) => 200 + ((i * 7919) % 31))
  expect(measureGrain({ width: 100, height: 100, data: noise })).toBeGreaterThan(3)
  expect(measureGrain({ width: 100, height: 100, data: new Uint8Array(10_000).fill(200) })).toBe(0)
})
