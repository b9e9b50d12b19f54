import { expect, test } from 'vitest'
import { assignWords } from './assign-words.ts'
import { clusterVoices } from './cluster-voices.ts'
import { tellSpeakers } from './tell-speakers.ts'

/** A voice near one of a few directions that have little in common, always the same for the same numbers. */
const voice = (person: number, sample: number): Float32Array => {
  const values = Float32Array.from(
    { length: 32 },
    (_, i) => (i % 4 === person ? 1 : 0) + 0.4 * Math.sin(sample * 12.9898 + i * 78.233 + person),
  )
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}
const sampleOf = (person: number, startSeconds: number) => ({
  startSeconds,
  endSeconds: startSeconds + 2,
  voice: voice(person, startSeconds),
})

test('groups the voices of the same people', () => {
  const people = [0, 1, 0, 2, 1, 0, 2, 2, 1, 0]
  const groups = clusterVoices(
    people.map((person, index) => voice(person, index)),
    0.4,
  )
  expect(groups).toEqual(people.map((person) => [0, 1, 2].indexOf(person)))
})

test('follows the turns, and names speakers in the order in which they are heard', () => {
  const people = [...Array(6).fill(2), ...Array(8).fill(0), ...Array(5).fill(2), ...Array(7).fill(1)]
  const labels = tellSpeakers(people.map((person, index) => sampleOf(person, index)))
  expect(labels).toEqual(people.map((person) => [2, 0, 1].indexOf(person)))
})

test('one voice is one speaker, and somebody heard once is not a new one', () => {
  expect(new Set(tellSpeakers([sampleOf(1, 0)]))).toEqual(new Set([0]))
  const stray = Array.from({ length: 12 }, (_, index) => sampleOf(index === 6 ? 3 : 0, index))
  expect(new Set(tellSpeakers(stray))).toEqual(new Set([0]))
})

test('words go to the speaker of the nearest samples; a word alone among others joins them', () => {
  const samples = [0, 1, 2, 3, 4, 5].map((start) => sampleOf(0, start))
  const words = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5].map((startSeconds) => ({
    text: 'x',
    startSeconds,
    endSeconds: startSeconds + 0.4,
    confidence: null,
  }))
  expect(assignWords(words, samples, [0, 0, 0, 1, 1, 1])).toEqual([0, 0, 0, 1, 1, 1])
  expect(assignWords(words, samples, [0, 0, 1, 0, 0, 0]).filter((label) => label === 1)).toHaveLength(0)
})
