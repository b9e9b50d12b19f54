import { expect, test } from 'vitest'
import { alignTokens } from './align-tokens.ts'

const row = (...values: number[]) => Float32Array.from(values)

test('tokens get the frames that they attended to, in order', () => {
  const { spans, share } = alignTokens([row(0.9, 0.05, 0, 0, 0), row(0, 0.2, 0.8, 0.05, 0), row(0, 0, 0, 0.2, 0.8)])
  expect(spans.map(({ firstFrame }) => firstFrame)).toEqual([0, 1, 3])
  expect(spans.at(-1)?.lastFrame).toBe(4)
  expect(share).toBeGreaterThan(0.9)
})

test('attention that wanders gathers little', () => {
  const { share } = alignTokens([row(0, 0, 0, 0, 1), row(1, 0, 0, 0, 0), row(0, 0, 0, 0, 1), row(1, 0, 0, 0, 0)])
  expect(share).toBeLessThan(0.6)
})

test('more tokens than frames, one of each, and none at all', () => {
  expect(alignTokens([row(1), row(1), row(1)]).spans).toHaveLength(3)
  expect(alignTokens([row(0.2, 0.3, 0.5)]).spans).toEqual([{ firstFrame: 0, lastFrame: 2 }])
  expect(alignTokens([])).toEqual({ spans: [], share: 0 })
})
