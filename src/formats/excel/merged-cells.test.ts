import { expect, test } from 'vitest'
import { createMergeFiller } from './merged-cells.ts'

const fill = (filler: ReturnType<typeof createMergeFiller>, row: number, cells: readonly [number, string][]) => {
  const shownAt = new Map(cells)
  filler?.fill(row, shownAt)
  return Object.fromEntries([...shownAt].sort(([a], [b]) => a - b))
}

test('a merged cell says the same in all places that it covers, and nowhere else', () => {
  const filler = createMergeFiller([
    { top: 1, left: 0, bottom: 2, right: 1 },
    { top: 2, left: 3, bottom: 2, right: 4 },
  ])
  expect(fill(filler, 0, [[0, 'above']])).toEqual({ 0: 'above' })
  expect(fill(filler, 1, [[0, 'both']])).toEqual({ 0: 'both', 1: 'both' })
  expect(fill(filler, 2, [[3, 'wide']])).toEqual({ 0: 'both', 1: 'both', 3: 'wide', 4: 'wide' })
  expect(fill(filler, 3, [[0, 'below']])).toEqual({ 0: 'below' })
})

test('an empty merged cell, or one whose first row is not there, fills nothing', () => {
  const filler = createMergeFiller([{ top: 1, left: 0, bottom: 3, right: 1 }])
  expect(fill(filler, 2, [[1, 'own']])).toEqual({ 1: 'own' })
})

test('one over the whole sheet is not repeated', () => {
  expect(createMergeFiller([{ top: 0, left: 0, bottom: 1_048_575, right: 16_383 }])).toBeUndefined()
})
