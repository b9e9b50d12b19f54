import { expect, test } from 'vitest'
import { createLanguageJudge, isGuesswork, rateDoubt } from './judge-language.ts'
import type { HeardChunk } from './transcribe.ts'

const chunk = (confidence: number, alignment: number, more: Partial<HeardChunk> = {}): HeardChunk => ({
  ...{ isLoop: false, alignment, speechSeconds: 10, voices: [] },
  words: Array.from({ length: 20 }, () => ({ text: 'x', startSeconds: 0, endSeconds: 1, confidence })),
  ...more,
})
const english = chunk(0.93, 0.75)
const foreign = chunk(0.3, 0.4)

test('English is sure of its words and follows the sound; noise makes it a little worse', () => {
  expect(rateDoubt(english)).toBeLessThan(0.2)
  expect(rateDoubt(chunk(0.8, 0.6))).toBeLessThan(0.5)
  expect(isGuesswork(english)).toBe(false)
})

test('doubt comes from unsure words, wandering attention, repetition, or silence over speech', () => {
  for (const doubtful of [
    foreign,
    chunk(0.35, 0.95),
    chunk(0.6, 0.3),
    chunk(0.9, 0.8, { isLoop: true }),
    chunk(1, 1, { words: [] }),
  ])
    expect(rateDoubt(doubtful)).toBeGreaterThan(0.65)
  expect(rateDoubt(chunk(1, 1, { words: [], speechSeconds: 1 }))).toBe(0)
})

test('most of the speech decides, and only when enough was heard', () => {
  const judge = createLanguageJudge()
  for (const heard of [foreign, english, english]) judge.add(heard)
  expect(judge.isEnglish()).toBe(true)
  expect(judge.isSure()).toBe(false)
  for (let i = 0; i < 5; i += 1) judge.add(foreign)
  expect(judge.isEnglish()).toBe(false)
  expect(judge.isSure()).toBe(true)
})
