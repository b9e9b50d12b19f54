import { expect, test } from 'vitest'
import { cutOut, type QuarterTurns } from './picture.ts'

/** Three by two pixels, each with a grey of its own. */
const picture = {
  width: 3,
  height: 2,
  data: Uint8Array.from([10, 20, 30, 40, 50, 60].flatMap((grey) => [grey, grey, grey])),
}
const whole = { centerX: 1.5, centerY: 1, width: 3, height: 2, angle: 0 }

test.each<[QuarterTurns, number, number, number[]]>([
  [0, 3, 2, [10, 20, 30, 40, 50, 60]],
  [1, 2, 3, [40, 10, 50, 20, 60, 30]],
  [2, 3, 2, [60, 50, 40, 30, 20, 10]],
  [3, 2, 3, [30, 60, 20, 50, 10, 40]],
])('%i quarter turns', (turns, width, height, greys) => {
  const { data } = cutOut(picture, whole, turns, width, height)
  expect([...data].filter((_, i) => i % 3 === 0)).toEqual(greys)
})
