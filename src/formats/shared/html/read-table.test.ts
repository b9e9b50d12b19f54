import { expect, test } from 'vitest'
import type { Table } from '../document/model.ts'
import { textOfBlocks } from '../document/text-of-blocks.ts'
import { readHtml } from './read-html.ts'
import { createTreeBuilder } from './tree.ts'

/** Each row as the texts of its cells, with `v2` for a cell over two rows and `>3` for one over three columns. */
const read = async (rows: string) => {
  const builder = await createTreeBuilder()
  builder.write(`<table>${rows}</table>`)
  const table = readHtml(builder.endTree()).document.blocks[0] as Table
  const lines = table.rows.map((row) =>
    row.map(
      ({ blocks, rowSpan, columnSpan }) =>
        `${textOfBlocks(blocks)}${rowSpan ? ` v${rowSpan}` : ''}${columnSpan ? ` >${columnSpan}` : ''}`,
    ),
  )
  return { lines, headerRows: table.headerRows }
}

test('a row that only begins what stands beside the next rows is a part of the next', async () => {
  expect(
    await read(
      '<tr><th>Year<th>Quarter<th>Month</tr><tr><th rowspan=6>2025<th rowspan=3>Q1</tr><tr><td>Jan</tr><tr><td>Feb</tr><tr><th rowspan=2>Q2</tr><tr><td>Apr</tr>',
    ),
  ).toEqual({
    lines: [['Year', 'Quarter', 'Month'], ['2025 v4', 'Q1 v2', 'Jan'], ['Feb'], ['Q2', 'Apr']],
    headerRows: 1,
  })
})

test('a row stays where another cell ends with it', async () => {
  const { lines } = await read('<tr><td rowspan=2>a<td>b</tr><tr><td rowspan=2>c</tr><tr><td>d</tr>')
  expect(lines).toEqual([['a v2', 'b'], ['c v2'], ['d']])
})

test('headers that go on beside the data are no row of headers', async () => {
  expect(await read('<tr><th rowspan=2>Total<th>Sum</tr><tr><td>3</tr>')).toMatchObject({ headerRows: 0 })
  expect(await read('<tr><th rowspan=2>a<th>b</tr><tr><th>c</tr><tr><td>1<td>2</tr>')).toMatchObject({ headerRows: 2 })
})

test('no header goes beyond the head of the table', async () => {
  expect(await read('<thead><tr><th rowspan=9>a<th>b</tr></thead><tbody><tr><td>1<td>2</tr></tbody>')).toEqual({
    lines: [
      ['a', 'b'],
      ['1', '2'],
    ],
    headerRows: 1,
  })
})
