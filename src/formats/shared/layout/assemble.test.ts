import { describe, expect, it } from 'vitest'
import type { PageContent, StructureElement, TextRun } from './page-content.ts'
import { assemble, describeBlocks, pageOf, plainText, textLines, textRun } from './sample-page.ts'

const BODY = [
  'The first line of a paragraph that is as wide as the column it stands in',
  'goes on with a second line of much the same length and then with a third',
  'and ends here.',
]
const body = (y: number, x = 60) => textLines(BODY, x, y)
const BODY_TEXT = `p: ${BODY.join(' ')}`

describe('paragraphs', () => {
  it('joins lines and parts paragraphs by gaps', () => {
    expect(describeBlocks(assemble(pageOf([...body(100), ...body(160)])).blocks)).toEqual([BODY_TEXT, BODY_TEXT])
  })

  it('parts paragraphs by indents where there are no gaps', () => {
    const runs = textLines(BODY, 60, 200)
    const next = textLines(BODY, 60, 239)
    const [first, ...others] = next as [TextRun, ...TextRun[]]
    expect(describeBlocks(assemble(pageOf([...runs, { ...first, x: 75 }, ...others])).blocks)).toEqual([
      BODY_TEXT,
      BODY_TEXT,
    ])
  })

  it('drops text that is drawn twice', () => {
    const runs = body(100)
    const again = runs.map((run) => ({ ...run, x: run.x + 0.4 }))
    expect(describeBlocks(assemble(pageOf([...runs, ...again])).blocks)).toEqual([BODY_TEXT])
  })

  it('joins a paragraph that goes on in the next column and on the next page', () => {
    const left = textLines(
      Array.from({ length: 6 }, () => 'words that fill the left column to its edge'),
      50,
      150,
    )
    const right = textLines(
      Array.from({ length: 6 }, () => 'words that fill the next column to its edge'),
      320,
      150,
    )
    const next = textLines(['and it ends on the next page.'], 50, 150)
    const blocks = assemble(pageOf([...left, ...right]), pageOf([...next, ...body(300)], { number: 2 })).blocks
    expect(blocks).toHaveLength(2)
    expect(describeBlocks(blocks)[0]).toMatch(
      /left column to its edge words that fill the next .*edge and it ends on the next page\.$/,
    )
  })
})

describe('hyphens', () => {
  const textOf = (lines: readonly string[], more: readonly string[] = []) =>
    describeBlocks(assemble(pageOf([...textLines(lines, 60, 100), ...textLines(more, 60, 300)])).blocks)[0]

  it('joins a word that was broken', () => {
    expect(textOf(['a long line of text that ends in an inter-', 'national word and then goes on.'])).toBe(
      'p: a long line of text that ends in an international word and then goes on.',
    )
  })

  it('keeps the hyphen of a compound that the document writes with it', () => {
    expect(
      textOf(['a long line of text about a well-', 'known case and then goes on.'], ['The well-known case.']),
    ).toBe('p: a long line of text about a well-known case and then goes on.')
  })

  it('keeps the hyphen before a name', () => {
    expect(textOf(['a long line of text about the non-', 'European case and then goes on.'])).toContain('non-European')
  })
})

describe('headings', () => {
  it('finds them by size, weight and numbering, and gives them levels', () => {
    const runs = [
      textRun('The Title of It All', 60, 60, { fontSize: 20 }),
      textRun('1 Introduction', 60, 110, { fontSize: 14, bold: true }),
      ...body(140),
      textRun('1.1 Background', 60, 200, { fontSize: 12, bold: true }),
      ...body(225),
      textRun('2 Method', 60, 290, { fontSize: 14, bold: true }),
      ...body(320),
    ]
    expect(describeBlocks(assemble(pageOf(runs)).blocks).filter((line) => line.startsWith('h'))).toEqual([
      'h1: The Title of It All',
      'h2: 1 Introduction',
      'h3: 1.1 Background',
      'h2: 2 Method',
    ])
  })

  it('joins a heading of two lines and takes its emphasis off', () => {
    const heading = textLines(['A heading that is longer than', 'one line is'], 60, 150, { fontSize: 16, bold: true })
    const { blocks } = assemble(pageOf([...heading, ...body(220)]))
    expect(blocks[0]).toMatchObject({
      kind: 'heading',
      content: [{ kind: 'text', text: 'A heading that is longer than one line is' }],
    })
  })

  it('takes neither captions nor bold sentences for headings', () => {
    const runs = [
      ...body(100),
      textRun('Table 3: Results of it', 60, 160, { bold: true }),
      ...body(190),
      textRun('This is a bold sentence in the text, which ends as sentences do.', 60, 250, { bold: true }),
      ...body(280),
    ]
    const blocks = describeBlocks(assemble(pageOf(runs)).blocks)
    expect(blocks.filter((line) => line.startsWith('h'))).toEqual([])
    expect(blocks).toContain('caption: Table 3: Results of it')
  })

  it('believes the outline', async () => {
    const { createAssembler } = await import('./assemble.ts')
    const assembler = createAssembler({ outline: [{ title: 'Plain words', level: 2, page: 1 }] })
    assembler.add(pageOf([...body(100), textRun('Plain words', 60, 160), ...body(190)]))
    expect(describeBlocks(assembler.finish().blocks)).toContain('h2: Plain words')
  })
})

describe('lists', () => {
  it('finds bullets, numbers and what is nested, over several lines', () => {
    const runs = [
      ...body(100),
      textRun('•', 70, 160),
      textRun('first item', 85, 160),
      textRun('–', 95, 175),
      textRun('nested item that is long enough to go on', 110, 175),
      textRun('with a second line', 110, 188),
      textRun('–', 95, 203),
      textRun('another nested item', 110, 203),
      textRun('•', 70, 218),
      textRun('second item', 85, 218),
    ]
    expect(describeBlocks(assemble(pageOf(runs)).blocks).slice(1)).toEqual([
      'item 0 •: first item',
      'item 1 –: nested item that is long enough to go on with a second line',
      'item 1 –: another nested item',
      'item 0 •: second item',
    ])
  })

  it('tells a numbered list from a number at the beginning of a line', () => {
    const runs = [
      ...textLines(['1. the first of them', '2. the second of them', '3. the third of them'], 60, 100),
      ...textLines(
        [
          'some text that speaks of the year in which it all came about, the year of',
          '12. of which no more is said in this text here than that it was long ago.',
        ],
        60,
        200,
      ),
    ]
    expect(describeBlocks(assemble(pageOf(runs)).blocks).map((line) => line.slice(0, 9))).toEqual([
      'item 0 1.',
      'item 0 2.',
      'item 0 3.',
      'p: some t',
    ])
  })
})

describe('furniture', () => {
  const pages = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      pageOf(
        [
          textRun('A Running Title', 60, 30, { fontSize: 8 }),
          ...body(100),
          ...body(160),
          textRun(`Page ${index + 1} of ${count}`, 280, 760, { fontSize: 8 }),
        ],
        { number: index + 1 },
      ),
    )

  it('sets running headers and page numbers apart', () => {
    const blocks = describeBlocks(assemble(...pages(4)).blocks)
    expect(blocks.filter((line) => line === 'header: A Running Title')).toHaveLength(4)
    expect(blocks.filter((line) => line.startsWith('page-number: Page'))).toHaveLength(4)
  })

  it('knows a page number by itself, but keeps what stands at the top of a single page', () => {
    const blocks = describeBlocks(assemble(...pages(1)).blocks)
    expect(blocks).toContain('page-number: Page 1 of 1')
    expect(blocks).toContain('p: A Running Title')
  })
})

describe('notes', () => {
  it('takes a footnote out of the text and refers to it', () => {
    const word = (text: string, x: number, y: number, height = 11) => ({ text, x, y, width: text.length * 5, height })
    const raised: TextRun = {
      ...textRun('claims something1 here', 60, 139),
      y: 136,
      height: 14,
      words: [word('claims', 60, 139), word('something1', 95, 136, 14), word('here', 150, 139)],
    }
    const runs = [
      ...body(100),
      raised,
      ...body(180),
      ...textLines(['1 What the note says of it.'], 60, 700, { fontSize: 8 }),
    ]
    const { blocks, notes } = assemble(pageOf(runs))
    expect(notes).toMatchObject([{ id: 'note-1', kind: 'footnote', label: '1', page: 1 }])
    expect(describeBlocks(notes[0]?.blocks ?? [])).toEqual(['p: What the note says of it.'])
    expect(describeBlocks(blocks).join(' ')).toContain('claims something[note-1] here')
    expect(describeBlocks(blocks).join(' ')).not.toContain('What the note says')
  })

  it('leaves small text at the foot alone to which nothing refers', () => {
    const runs = [...body(100), ...body(180), ...textLines(['7 What the note says of it.'], 60, 700, { fontSize: 8 })]
    const { blocks, notes } = assemble(pageOf(runs))
    expect(notes).toEqual([])
    expect(describeBlocks(blocks).at(-1)).toBe('p: 7 What the note says of it.')
  })
})

describe('other ways of writing', () => {
  it('reads right-to-left lines in the order they are read', () => {
    const runs = [
      textRun('בעולם שלום', 400, 100),
      textRun('Python בשפת', 300, 120),
      ...textLines(['עוד שורה'], 400, 160),
    ]
    const { blocks } = assemble(pageOf(runs))
    expect(blocks[0]).toMatchObject({ direction: 'rtl' })
    expect(describeBlocks(blocks)[0]).toContain('שלום בעולם')
    expect(describeBlocks(blocks).join(' ')).toContain('בשפת Python')
  })

  it('turns a page whose text stands on its side', () => {
    const turned = BODY.map((text, index): TextRun => {
      const level = textRun(text, 60, 100 + index * 13)
      return {
        ...level,
        x: 612 - level.y - level.height,
        y: level.x,
        width: level.height,
        height: level.width,
        rotation: 90,
      }
    })
    const { blocks } = assemble(pageOf(turned))
    expect(describeBlocks(blocks)).toEqual([BODY_TEXT])
    expect(blocks[0]?.box?.height).toBeGreaterThan(blocks[0]?.box?.width ?? 0)
  })

  it('puts text that stands otherwise than the page last', () => {
    const stamp = { ...textRun('stamped in the margin', 10, 300), width: 11, height: 105, rotation: 270 }
    const blocks = describeBlocks(assemble(pageOf([stamp, ...body(100)])).blocks)
    expect(blocks).toEqual([BODY_TEXT, 'header: stamped in the margin'])
  })

  it('reads vertical text downward, columns from right to left', () => {
    const column = (text: string, x: number) =>
      [...text].map((character, index) => textRun(character, x, 100 + index * 11, { width: 10, height: 10 }))
    const { blocks } = assemble(
      pageOf([...column('これは縦書きの', 300), ...column('文章であります', 285), ...column('三行目です', 270)]),
    )
    expect(describeBlocks(blocks)).toEqual(['p: これは縦書きの文章であります三行目です'])
  })

  it('keeps code as typed', () => {
    const code = { font: 'Courier', monospace: true }
    const wide = (text: string, x: number, y: number) => textRun(text, x, y, { ...code, width: text.length * 6 })
    const runs = [
      ...body(100),
      ...body(160),
      wide('if (x) {', 60, 220),
      wide('return 1', 72, 233),
      wide('}', 60, 246),
      ...body(280),
    ]
    expect(describeBlocks(assemble(pageOf(runs)).blocks)).toContain('code: if (x) {\n  return 1\n}')
  })

  it('marks links and whole bold words', () => {
    const runs = [
      textRun('See', 60, 100),
      textRun('the site', 80, 100, { bold: true }),
      textRun('for more of the same and of other things', 125, 100),
      ...textLines(['that are told there.'], 60, 113),
    ]
    const links = [{ x: 78, y: 98, width: 45, height: 14, uri: 'https://example.org/' }]
    const [first] = assemble(pageOf(runs, { links })).blocks
    expect(first?.kind === 'paragraph' && first.content[1]).toEqual({
      kind: 'text',
      text: 'the site',
      bold: true,
      href: 'https://example.org/',
    })
  })
})

describe('tagged files', () => {
  const element = (type: string, mcids: number[], children: StructureElement[] = []): StructureElement => ({
    type,
    attributes: {},
    mcids,
    children,
  })
  const tagged = (runs: readonly TextRun[], mcid: number) => runs.map((run) => ({ ...run, mcid }))
  const page = (structure: StructureElement[]): PageContent =>
    pageOf(
      [
        textRun('untagged head', 60, 20, { fontSize: 8 }),
        ...tagged([textRun('Looks like nothing', 60, 100)], 0),
        ...tagged(body(130), 1),
        ...tagged([textRun('☞', 70, 190), textRun('an item with a strange mark', 90, 190)], 2),
      ],
      { structure },
    )
  const tree = [
    element(
      'Document',
      [],
      [element('H2', [0]), element('P', [1]), element('L', [], [element('LI', [], [element('LBody', [2])])])],
    ),
  ]

  it('takes headings and lists from the tree', () => {
    expect(describeBlocks(assemble(page(tree)).blocks)).toEqual([
      'p: untagged head',
      'h2: Looks like nothing',
      BODY_TEXT,
      'item 0 •: an item with a strange mark',
    ])
  })

  it('does not trust a tree that leaves out much of the text', () => {
    expect(describeBlocks(assemble(page([element('Document', [], [element('H2', [0])])])).blocks)[1]).toBe(
      'p: Looks like nothing',
    )
  })
})

describe('hostile pages', () => {
  const count = 30_000
  const spread = (index: number, range: number) => (index * 7919) % range

  it.each([
    ['all over the page', (index: number) => textRun('word', spread(index, 600), spread(index * 3, 780))],
    ['in one place', (index: number) => textRun(`w${index}`, 100, 100)],
    ['on one line', (index: number) => textRun('a', index * 9, 100)],
    [
      'turned every way',
      (index: number) => textRun('word', spread(index, 600), spread(index * 3, 780), { rotation: index % 360 }),
    ],
    ['that are markers', (index: number) => textRun('•', 60 + (index % 9) * 50, Math.floor(index / 9) / 10)],
  ])('takes very many runs %s', (_name, make) => {
    const runs = Array.from({ length: count }, (_, index) => make(index))
    expect(assemble(pageOf(runs)).blocks.length).toBeGreaterThan(0)
  })

  it('takes runs without size or place', () => {
    const runs = [
      textRun('nowhere', Number.NaN, Number.NaN),
      textRun('far', Number.POSITIVE_INFINITY, 0),
      textRun('flat', 10, 10, { fontSize: 0, width: 0, height: 0 }),
    ]
    expect(
      assemble(pageOf(runs))
        .blocks.map((block) => (block.kind === 'paragraph' ? plainText(block.content) : ''))
        .sort(),
    ).toEqual(['far', 'flat', 'nowhere'])
  })

  it('makes an empty document of empty pages', () => {
    expect(assemble(pageOf([], { source: 'none' }))).toMatchObject({
      blocks: [],
      pages: [{ number: 1, source: 'none' }],
    })
  })
})
