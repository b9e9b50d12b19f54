import { expect, test } from 'vitest'
import { shiftFormula } from './shift-formula.ts'

test.each([
  ['A1+B2', 'B3+C4'],
  ['$A1+A$1+$A$1', '$A3+B$1+$A$1'],
  ['SUM(A1:A10)', 'SUM(B3:B12)'],
  ['LOG10(A1)', 'LOG10(B3)'],
  ['"A1"&A1', '"A1"&B3'],
  ["'A1 B2'!A1", "'A1 B2'!B3"],
  ['Sheet1!A1', 'Sheet1!B3'],
  ['SUM(A:C)', 'SUM(B:D)'],
  ['SUM($A:C)', 'SUM($A:D)'],
  ['SUM(1:3)', 'SUM(3:5)'],
  ['rate_A1+A1_x', 'rate_A1+A1_x'],
  ['IF(A1>1.5E3,"x""A1",B1)', 'IF(B3>1.5E3,"x""A1",C3)'],
  ['XFD1048576', 'A2'],
])('%s two rows down and one column right', (formula, shifted) => {
  expect(shiftFormula(formula, 2, 1)).toBe(shifted)
})

test('up and left', () => {
  expect(shiftFormula('C3', -2, -2)).toBe('A1')
})
