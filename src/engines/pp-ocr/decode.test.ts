import { expect, test } from 'vitest'
import { decodeLine } from './decode.ts'

const ALPHABET = ['', 'a', 'b', ' ']

/** One row per step, from the best class and how likely it is. */
const likelihoods = (...steps: [best: number, likelihood: number][]): Float32Array =>
  Float32Array.from(
    steps.flatMap(([best, likelihood]) =>
      ALPHABET.map((_, i) => (i === best ? likelihood : (1 - likelihood) / (ALPHABET.length - 1))),
    ),
  )

test('repeats are one letter, a blank between makes them two', () => {
  const given = likelihoods([0, 0.9], [1, 0.7], [1, 0.9], [0, 0.9], [1, 0.8], [2, 0.6], [3, 0.9])
  const letters = decodeLine(given, 7, ALPHABET.length, ALPHABET)
  expect(letters.map(({ text, step }) => [text, step])).toEqual([
    ['a', 2],
    ['a', 4],
    ['b', 5],
    [' ', 6],
  ])
  expect(letters.map(({ confidence }) => Math.round(confidence * 10) / 10)).toEqual([0.9, 0.8, 0.6, 0.9])
})

test('nothing but blanks is no letter', () => {
  expect(decodeLine(likelihoods([0, 0.9], [0, 0.5]), 2, ALPHABET.length, ALPHABET)).toEqual([])
})
