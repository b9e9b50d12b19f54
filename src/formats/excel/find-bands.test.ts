import { expect, test } from 'vitest'
import { createBandFinder, tablesOf } from './find-bands.ts'

const find = (rows: Readonly<Record<number, readonly number[]>>) => {
  const finder = createBandFinder()
  for (const [row, columns] of Object.entries(rows)) {
    for (const column of columns) finder.cell(column)
    if (finder.endRow(Number(row)).isNewBand) finder.markOffset(Number(row) * 10)
  }
  return finder.finish(1_000)
}

test('blank rows part bands, each with its place in the file', () => {
  const { found, used } = find({ 1: [2], 2: [], 3: [2, 3], 4: [2, 3] })
  expect(found).toEqual([
    { top: 1, bottom: 1, start: 10, end: 30, runs: [{ left: 2, right: 2, height: 1 }] },
    { top: 3, bottom: 4, start: 30, end: 1_000, runs: [{ left: 2, right: 3, height: 2 }] },
  ])
  expect(used).toEqual({ top: 1, left: 2, bottom: 4, right: 3 })
})

test('two tables side by side are two, a label beside a gap is none', () => {
  const [tables] = find({ 0: [0, 1, 3, 4], 1: [0, 1, 3, 4] }).found.map(tablesOf)
  expect(tables).toEqual([
    [0, 1],
    [3, 4],
  ])
  const [form] = find({ 0: [0, 2, 3], 1: [0, 2, 3] }).found.map(tablesOf)
  expect(form).toEqual([[0, 2, 3]])
})

test('a sheet of single cells stays bounded', () => {
  const rows = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i * 2, [i % 100]]))
  const { found } = find(rows)
  expect(found.length).toBeLessThanOrEqual(20_001)
  expect(found.at(-1)?.bottom).toBe(99_998)
})
