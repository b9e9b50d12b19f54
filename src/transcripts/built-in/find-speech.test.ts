import { expect, test } from 'vitest'
import { createSpeechFinder, MAX_REGION_FRAMES, type Region } from './find-speech.ts'

const run = (probabilities: readonly number[]): Region[] => {
  const finder = createSpeechFinder()
  const found = [...probabilities.map((probability) => finder.push(probability)), finder.finish()]
  return found.filter((region) => region !== undefined)
}
const quiet = (frames: number) => Array<number>(frames).fill(0.05)
const loud = (frames: number) => Array<number>(frames).fill(0.95)

test('speech between pauses, with a little sound kept at both ends', () => {
  expect(run([...quiet(20), ...loud(30), ...quiet(20), ...loud(10), ...quiet(3)])).toEqual([
    { start: 16, end: 54 },
    { start: 66, end: 83 },
  ])
})

test('short pauses are inside speech, and silence is nothing', () => {
  expect(run([...loud(20), ...quiet(9), ...loud(20)])).toEqual([{ start: 0, end: 49 }])
  expect(run(quiet(500))).toEqual([])
})

test('speech without a pause is cut where it is the quietest, and nothing is lost', () => {
  const probabilities = loud(1_500)
  probabilities[600] = 0.4
  const regions = run(probabilities)
  expect(regions[0]).toEqual({ start: 0, end: 600 })
  expect(regions.every(({ start, end }) => end - start <= MAX_REGION_FRAMES)).toBe(true)
  expect(regions.map(({ start }) => start).slice(1)).toEqual(regions.map(({ end }) => end).slice(0, -1))
  expect(regions.at(-1)?.end).toBe(1_500)
})
