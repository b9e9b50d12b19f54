import { describe, expect, it } from 'vitest'
import { cell, documentOf, heading, item, paragraph, styled, table } from './document-fixture.ts'
import type { Block, DocumentModel } from './model.ts'
import { type MarkdownOptions, writeMarkdown } from './write-markdown.ts'

const write = (blocks: readonly Block[], more: Partial<DocumentModel> = {}, options: MarkdownOptions = {}): string =>
  [...writeMarkdown(documentOf(blocks, more), options)].join('')

describe('blocks', () => {
  it('stand apart by one blank line', () => {
    expect(write([heading(1, 'A'), paragraph(''), paragraph('b'), { kind: 'rule' }, paragraph('c')])).toBe(
      '# A\n\nb\n\n---\n\nc\n',
    )
  })

  it('drops the weight of headings, which are heavy as they are', () => {
    expect(write([heading(2, [styled('Wine ', { bold: true }), styled('Vitis', { bold: true, italic: true })])])).toBe(
      '## Wine *Vitis*\n',
    )
  })

  it('fences code with more backticks than it holds', () => {
    expect(write([{ kind: 'code', text: '```\nx\n```\n', language: 'js' }])).toBe('````js\n```\nx\n```\n````\n')
  })

  it('marks every line of a quote', () => {
    expect(write([{ kind: 'quote', blocks: [paragraph('a'), item('•', 'b')] }])).toBe('> a\n>\n> - b\n')
  })

  it('writes formulas as LaTeX where it is known', () => {
    const blocks: Block[] = [
      { kind: 'formula', text: 'E = mc2', latex: 'E = mc^2', label: '(1)' },
      { kind: 'formula', text: 'a_i * b_i' },
      paragraph([styled('with '), { kind: 'formula', text: 'x', latex: 'x_1' }, styled(' for $5')]),
    ]
    expect(write(blocks)).toBe('$$\nE = mc^2\n\\tag{1}\n$$\n\na_i * b_i\n\nwith $x_1$ for \\$5\n')
  })
})

describe('lists', () => {
  it('are as deep as the markers above are wide', () => {
    const blocks = [
      item('9.', 'nine'),
      item('10.', 'ten'),
      item('•', 'under ten', { depth: 1 }),
      item('–', 'further down', { depth: 2 }),
      item('11)', 'eleven'),
    ]
    expect(write(blocks)).toBe('9. nine\n10. ten\n    - under ten\n      - further down\n11) eleven\n')
  })

  it('keep letters and names of items as text', () => {
    expect(write([item('(a)', 'first'), item('iv.', 'fourth'), item('1.2.3', 'third')])).toBe(
      '- (a) first\n- iv. fourth\n- 1.2.3 third\n',
    )
  })

  it('hold blocks, and leave a blank line after them', () => {
    const blocks = [item('1.', 'one', { more: [paragraph('more'), table([['a'], ['b']])] }), item('2.', 'two')]
    expect(write(blocks)).toBe('1. one\n\n   more\n\n   | a |\n   | --- |\n   | b |\n\n2. two\n')
  })

  it('leave a blank line where a number would be read as the text of the item above', () => {
    const blocks = [
      item('•', 'a'),
      item('3.', 'b', { depth: 1 }),
      item('4.', 'c', { depth: 1 }),
      item('•', '', { depth: 2 }),
    ]
    expect(write(blocks)).toBe('- a\n\n  3. b\n  4. c\n\n     -\n')
  })

  it('take any depth for the next one down', () => {
    expect(write([item('•', 'a', { depth: 3 }), item('•', 'b', { depth: 7 }), item('•', 'c', { depth: 3 })])).toBe(
      '- a\n  - b\n- c\n',
    )
  })
})

describe('tables', () => {
  const merged = table(
    [
      [cell('Year', { rowSpan: 2 }), cell('Sales', { columnSpan: 2 })],
      ['North', 'South'],
      ['2024', '1', '2'],
    ],
    {
      headerRows: 2,
      caption: [styled('Table 1')],
    },
  )

  it('are pipes where these say everything', () => {
    expect(
      write([
        table([
          ['a|b', 'c'],
          ['d', cell('', { blocks: [paragraph('e'), paragraph('f')] })],
        ]),
      ]),
    ).toBe('| a\\|b | c |\n| --- | --- |\n| d | e<br>f |\n')
  })

  it('have an empty head where they have none', () => {
    expect(write([table([['a', 'b']], { headerRows: 0 })])).toBe('|  |  |\n| --- | --- |\n| a | b |\n')
  })

  it('fill rows that are too short', () => {
    expect(write([table([['a', 'b'], ['c']])])).toBe('| a | b |\n| --- | --- |\n| c |  |\n')
  })

  it('are HTML where cells are merged, under their caption', () => {
    expect(write([merged])).toBe(
      [
        'Table 1',
        '',
        '<table>',
        '<thead>',
        '<tr><th rowspan="2">Year</th><th colspan="2">Sales</th></tr>',
        '<tr><th>North</th><th>South</th></tr>',
        '</thead>',
        '<tbody>',
        '<tr><td>2024</td><td>1</td><td>2</td></tr>',
        '</tbody>',
        '</table>',
        '',
      ].join('\n'),
    )
  })

  it('repeat merged cells in pipes, and make one head of several', () => {
    expect(write([merged], {}, { tableFormat: 'pipe' })).toBe(
      'Table 1\n\n| Year | Sales / North | Sales / South |\n| --- | --- | --- |\n| 2024 | 1 | 2 |\n',
    )
  })

  it('escape what HTML would read, and hold no blank line', () => {
    const html = write([
      table([
        [cell('a < b & "c"', { columnSpan: 2 })],
        [cell('', { blocks: [{ kind: 'code', text: 'x\n\ny' }, item('•', 'i')] }), ''],
      ]),
    ])
    expect(html).toContain('<th colspan="2">a &lt; b &amp; "c"</th>')
    expect(html).toContain('<td><pre>x&#10;&#10;y</pre><ul><li>i</li></ul></td>')
    expect(html.trimEnd()).not.toContain('\n\n')
  })
})

describe('notes', () => {
  const notes: DocumentModel['notes'] = [
    { id: 'n1', kind: 'footnote', label: '3', page: 1, blocks: [paragraph('First.'), paragraph('Second.')] },
    { id: 'n2', kind: 'footnote', label: '*', page: 2, blocks: [paragraph('Star.')] },
    { id: 'n3', kind: 'footnote', label: '7', page: 2, blocks: [paragraph('Nobody refers to it.')] },
    { id: 'n4', kind: 'comment', author: 'Ann', blocks: [paragraph('Why?')] },
  ]
  const blocks: Block[] = [
    paragraph([styled('One'), { kind: 'note', id: 'n1' }, styled('.')], 1),
    paragraph([styled('Two'), { kind: 'note', id: 'n2' }, { kind: 'note', id: 'n4' }], 2),
  ]

  it('are defined at the end', () => {
    expect(write(blocks, { notes })).toBe(
      'One[^3].\n\nTwo[^1][^2]\n\n[^3]: First.\n\n    Second.\n\n[^1]: Star.\n\n7 Nobody refers to it.\n\n[^2]: Ann: Why?\n',
    )
  })

  it('are defined at the end of their page where pages are marked', () => {
    const pages = [{ number: 1 }, { number: 2 }]
    expect(write(blocks, { notes, pages }, { pageBreaks: 'comment' })).toBe(
      '<!-- page 1 -->\n\nOne[^3].\n\n[^3]: First.\n\n    Second.\n\n<!-- page 2 -->\n\nTwo[^1][^2]\n\n[^1]: Star.\n\n7 Nobody refers to it.\n\n[^2]: Ann: Why?\n',
    )
  })

  it('are paragraphs where only HTML refers to them', () => {
    const refers = cell('', { blocks: [paragraph([styled('x'), { kind: 'note', id: 'n1' }])], columnSpan: 2 })
    expect(write([table([[refers], ['a', 'b']])], { notes: notes.slice(0, 1) })).toMatch(
      /<th colspan="2">x<sup>3<\/sup><\/th>[\s\S]*\n\n3 First\.\n\nSecond\.\n$/,
    )
  })
})

describe('pages', () => {
  const pages = [{ number: 2 }, { number: 3 }, { number: 5 }]
  const blocks: Block[] = [
    paragraph('two', 2),
    { kind: 'furniture', role: 'page-number', page: 2, content: [styled('2')] },
    paragraph('five', 5),
  ]

  it('are not marked unless told', () => {
    expect(write(blocks, { pages })).toBe('two\n\nfive\n')
  })

  it('are marked, empty ones too', () => {
    expect(write(blocks, { pages }, { pageBreaks: 'comment' })).toBe(
      '<!-- page 2 -->\n\ntwo\n\n<!-- page 3 -->\n\n<!-- page 5 -->\n\nfive\n',
    )
    expect(write(blocks, { pages }, { pageBreaks: 'rule' })).toBe('two\n\n---\n\n---\n\nfive\n')
  })

  it('do not break a list that goes on over them', () => {
    const footer: Block = { kind: 'furniture', role: 'footer', page: 2, content: [styled('x')] }
    const list = [item('•', 'a', { page: 2 }), footer, item('•', 'b', { page: 3, depth: 1 })]
    expect(write(list, { pages })).toBe('- a\n  - b\n')
  })

  it('keep their furniture where told', () => {
    expect(write(blocks, { pages }, { headersFooters: 'keep' })).toBe('two\n\n2\n\nfive\n')
  })
})

describe('images', () => {
  const images = [{ id: 'a', path: 'images/a b.png' }, { id: 'b' }]
  const blocks: Block[] = [
    { kind: 'image', image: 'a', alt: 'A [chart]', caption: [styled('Figure 1')] },
    { kind: 'image', image: 'b', caption: [styled('Figure 2')] },
    paragraph([styled('see '), { kind: 'image', image: 'a' }]),
  ]

  it('are referred to where the result holds them', () => {
    expect(write(blocks, { images })).toBe(
      '![A \\[chart\\]](images/a%20b.png)\n\nFigure 1\n\nFigure 2\n\nsee ![](images/a%20b.png)\n',
    )
  })

  it('are left out where they have no address', () => {
    expect(write(blocks, { images }, { imageHref: () => undefined })).toBe('Figure 1\n\nFigure 2\n\nsee\n')
  })
})
