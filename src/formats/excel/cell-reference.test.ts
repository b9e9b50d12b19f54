import { describe, expect, test } from 'vitest'
import { cellName, columnName, rangeName, readCellName, readRange } from './cell-reference.ts'

describe('columns', () => {
  test.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [16_383, 'XFD'],
  ])('%i is %s', (column, name) => {
    expect(columnName(column)).toBe(name)
    expect(readCellName(`${name}1`)).toEqual({ row: 0, column })
  })
})

describe('cells', () => {
  test.each(['B3', '$B$3', 'b3', 'B$3'])('%s', (name) => {
    expect(readCellName(name)).toEqual({ row: 2, column: 1 })
  })
  test.each(['', 'B', '3', 'B0', 'XFE1', 'A1048577', 'A1B', 'B-3', 'A99999999999999999999', 'ZZZZZZZZ1', '1A', '$'])(
    '"%s" is no cell',
    (name) => expect(readCellName(name)).toBeUndefined(),
  )
})

describe('ranges', () => {
  test('corners in any order', () => {
    expect(readRange('D9:B3')).toEqual({ top: 2, left: 1, bottom: 8, right: 3 })
  })
  test('one cell', () => {
    expect(readRange('B3')).toEqual({ top: 2, left: 1, bottom: 2, right: 1 })
    expect(rangeName({ top: 2, left: 1, bottom: 2, right: 1 })).toBe('B3')
  })
  test.each(['A1:', ':B2', 'A:B', 'A1:XFE1', '-1:-1'])('"%s" is no range', (name) => {
    expect(readRange(name)).toBeUndefined()
  })
  test('names', () => {
    expect(cellName(1_048_575, 16_383)).toBe('XFD1048576')
    expect(rangeName({ top: 0, left: 0, bottom: 1, right: 1 })).toBe('A1:B2')
  })
})
