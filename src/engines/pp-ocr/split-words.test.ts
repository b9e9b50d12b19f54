import { expect, test } from 'vitest'
import type { Letter } from './decode.ts'
import { splitWords } from './split-words.ts'

const STEP = 8
const HEIGHT = 48

/** A line whose letters are black bars, each in the middle of a step of its own; a space in the text is an empty step. */
const write = (text: string, read = text) => {
  const width = text.length * STEP
  const data = new Uint8Array(width * HEIGHT * 3).fill(255)
  const letters: Letter[] = []
  for (const [step, character] of [...text].entries()) {
    if (character !== ' ') {
      for (let y = 10; y < 38; y++) data.fill(0, (y * width + step * STEP + 1) * 3, (y * width + step * STEP + 7) * 3)
    }
    if (read[step] !== '~') letters.push({ text: character, confidence: 1, step })
  }
  const words = splitWords(letters, { width, height: HEIGHT, data }, STEP)
  return words.map((word) => word.map((letter) => letter.text).join(''))
}

test('words end at spaces that were read', () => {
  expect(write('to be or')).toEqual(['to', 'be', 'or'])
})

test('and at gaps as wide as a space where none was read', () => {
  expect(write('to be or', 'to~be or')).toEqual(['to', 'be', 'or'])
  expect(write('to be or', 'to~be~or')).toEqual(['to', 'be', 'or'])
})

test('but not in figures, nor before a closing mark, nor in scripts without spaces', () => {
  expect(write('12 5', '12~5')).toEqual(['125'])
  expect(write('so ,', 'so~,')).toEqual(['so,'])
  expect(write('中国 人', '中国~人')).toEqual(['中国人'])
})
