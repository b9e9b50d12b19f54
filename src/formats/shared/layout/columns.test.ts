import { describe, expect, it } from 'vitest'
import { orderColumns } from './columns.ts'
import { assemble, describeBlocks, pageOf, textLines, textRun } from './sample-page.ts'

const SENTENCE = 'lorem ipsum dolor sit amet consectetur adipi'
const column = (name: string, x: number, y: number, lines = 8) =>
  textLines(
    Array.from({ length: lines }, (_, index) => (index === 0 ? `${name} ${SENTENCE}` : `${SENTENCE} ${name}`)),
    x,
    y,
  )
const shuffle = <T>(values: readonly T[]): T[] =>
  values
    .map((value, index) => ({ value, rank: (index * 7919) % 101 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
const order = (text: string, names: readonly string[]) => names.map((name) => text.indexOf(`${name} lorem`))

describe('columns', () => {
  it('reads two columns one after the other, whatever the order of the runs', () => {
    const runs = [...column('alpha', 50, 150), ...column('beta', 320, 150)]
    const straight = describeBlocks(assemble(pageOf(runs)).blocks)
    expect(describeBlocks(assemble(pageOf(shuffle(runs))).blocks)).toEqual(straight)
    expect(straight.join(' ').indexOf('beta lorem')).toBeGreaterThan(straight.join(' ').lastIndexOf('alpha'))
  })

  it('reads three columns', () => {
    const narrow = (name: string, x: number) =>
      textLines(
        Array.from({ length: 7 }, (_, index) =>
          index === 0 ? `${name} lorem ipsum dolor sit` : `dolor sit amet ipsu ${name}`,
        ),
        x,
        200,
      )
    const text = describeBlocks(
      assemble(pageOf(shuffle([...narrow('one', 40), ...narrow('two', 230), ...narrow('three', 420)]))).blocks,
    ).join(' ')
    expect(order(text, ['one', 'two', 'three'])).toEqual(order(text, ['one', 'two', 'three']).sort((a, b) => a - b))
    expect(text.indexOf('two lorem')).toBeGreaterThan(text.lastIndexOf(' one'))
  })

  it('keeps a line across the page between the columns above and below it', () => {
    const across = textRun(`across ${SENTENCE} ${SENTENCE} ${SENTENCE.slice(0, 20)}`, 50, 330)
    const runs = [
      ...column('alpha', 50, 200),
      ...column('beta', 320, 200),
      across,
      ...column('gamma', 50, 370),
      ...column('delta', 320, 370),
    ]
    const text = describeBlocks(assemble(pageOf(shuffle(runs))).blocks).join(' ')
    const places = order(text, ['alpha', 'beta', 'across', 'gamma', 'delta'])
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places.every((place) => place >= 0)).toBe(true)
  })

  it('reads names and values across, not down', () => {
    const atom = (text: string, x: number, y: number) => ({
      x,
      y,
      right: x + text.length * 5,
      bottom: y + 10,
      value: text,
      characters: text.length,
      numeric: /^\d/.test(text),
      size: 10,
    })
    const atoms = ['Date', 'Number', 'Customer', 'Total'].flatMap((name, row) => [
      atom(name, 60, 200 + row * 20),
      atom(`${row}42.00`, 260, 200 + row * 20),
    ])
    expect(orderColumns(atoms).map((column) => column.atoms.map(({ value }) => value))).toEqual([
      ['Date', '042.00', 'Number', '142.00', 'Customer', '242.00', 'Total', '342.00'],
    ])
  })

  it('does not take wide spaces in a justified paragraph for a gutter', () => {
    const runs = [
      ...textLines(
        ['full line of text that goes across the whole of it', 'another full line of text that goes right across'],
        50,
        200,
      ),
      textRun('loosely set line', 50, 226),
      textRun('with a wide space in it', 185, 226),
      textRun('and here is another', 50, 239),
      textRun('wide space over it', 200, 239),
      ...textLines(['last full line of text that goes across the whole'], 50, 252),
    ]
    expect(describeBlocks(assemble(pageOf(runs)).blocks)).toEqual([
      'p: full line of text that goes across the whole of it another full line of text that goes right across loosely set line with a wide space in it and here is another wide space over it last full line of text that goes across the whole',
    ])
  })

  it('reads a filled sidebar as one, apart from the text beside it', () => {
    const runs = [
      ...column('main', 50, 150, 20),
      ...textLines(['Sidebar lorem words', 'in a narrow panel of', 'its own beside it'], 330, 200),
    ]
    const shapes = [{ x: 320, y: 190, width: 200, height: 120, fill: 'eeeeee', curved: false }]
    const text = describeBlocks(assemble(pageOf(shuffle(runs), { shapes })).blocks).join(' ')
    expect(text).toContain('Sidebar lorem words in a narrow panel of its own beside it')
  })
})
