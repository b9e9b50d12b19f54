import { expect, test } from 'vitest'
import { boundsOf, findHull, fitRectangle, type Point, pointIn } from './rectangle.ts'

test('the hull leaves out what lies inside', () => {
  const corners: Point[] = [
    [0, 0],
    [4, 0],
    [4, 3],
    [0, 3],
  ]
  const hull = findHull([...corners, [2, 1], [1, 2], [2, 0]])
  expect(hull).toHaveLength(4)
  expect(hull).toEqual(expect.arrayContaining(corners))
})

test.each([0, 20, -30, 44])('a rectangle that leans by %i degrees is found again', (degrees) => {
  const angle = (degrees * Math.PI) / 180
  const given = { centerX: 50, centerY: 40, width: 60, height: 12, angle }
  const corners = [pointIn(given, 0, 0), pointIn(given, 1, 0), pointIn(given, 1, 1), pointIn(given, 0, 1)]
  const found = fitRectangle(findHull(corners))
  for (const [name, value] of Object.entries(given)) expect(found[name as keyof typeof found]).toBeCloseTo(value, 6)
})

test('a tall rectangle is higher than wide, not turned', () => {
  const found = fitRectangle(
    findHull([
      [0, 0],
      [10, 0],
      [10, 90],
      [0, 90],
    ]),
  )
  expect(found).toMatchObject({ width: 10, height: 90 })
  expect(found.angle).toBeCloseTo(0, 9)
})

test('the bounds of a part', () => {
  const rectangle = { centerX: 50, centerY: 10, width: 100, height: 20, angle: 0 }
  expect(boundsOf(rectangle, [0.25, 0.5])).toEqual({ x: 25, y: 0, width: 25, height: 20 })
})
