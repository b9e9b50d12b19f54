import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DelimitedReader, type Dialect } from './delimited-reader.ts'
import { sniffDialect } from './dialect.ts'

const read = (pieces: string[], dialect: Dialect): string[][] => {
  const reader = new DelimitedReader(dialect)
  return [...pieces.flatMap((piece) => reader.write(piece)), ...reader.end()]
}
const COMMA: Dialect = { delimiter: ',', quote: '"', escape: 'doubled' }

const write = (rows: string[][], { delimiter, quote, escape: style }: Dialect, newline: string): string => {
  const cell = (text: string) => {
    const escaped =
      style === 'doubled'
        ? text.replaceAll(quote, quote + quote)
        : text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
    return `${quote}${escaped}${quote}`
  }
  return rows.map((row) => row.map(cell).join(delimiter) + newline).join('')
}

describe('DelimitedReader', () => {
  it('reads back what was written in any dialect, however it is cut', () => {
    const dialects = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|', ':'),
      quote: fc.constantFrom('"', "'"),
      escape: fc.constantFrom<Dialect['escape'][]>('doubled', 'backslash'),
    })
    const rows = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 2, maxLength: 4 }), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(
        rows,
        dialects,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        (cells, dialect, newline, size) => {
          const text = write(cells, dialect, newline)
          const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            text.slice(i * size, (i + 1) * size),
          )
          expect(read(pieces, dialect)).toEqual(cells)
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a,b,\n', [['a', 'b', '']]],
    ['a,b,', [['a', 'b', '']]],
    ['\n\na\n\n', [['a']]],
    ['a, "b, c" ,d\n', [['a', 'b, c', 'd']]],
    ['"a""b",c\n', [['a"b', 'c']]],
    ['"say "hi" now",x\n', [['say "hi" now', 'x']]],
    ['"Yes" he said,x\n', [['"Yes" he said', 'x']]],
    ['5" pipe,x\n', [['5" pipe', 'x']]],
    [
      'a,"open\nb,c\n',
      [
        ['a', '"open'],
        ['b', 'c'],
      ],
    ],
    [
      '"two\nlines",x\r\ny,z',
      [
        ['two\nlines', 'x'],
        ['y', 'z'],
      ],
    ],
  ])('reads %j', (text, rows) => {
    expect(read([text], COMMA)).toEqual(rows)
    expect(read([...text], COMMA)).toEqual(rows)
  })

  it('stays linear on a megabyte of quotes', () => {
    expect(read(['"a"a'.repeat(250_000)], COMMA)).toHaveLength(1)
    expect(read(['",'.repeat(500_000).slice(0, 30_000)], COMMA).length).toBeGreaterThan(0)
  })

  it('refuses a row that is too wide', () => {
    expect(() => read([','.repeat(20_000)], COMMA)).toThrow()
  })
})

describe('sniffDialect', () => {
  it.each([
    ['a,b\n1,2\n3,4\n', ','],
    ['a;b\n1,5;2,5\n', ';'],
    ['name|note\nx|a,b,c\ny|d,e\n', '|'],
    ['time\n10:20:30\n11:21:31\n', ''],
    ['root:x:0:0:root:/root\nann:x:1:1:Ann:/home/ann\n', ':'],
    ['Name, the first\nplain\nwords\n', ','],
    ['just\nwords\n', ''],
  ])('finds the delimiter of %j', (sample, delimiter) => {
    expect(sniffDialect(sample, 'csv').delimiter).toBe(delimiter)
  })

  it('keeps to what the extension promises', () => {
    expect(sniffDialect('a, b\tc, d\n1, 2\t3, 4\n', 'tsv').delimiter).toBe('\t')
  })
})
