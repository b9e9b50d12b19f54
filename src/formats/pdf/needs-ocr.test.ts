import { expect, test } from 'vitest'
import { judgeText } from './needs-ocr.ts'

const page = (text: string) => ({
  runs: [
    {
      text,
      font: '',
      fontSize: 10,
      bold: false,
      italic: false,
      monospace: false,
      rotation: 0,
      x: 0,
      y: 0,
      width: 1,
      height: 1,
    },
  ],
})
const sentence = 'The quick brown fox jumps over the lazy dog, and nobody minds. '

/** Letters moved along the alphabet, as by a font whose codes stand for others. */
const shift = (text: string) =>
  text.replace(/[a-z]/g, (letter) => 'bcdfghjklmnpqrstvwxz'[letter.charCodeAt(0) % 20] ?? letter)

test.each([
  ['no runs', '', 'none'],
  ['spaces', '   ', 'none'],
  ['a page of text', sentence.repeat(10), 'good'],
  ['a stamp', 'Downloaded by user 17 on 2021-03-04', 'sparse'],
  ['a chapter page', 'Part I', 'sparse'],
  ['private use', '\ue001\ue002\ue003\ue004\ue005\ue006\ue007 \ue008', 'garbled'],
  ['replacement characters among letters', 'ab\ufffd\ufffd\ufffdcd\ufffd\ufffdef', 'garbled'],
  ['a few odd bullets in text', `\uf0b7 ${sentence.repeat(5)}`, 'good'],
  ['control characters', '\u0019\u0012', 'garbled'],
  ['signs of a font without a meaning', '"7+%-', 'garbled'],
  ['shifted letters', shift(sentence.repeat(10)), 'garbled'],
  ['Polish', 'Chrząszcz brzmi w trzcinie w Szczebrzeszynie, że przepiórki w życie drżą. '.repeat(5), 'good'],
  ['Russian', 'Съешь же ещё этих мягких французских булок, да выпей чаю. '.repeat(5), 'good'],
  ['Chinese', '快速的棕色狐狸跳过了懒狗。'.repeat(30), 'good'],
  ['abbreviations', 'HTML CSS HTTP XML JSON '.repeat(3), 'sparse'],
  ['figures', '12.5 33 1,204 98% '.repeat(30), 'good'],
])('%s', (_, text, verdict) => {
  expect(judgeText(page(text))).toBe(verdict)
})
