import { expect, it } from 'vitest'
import { formatNumber } from './number-formats.ts'

it.each([
  [4, 'decimal', '4'],
  [4, 'decimalZero', '04'],
  [1994, 'upperRoman', 'MCMXCIV'],
  [40_000, 'lowerRoman', '40000'],
  [0, 'lowerRoman', '0'],
  [3, 'upperLetter', 'C'],
  [28, 'lowerLetter', 'bb'],
  [11, 'ordinal', '11th'],
  [22, 'ordinal', '22nd'],
  [21, 'cardinalText', 'Twenty-one'],
  [12, 'ordinalText', 'Twelfth'],
  [30, 'ordinalText', 'Thirtieth'],
  [5, 'chicago', '**'],
  [3, 'decimalEnclosedCircle', '③'],
  [21, 'decimalEnclosedCircle', '21'],
  [12, 'chineseCounting', '十二'],
  [103, 'chineseCountingThousand', '一百零三'],
  [20, 'ideographDigital', '二〇'],
  [2, 'ideographTraditional', '乙'],
  [16, 'hebrew1', 'טז'],
  [3, 'russianLower', 'в'],
  [12, 'thaiNumbers', '๑๒'],
  [2, 'ganada', '나'],
  [7, 'no such format', '7'],
])('writes %i as %s: %s', (number, format, text) => {
  expect(formatNumber(number, format)).toBe(text)
})
