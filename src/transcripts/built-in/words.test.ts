import { expect, test } from 'vitest'
import type { Word } from '../model.ts'
import { openTokenizer, spellWords } from './spell-words.ts'
import { trimWords } from './trim-words.ts'

const token = (id: number, startSeconds: number, endSeconds: number, logProbability = 0) => ({
  ...{ id, startSeconds, endSeconds, logProbability },
})

test('tokens become words; a full stop ends its word but not its time', async () => {
  const tokenizer = await openTokenizer()
  const { default: llama } = await import('llama-tokenizer-js')
  const ids = llama.encode('naïve foolishness. Yes', false)
  const words = spellWords(
    ids.map((id, index) => token(id, index, index + 1, -0.1)),
    tokenizer,
    10,
  )
  expect(words.map(({ text }) => text)).toEqual(['naïve', 'foolishness.', 'Yes'])
  expect(words[0]?.startSeconds).toBe(10)
  expect(words[1]?.endSeconds).toBe((words[2]?.startSeconds ?? 0) - 1)
  expect(words[0]?.confidence).toBeCloseTo(Math.exp(-0.1))
})

const word = (startSeconds: number, endSeconds: number): Word => ({
  text: 'x',
  startSeconds,
  endSeconds,
  confidence: 1,
})

test('pauses are taken off words, which stay in order and have a length', () => {
  // Frames of 0.1 s: speech in 0.3 to 0.8 and in 1.5 to 2.0.
  const isSpeech = (frame: number) => (frame >= 3 && frame < 8) || (frame >= 15 && frame < 20)
  const [first, second, third] = trimWords([word(0, 0.8), word(0.8, 1.9), word(1.9, 1.9)], isSpeech, 0.1)
  expect(first?.startSeconds).toBeCloseTo(0.3)
  expect(second?.startSeconds).toBeCloseTo(1.5)
  expect(second?.endSeconds).toBeCloseTo(1.9)
  expect(third?.startSeconds).toBeGreaterThanOrEqual(second?.endSeconds ?? 9)
  expect(third?.endSeconds).toBeGreaterThan(third?.startSeconds ?? 9)
})
