import { expect, it } from 'vitest'
import { sortByReading } from './reading-order.ts'

const at = (name: string, x: number, y: number, width: number, height: number) => ({
  name,
  box: { x, y, width, height },
})
const order = (
  ...items: { name: string; box: { x: number; y: number; width: number; height: number } | undefined }[]
) =>
  sortByReading(items)
    .map(({ name }) => name)
    .join(' ')

it('reads downwards', () => {
  expect(order(at('low', 0, 200, 100, 50), at('high', 0, 0, 100, 50))).toBe('high low')
})

it('reads a column to its end where columns are farther apart than their parts', () => {
  const left = [at('a', 0, 0, 100, 20), at('b', 0, 25, 100, 100)]
  const right = [at('c', 200, 0, 100, 20), at('d', 200, 25, 100, 100)]
  expect(order(...right, ...left)).toBe('a b c d')
})

it('reads a row to its end where rows are farther apart than columns', () => {
  const top = [at('a', 0, 0, 100, 50), at('b', 110, 0, 100, 50)]
  const bottom = [at('c', 0, 200, 100, 50), at('d', 110, 200, 100, 50)]
  expect(order(...bottom, ...top)).toBe('a b c d')
})

it('sorts boxes that overlap by their tops, and leaves those without a place to the end', () => {
  expect(order({ name: 'nowhere', box: undefined }, at('under', 10, 20, 100, 100), at('over', 0, 0, 100, 100))).toBe(
    'over under nowhere',
  )
})
