import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Word } from './model.ts'
import { splitSegments } from './split-segments.ts'

const say = (text: string, startSeconds = 0, secondsPerWord = 0.4): Word[] =>
  text.split(' ').map((spelled, index) => ({
    text: spelled,
    startSeconds: startSeconds + index * secondsPerWord,
    endSeconds: startSeconds + (index + 0.9) * secondsPerWord,
    confidence: null,
  }))
const texts = (words: readonly Word[]) => splitSegments(words).map(({ text }) => text)

test('a segment is a sentence', () => {
  expect(texts(say('Mr. Smith came home. He was tired! Was he?'))).toEqual([
    'Mr. Smith came home.',
    'He was tired!',
    'Was he?',
  ])
})

test('a long pause ends a segment, a very short sentence does not', () => {
  expect(texts([...say('and then'), ...say('we went', 3)])).toEqual(['and then', 'we went'])
  expect(texts(say('No. No. That is wrong.', 0, 0.3))).toEqual(['No. No. That is wrong.'])
})

test('a sentence without an end is cut at a comma', () => {
  const found = texts(say(`${'so on and on '.repeat(6)}then, ${'it goes on and on '.repeat(5)}still`))
  expect(found[0]).toMatch(/then,$/)
})

test('no word is lost, and times never go back', () => {
  const arbitraryWords = fc.array(
    fc.record({
      text: fc.constantFrom('a', 'b.', 'c,', 'Mr.', 'd?'),
      gap: fc.double({ min: 0, max: 3, noNaN: true }),
      length: fc.double({ min: 0.05, max: 2, noNaN: true }),
    }),
  )
  fc.assert(
    fc.property(arbitraryWords, (parts) => {
      let now = 0
      const words = parts.map(({ text, gap, length }) => {
        const startSeconds = now + gap
        now = startSeconds + length
        return { text, startSeconds, endSeconds: now, confidence: null }
      })
      const segments = splitSegments(words)
      expect(segments.flatMap((segment) => segment.words)).toEqual(words)
      for (const [index, segment] of segments.entries()) {
        expect(segment.endSeconds).toBeGreaterThan(segment.startSeconds)
        expect(segment.startSeconds).toBeGreaterThanOrEqual(segments[index - 1]?.endSeconds ?? 0)
      }
    }),
  )
})
