import { expect, test } from 'vitest'
import { createChunkGatherer } from './gather-chunks.ts'

test('near stretches are heard together, up to what the models hear well', () => {
  const gatherer = createChunkGatherer()
  expect(gatherer.push({ start: 0, end: 300 })).toBeUndefined()
  expect(gatherer.push({ start: 320, end: 600 })).toBeUndefined()
  expect(gatherer.push({ start: 610, end: 800 })).toMatchObject({ start: 0, end: 600, regions: [{}, {}] })
  expect(gatherer.openSince()).toBe(610)
  expect(gatherer.push({ start: 900, end: 950 })).toMatchObject({ start: 610, end: 800 })
  expect(gatherer.flush(960)).toBeUndefined()
  expect(gatherer.flush(1_000)).toMatchObject({ start: 900, end: 950 })
  expect(gatherer.flush()).toBeUndefined()
})
