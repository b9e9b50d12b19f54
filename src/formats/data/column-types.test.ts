import { describe, expect, it } from 'vitest'
import { ColumnTracker, toJsonValue } from './column-types.ts'

const survey = (cells: string[]) => {
  const tracker = new ColumnTracker()
  for (const cell of cells) tracker.add(cell)
  return tracker.finish(cells.length)
}

describe('ColumnTracker', () => {
  it.each([
    [['1', '-2', '+3'], 'integer'],
    [['1', '2.5', '1e9'], 'number'],
    [['1.234,50', '0,5'], 'number'],
    [['007', '12'], 'text'],
    [['true', 'No'], 'boolean'],
    [['2024-05-01', '1.2.2024'], 'date'],
    [['2024-05-01T10:00:00Z', '2024-05-01 10:00'], 'datetime'],
    [['10:00', '23:59:59'], 'time'],
    [['1', 'NA', ''], 'integer'],
    [['NA', 'NA'], 'text'],
    [['', ''], 'empty'],
    [['1', 'x'], 'text'],
  ])('%j is %s', (cells, type) => expect(survey(cells).type).toBe(type))
})

describe('toJsonValue', () => {
  it.each([
    ['+5', { type: 'integer' }, '5'],
    ['.5', { type: 'number' }, '0.5'],
    ['-.5', { type: 'number' }, '-0.5'],
    ['1.50', { type: 'number' }, '1.50'],
    ['1.234,5', { type: 'number', decimal: ',' }, '1234.5'],
    ['9007199254740993', { type: 'integer' }, '"9007199254740993"'],
    ['yes', { type: 'boolean' }, 'true'],
    ['NA', { type: 'number' }, 'null'],
    ['NA', { type: 'text' }, '"NA"'],
    ['', { type: 'text' }, 'null'],
  ] as const)('%s as %j is %s', (cell, column, json) => expect(toJsonValue(cell, column)).toBe(json))
})
