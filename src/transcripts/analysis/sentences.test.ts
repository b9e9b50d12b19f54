import { expect, it } from 'vitest'
import { segmentOf, transcriptOf } from '../writers/transcript-fixture.ts'
import { readSentences } from './sentences.ts'

it('puts together what segments cut, and parts what one segment holds', () => {
  const sentences = readSentences(
    transcriptOf([
      segmentOf(1, [0, 2], 'I spoke to Dr. Miller', 'Speaker 1'),
      segmentOf(2, [2.2, 4], 'about the plan.', 'Speaker 1'),
      segmentOf(3, [4, 10], 'It is good. It is cheap. Is it?', 'Speaker 2'),
      segmentOf(4, [11, 12], 'and then', 'Speaker 2'),
      segmentOf(5, [20, 21], 'nothing more', 'Speaker 2'),
    ]),
  )
  expect(
    sentences.map(({ text, segmentIds, startSeconds, endSeconds }) => [text, segmentIds, startSeconds, endSeconds]),
  ).toEqual([
    ['I spoke to Dr. Miller about the plan.', [1, 2], 0, 4],
    ['It is good.', [3], 4, 6.25],
    ['It is cheap.', [3], 6.25, 8.5],
    ['Is it?', [3], 8.5, 10],
    ['and then', [4], 11, 12],
    ['nothing more', [5], 20, 21],
  ])
})

it('bounds sentences that never end, and loses no word of them', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `word${index}`).join(' ')
  const sentences = readSentences(transcriptOf([segmentOf(1, [0, 500], text)]))
  expect(sentences.map((sentence) => sentence.text).join(' ')).toBe(text)
  expect(Math.max(...sentences.map((sentence) => sentence.text.length))).toBeLessThanOrEqual(400)
  expect(sentences[10]?.startSeconds).toBeGreaterThan(100)
})
