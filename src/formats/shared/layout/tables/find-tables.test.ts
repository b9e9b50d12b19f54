import { describe, expect, it } from 'vitest'
import type { Block, Cell } from '../../document/model.ts'
import type { PageContent } from '../page-content.ts'
import { type FoundTable, findTables } from './find-tables.ts'
import { level, pageOf, prose, rowsAt, runAt, upright } from './page-fixture.ts'

const textOfBlock = (block: Block): string =>
  'content' in block ? block.content.map((inline) => ('text' in inline ? inline.text : '')).join('') : ''
const textOf = ({ blocks, columnSpan, rowSpan }: Cell): string =>
  blocks.map(textOfBlock).join('; ') + (columnSpan ? ` →${columnSpan}` : '') + (rowSpan ? ` ↓${rowSpan}` : '')
const show = ({ table }: FoundTable): string[] => table.rows.map((row) => row.map(textOf).join(' | '))
const only = (page: PageContent): FoundTable => {
  const found = findTables(page)
  expect(found).toHaveLength(1)
  return found[0] as FoundTable
}

describe('tables drawn by lines', () => {
  const xs = [50, 150, 250, 350]

  it('reads a grid, with cells of several lines and empty cells', () => {
    const ys = [100, 120, 160, 180]
    const runs = [
      ...rowsAt([['Name', 'Kind', 'Size']], [55, 155, 255], 105, 0, 1),
      runAt('long name', 55, 125),
      runAt('in two lines', 55, 138),
      runAt('fish', 155, 125),
      ...rowsAt([['crab', '', '12']], [55, 155, 255], 165, 0),
    ]
    const lines = [...ys.map((y) => level(y, 50, 350)), ...xs.map((x) => upright(x, 100, 180))]
    const found = only(pageOf(runs, lines))
    expect(show(found)).toEqual(['Name | Kind | Size', 'long name in two lines | fish | ', 'crab |  | 12'])
    expect(found.table).toMatchObject({ headerRows: 1, page: 3, box: { x: 50, y: 100, width: 300, height: 80 } })
    expect(found.runs.size).toBe(runs.length)
    expect(found.table.rows[1]?.[0]?.box).toEqual({ x: 50, y: 120, width: 100, height: 40 })
  })

  it('spans cells where lines are missing', () => {
    const runs = [
      ...rowsAt([['Area', 'Growth']], [55, 210], 105, 0),
      ...rowsAt([['2020', '2021']], [155, 255], 125, 0),
      ...rowsAt([['North', '1', '2']], [55, 155, 255], 145, 0),
    ]
    const lines = [
      level(100, 50, 350),
      level(120, 150, 350),
      level(140, 50, 350),
      level(160, 50, 350),
      upright(50, 100, 160),
      upright(150, 100, 160),
      upright(250, 120, 160),
      upright(350, 100, 160),
    ]
    expect(show(only(pageOf(runs, lines)))).toEqual(['Area ↓2 | Growth →2', '2020 | 2021', 'North | 1 | 2'])
  })

  it('parts rows of amounts that no line parts', () => {
    const body = [
      ['Sales', '120', '130'],
      ['Costs', '90', '95'],
      ['Profit', '30', '35'],
    ]
    const runs = [...rowsAt([['', '2020', '2021']], [55, 155, 255], 105, 0), ...rowsAt(body, [55, 155, 255], 125, 13)]
    const lines = [100, 120, 170].map((y) => level(y, 50, 350)).concat(xs.map((x) => upright(x, 100, 170)))
    expect(show(only(pageOf(runs, lines)))).toEqual([
      ' | 2020 | 2021',
      'Sales | 120 | 130',
      'Costs | 90 | 95',
      'Profit | 30 | 35',
    ])
  })

  it('makes items of bullets in a cell', () => {
    const runs = [
      ...rowsAt([['Day', 'To do']], [55, 155], 105, 0),
      runAt('Monday', 55, 125),
      runAt('• wash', 155, 125),
      runAt('• iron', 155, 138),
    ]
    const lines = [100, 120, 155].map((y) => level(y, 50, 250)).concat([50, 150, 250].map((x) => upright(x, 100, 155)))
    const cell = only(pageOf(runs, lines)).table.rows[1]?.[1]
    expect(cell?.blocks.map(({ kind }) => kind)).toEqual(['item', 'item'])
  })

  it('takes no frame, no empty grid and no diagram for a table', () => {
    const frame = [level(90, 50, 350), level(300, 50, 350), upright(50, 90, 300), upright(350, 90, 300)]
    expect(findTables(pageOf(prose(10, 60, 100, 50), frame))).toEqual([])
    const grid = [100, 120, 140].map((y) => level(y, 50, 350)).concat(xs.map((x) => upright(x, 100, 140)))
    expect(findTables(pageOf(prose(10, 60, 200, 50), grid))).toEqual([])
  })

  it('turns the columns of a right-to-left table round', () => {
    const rows = [
      ['מחיר', 'שם'],
      ['12', 'תפוח'],
    ]
    const lines = [100, 120, 140].map((y) => level(y, 50, 250)).concat([50, 150, 250].map((x) => upright(x, 100, 140)))
    const found = only(pageOf(rowsAt(rows, [55, 155], 105, 20), lines))
    expect(show(found)).toEqual(['שם | מחיר', 'תפוח | 12'])
    expect(found.table.direction).toBe('rtl')
  })
})

describe('tables with rules between rows', () => {
  it('reads head and body between three rules, and keeps two tables and the text between them apart', () => {
    const rows = [
      ['Year', 'Rate', 'Amount'],
      ['1', '0.33', '$33,330'],
      ['2', '0.44', '$44,450'],
    ]
    const tableAt = (y: number) => rowsAt(rows, [50, 150, 250], y, 16, 1)
    const rulesAt = (y: number) => [level(y - 3, 48, 400), level(y + 13, 48, 400), level(y + 48, 48, 400)]
    const runs = [...tableAt(100), ...prose(3, 50, 170, 68), ...tableAt(230)]
    const found = findTables(pageOf(runs, [...rulesAt(100), ...rulesAt(230)]))
    expect(found.map(show)).toEqual([rows, rows].map((table) => table.map((row) => row.join(' | '))))
  })

  it('spans a head over the columns of the rule below it', () => {
    const runs = [
      runAt('Site', 50, 100),
      runAt('Depth', 190, 100),
      ...rowsAt([['', 'mean', 'most']], [50, 150, 250], 116, 0),
      ...rowsAt(
        [
          ['North', '3.1', '9.5'],
          ['South', '2.7', '8.0'],
        ],
        [50, 150, 250],
        135,
        14,
      ),
    ]
    const rules = [level(97, 48, 300), level(113, 140, 300), level(130, 48, 300), level(165, 48, 300)]
    expect(show(only(pageOf(runs, rules)))).toEqual([
      'Site ↓2 | Depth →2',
      'mean | most',
      'North | 3.1 | 9.5',
      'South | 2.7 | 8.0',
    ])
  })

  it('leaves prose between the rules of a page alone', () => {
    const runs = [...prose(30, 50, 100, 44), ...prose(30, 300, 103, 44)]
    expect(findTables(pageOf(runs, [level(90, 48, 550), level(470, 48, 550)]))).toEqual([])
  })
})

describe('tables without lines', () => {
  const body = [
    ['Gujarat', '1469', '15.6', '200.4'],
    ['Punjab', '1273', '5.3', '70.2'],
    ['Tamil Nadu', '1043', '', '217.4'],
  ]
  const columns = [50, 150, 250, 350]

  it('reads columns of text under a bold head, whatever the order of the runs', () => {
    const rows = [['State', 'Clauses', 'Product', 'In dollars'], ...body]
    const runs = rowsAt(rows, columns, 200, 15, 1)
    const text = [...prose(4, 50, 100, 88), ...prose(4, 50, 290, 88)]
    const expected = rows.map((row) => row.join(' | '))
    const found = only(pageOf([...text, ...runs]))
    expect(show(found)).toEqual(expected)
    expect(found.table.headerRows).toBe(1)
    expect([...found.runs].sort((a, b) => a - b)).toEqual(runs.map((_, index) => text.length + index))
    expect(show(only(pageOf([...runs, ...text].reverse())))).toEqual(expected)
  })

  it('parts a run that goes over the gap between columns at its words', () => {
    const rows = [['State', 'Clauses', 'Product', 'In dollars'], ...body]
    const runs = rowsAt(rows, columns, 200, 15, 1)
    const words = runs.slice(4, 6).map(({ text, x, y, width, height }) => ({ text, x, y, width, height }))
    const joined = { ...runAt('Gujarat 1469', 50, 215), width: 120, words }
    expect(show(only(pageOf([...runs.slice(0, 4), joined, ...runs.slice(6)])))[1]).toBe('Gujarat | 1469 | 15.6 | 200.4')
  })

  it('puts wrapped lines into the row they belong to', () => {
    const runs = [
      ...rowsAt([['Term', 'Clauses', 'Share']], [50, 200, 300], 100, 0, 1),
      ...rowsAt([['less than three', '4,448', '21.3%']], [50, 200, 300], 116, 0),
      runAt('months of it', 50, 127),
      ...rowsAt([['one year or more', '4,806', '23.0%']], [50, 200, 300], 143, 0),
      ...rowsAt([['all', '9,254', '44.3%']], [50, 200, 300], 159, 0),
    ]
    expect(show(only(pageOf(runs)))).toEqual([
      'Term | Clauses | Share',
      'less than three months of it | 4,448 | 21.3%',
      'one year or more | 4,806 | 23.0%',
      'all | 9,254 | 44.3%',
    ])
  })

  it('lets labels go over the rows of their group', () => {
    const rows = [
      ['Area', 'Competence'],
      ['Values', 'fairness'],
      ['', 'nature'],
      ['Complexity', 'systems'],
      ['', 'critique'],
      ['', 'framing'],
    ]
    expect(show(only(pageOf(rowsAt(rows, [50, 250], 100, 24, 1))))).toEqual([
      'Area | Competence',
      'Values ↓2 | fairness',
      'nature',
      'Complexity ↓3 | systems',
      'critique',
      'framing',
    ])
  })

  it('aligns amounts at the right', () => {
    const rows = [
      ['Item', 'Price'],
      ['Kite', '5.00'],
      ['Large kite', '1,180.00'],
      ['String', '20.50'],
    ]
    const runs = rows.flatMap(([name = '', price = ''], index) => [
      runAt(name, 50, 100 + index * 15),
      runAt(price, 300 - price.length * 5, 100 + index * 15),
    ])
    expect(show(only(pageOf(runs)))).toEqual(rows.map((row) => row.join(' | ')))
  })

  it('reads a table in a typewriter font, whose spaces are wide', () => {
    const rows = [
      ['Name of the port', 'Calls', 'Tons'],
      ['Cagayan de Oro', '137', '3159'],
      ['General Santos', '112', '704'],
      ['San Jose del Mar', '74', '4428'],
    ]
    const runs = rowsAt(rows, [50, 200, 300], 200, 15).map((run) => runAt(run.text, run.x, run.y, { monospace: true }))
    expect(show(only(pageOf(runs)))).toEqual(rows.map((row) => row.join(' | ')))
  })

  it('finds a table beside a column of prose', () => {
    const rows = [['State', 'Clauses', 'Product'], ...body.map((row) => row.slice(0, 3))]
    const runs = [
      ...prose(8, 50, 100, 44),
      ...rowsAt(rows, [55, 140, 220], 210, 15, 1),
      ...prose(30, 320, 103, 44),
      ...prose(12, 50, 290, 44),
    ]
    expect(show(only(pageOf(runs)))).toEqual(rows.map((row) => row.join(' | ')))
  })
})

describe('what is no table', () => {
  const nothing: Record<string, ReturnType<typeof prose>> = {
    'two columns of prose': [...prose(40, 50, 100, 44), ...prose(40, 310, 100, 44)],
    'three columns of prose': [50, 230, 410].flatMap((x) => prose(40, x, 100, 30)),
    'a list with hanging indents': Array.from({ length: 12 }, (_, index) => [
      runAt(`${index + 1}.`, 50, 100 + index * 14),
      runAt('an item of the list', 70, 100 + index * 14),
    ]).flat(),
    'a table of contents': Array.from({ length: 12 }, (_, index) => [
      runAt('A chapter of the book', 50, 100 + index * 14),
      runAt(String(3 + index * 4), 500, 100 + index * 14),
    ]).flat(),
    'labels and values of a form': ['Name:', 'Address:', 'City:', 'Phone:'].flatMap((label, index) => [
      runAt(label, 50, 100 + index * 14),
      runAt('something written', 150, 100 + index * 14),
    ]),
    'numbered equations': Array.from({ length: 5 }, (_, index) => [
      ...prose(1, 50, 100 + index * 40, 80),
      runAt('x = a + b', 200, 120 + index * 40),
      runAt(`(${index + 1})`, 440, 120 + index * 40),
    ]).flat(),
    code: ['if (a) {', 'b()', '}', 'c()'].flatMap((text, index) => [
      runAt(text, 50 + (index % 2) * 20, 100 + index * 12, { monospace: true }),
      runAt('// why it is so', 250, 100 + index * 12, { monospace: true }),
    ]),
    'the header of a page': [runAt('A College', 50, 40), runAt('BIO181', 500, 40), ...prose(40, 50, 100, 90)],
    'the axis of a chart': [40, 30, 20, 10, 0].flatMap((value, index) => [
      runAt(String(value), 50, 100 + index * 30),
      ...(index === 2 ? [runAt('growth', 150, 160)] : []),
      runAt(String(value * 2), 400, 100 + index * 30),
    ]),
  }
  for (const [name, runs] of Object.entries(nothing))
    it(name, () => {
      expect(findTables(pageOf(runs))).toEqual([])
    })
})

describe('pages that mean harm', () => {
  it('gives up on more words or lines than a page can have', () => {
    const runs = Array.from({ length: 100_000 }, (_, index) =>
      runAt('1', (index % 100) * 6, Math.floor(index / 100) * 2),
    )
    expect(findTables(pageOf(runs))).toEqual([])
    const lines = Array.from({ length: 100_000 }, (_, index) => level(index % 800, 0, 600))
    expect(findTables(pageOf(prose(5, 50, 100, 60), lines))).toEqual([])
  })
})
