import { expect, test } from 'vitest'
import { findLoop } from './find-loop.ts'

test('finds what is said over and over, and keeps it once', () => {
  const said = [7, 8, 9]
  const loop = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
  expect(findLoop([...said, ...loop])).toBe(6)
  expect(findLoop([...said, ...Array(12).fill(5)])).toBe(4)
})

test('people repeat themselves too', () => {
  expect(findLoop([5, 5, 5, 5])).toBeUndefined()
  expect(findLoop([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])).toBeUndefined()
  expect(findLoop([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 4])).toBeUndefined()
  expect(findLoop([])).toBeUndefined()
})
