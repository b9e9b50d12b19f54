import { expect, it } from 'vitest'
import { estimateTokens } from './token-estimate.ts'

it.each([
  ['', 0],
  ['a word', 2],
  ['extraordinarily', 3],
  ['Правительство', 4],
  ['政府决定', 4],
  ['1234567', 3],
  ['x, y', 3],
  ['--------', 2],
  ['😀😀', 1],
])('%s is about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

it('counts nothing twice when a text is cut between words', () => {
  const words = 'Of 3,141 ships, 59 were Norwegian (ca. 2 %) – 政府 – and one was lost.'.split(' ')
  const sum = words.reduce((total, word) => total + estimateTokens(word), 0)
  expect(estimateTokens(words.join(' '))).toBe(sum)
})
