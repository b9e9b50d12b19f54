import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cell, paragraph, table } from './document-fixture.ts'
import type { Cell } from './model.ts'
import { toGrid } from './table-grid.ts'
import { findTables, toTableJson, writeTableCsv } from './write-table.ts'

const merged = table(
  [
    [cell('Year', { rowSpan: 2 }), cell('Sales', { columnSpan: 2 })],
    ['North', 'South'],
    ['2024', '1,5', '"2"'],
  ],
  {
    headerRows: 2,
    page: 3,
    box: { x: 1, y: 2, width: 3, height: 4 },
  },
)

describe('CSV', () => {
  it('repeats merged cells, or leaves their other places blank', () => {
    expect(writeTableCsv(merged, 'repeat')).toBe('Year,Sales,Sales\r\nYear,North,South\r\n2024,"1,5","""2"""\r\n')
    expect(writeTableCsv(merged, 'blank')).toBe('Year,Sales,\r\n,North,South\r\n2024,"1,5","""2"""\r\n')
  })

  it('reads back as it was', () => {
    const row = fc.array(fc.string({ unit: fc.constantFrom(...'ab ,"\n'.split('')), maxLength: 6 }), {
      minLength: 2,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        // A paragraph has no line breaks and no blanks at its ends.
        const texts = rows.map((cells) => cells.map((text) => text.replace(/\s+/g, ' ').trim()))
        const columns = Math.max(...texts.map((cells) => cells.length))
        const padded = texts.map((cells) => [...cells, ...Array<string>(columns - cells.length).fill('')])
        expect(parseCsv(writeTableCsv(table(texts), 'blank'))).toEqual(padded)
      }),
    )
  })
})

/** Reads CSV by the letter of RFC 4180. */
const parseCsv = (csv: string): string[][] => {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

describe('JSON', () => {
  it('has the place, the texts and the cells with their spans', () => {
    expect(toTableJson(merged, 'repeat')).toEqual({
      page: 3,
      box: { x: 1, y: 2, width: 3, height: 4 },
      headerRows: 2,
      columns: 3,
      rows: [
        ['Year', 'Sales', 'Sales'],
        ['Year', 'North', 'South'],
        ['2024', '1,5', '"2"'],
      ],
      cells: [
        { row: 0, column: 0, rowSpan: 2, header: true, text: 'Year' },
        { row: 0, column: 1, columnSpan: 2, header: true, text: 'Sales' },
        { row: 1, column: 1, header: true, text: 'North' },
        { row: 1, column: 2, header: true, text: 'South' },
        { row: 2, column: 0, text: '2024' },
        { row: 2, column: 1, text: '1,5' },
        { row: 2, column: 2, text: '"2"' },
      ],
    })
  })
})

describe('the grid', () => {
  it('is a rectangle in which every cell begins once, whatever the spans are', () => {
    const anyCell = fc
      .record({ columnSpan: fc.integer({ min: -1, max: 5 }), rowSpan: fc.integer({ min: -1, max: 5 }) })
      .map((spans): Cell => cell('x', spans))
    fc.assert(
      fc.property(fc.array(fc.array(anyCell, { maxLength: 5 }), { maxLength: 5 }), (rows) => {
        const grid = toGrid(table(rows))
        expect(grid.rows.every((row) => row.length === grid.columns)).toBe(true)
        const origins = grid.rows.flat().filter((place) => place?.isOrigin)
        expect(new Set(origins.map((place) => place?.cell))).toEqual(new Set(rows.flat()))
        expect(origins).toHaveLength(rows.flat().length)
      }),
    )
  })

  it('does not believe spans that would fill the memory', () => {
    const wide = Array.from({ length: 500 }, () => cell('x', { columnSpan: 1e9, rowSpan: 1e9 }))
    expect(toGrid(table(wide.map((each) => [each]))).columns).toBeLessThan(20_000)
  })
})

it('finds tables in items and quotes', () => {
  const inner = table([['a']])
  const found = [
    ...findTables([
      merged,
      { kind: 'item', depth: 0, ordered: false, marker: '•', content: [], more: [inner] },
      { kind: 'quote', blocks: [paragraph('x'), inner] },
    ]),
  ]
  expect(found).toEqual([merged, inner, inner])
})
