import { expect, test } from 'vitest'
import { orderLines } from './order-lines.ts'

const line = (name: string, x: number, y: number, width: number) => ({ name, x, y, width, height: 10 })
const names = (lines: readonly { name: string }[]) => lines.map(({ name }) => name).join(' ')

const columns = [0, 1, 2, 3].flatMap((row) => [
  line(`l${row}`, 0, 50 + row * 15, 180),
  line(`r${row}`, 200, 50 + row * 15, 180),
])

test('two columns under a title and over a foot', () => {
  const given = [...columns, line('foot', 0, 130, 380), line('title', 50, 10, 280)]
  expect(names(orderLines(given))).toBe('title l0 l1 l2 l3 r0 r1 r2 r3 foot')
})

test('text that runs to the left begins with the right column', () => {
  expect(names(orderLines(columns, 'rtl'))).toBe('r0 r1 r2 r3 l0 l1 l2 l3')
})

test('short cells side by side are rows, not columns', () => {
  const cells = [0, 1, 2, 3].flatMap((row) => [
    line(`a${row}`, 0, row * 15, 50),
    line(`b${row}`, 200, row * 15 + 1, 40),
  ])
  expect(names(orderLines(cells))).toBe('a0 b0 a1 b1 a2 b2 a3 b3')
})

test('three columns', () => {
  const given = [0, 1, 2].flatMap((row) =>
    ['a', 'b', 'c'].map((name, i) => line(`${name}${row}`, i * 120, row * 15, 100)),
  )
  expect(names(orderLines(given))).toBe('a0 a1 a2 b0 b1 b2 c0 c1 c2')
})

test('nothing', () => {
  expect(orderLines([])).toEqual([])
})
