import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cell, documentOf, heading, item, paragraph, styled, table } from './document-fixture.ts'
import type { Block, DocumentModel } from './model.ts'
import { estimateTokens } from './token-estimate.ts'
import { type ChunkOptions, makeChunks, writeChunks } from './write-chunks.ts'
import { writeMarkdown } from './write-markdown.ts'

const chunk = (blocks: readonly Block[], options: ChunkOptions = {}, more: Partial<DocumentModel> = {}) => [
  ...makeChunks(documentOf(blocks, more), options),
]
const sentence = (word: string) => `The ${word} is one of the things that this text is about. `

describe('chunks', () => {
  it('are cut at headings and know the way down to them', () => {
    const long = sentence('owl').repeat(10)
    const chunks = chunk(
      [
        heading(1, 'Birds', 1),
        paragraph(long, 1),
        heading(2, 'Owls', 2),
        paragraph(long, 2),
        paragraph(long, 3),
        heading(1, 'Fish', 3),
        paragraph(long, 4),
      ],
      { maxTokens: 300 },
    )
    expect(chunks.map(({ headings, pageStart, pageEnd }) => ({ headings, pageStart, pageEnd }))).toEqual([
      { headings: ['Birds'], pageStart: 1, pageEnd: 1 },
      { headings: ['Birds', 'Owls'], pageStart: 2, pageEnd: 3 },
      { headings: ['Fish'], pageStart: 3, pageEnd: 4 },
    ])
    expect(chunks[1]?.text).toBe(`## Owls\n\n${long.trim()}\n\n${long.trim()}`)
    expect(chunks[1]?.kinds).toEqual(['heading', 'paragraph'])
  })

  it('go on under the next heading while they are very small', () => {
    const [first, second, ...rest] = chunk([
      heading(1, 'A'),
      heading(2, 'B'),
      paragraph('b'),
      heading(2, 'C'),
      paragraph('c'),
      heading(1, 'D'),
      paragraph('d'),
    ])
    expect(rest).toEqual([])
    expect(first?.text).toBe('# A\n\n## B\n\nb\n\n## C\n\nc')
    expect(first?.headings).toEqual(['A', 'B'])
    expect(second?.text).toBe('# D\n\nd')
  })

  it('cut long paragraphs between sentences', () => {
    const chunks = chunk([paragraph(['owl', 'bat', 'cat', 'dog', 'eel'].map(sentence).join(''))], { maxTokens: 30 })
    expect(chunks.length).toBeGreaterThan(1)
    for (const { text } of chunks) expect(text).toMatch(/^The .*\.$/)
  })

  it('repeat whole sentences where told', () => {
    const words = ['owl', 'bat', 'cat', 'dog', 'eel', 'fox']
    const chunks = chunk([paragraph(words.map(sentence).join(''))], { maxTokens: 45, overlapTokens: 20 })
    for (const [index, { text }] of chunks.slice(1).entries()) {
      const last = chunks[index]?.text.split(/(?<=\.) /).at(-1) as string
      expect(text.startsWith(last)).toBe(true)
    }
  })

  it('keep tables whole where they fit, and repeat their heads where they do not', () => {
    const rows = [['Name', 'Count'], ...Array.from({ length: 20 }, (_, i) => [`thing ${i}`, String(i)])]
    const whole = chunk([paragraph(sentence('owl').repeat(12)), table(rows)], { maxTokens: 200 })
    expect(whole.map(({ kinds }) => kinds)).toEqual([['paragraph'], ['table']])
    const parts = chunk([table(rows, { caption: [styled('Table 1')] })], { maxTokens: 60 })
    expect(parts.length).toBeGreaterThan(2)
    expect(parts[0]?.text.startsWith('Table 1\n\n| Name |')).toBe(true)
    for (const { text } of parts.slice(1))
      expect(text.startsWith('| Name | Count |\n| --- | --- |\n| thing')).toBe(true)
  })

  it('do not part rows that a cell ties together', () => {
    const rows = [
      ['A', 'B'],
      ...Array.from({ length: 10 }, (_, i) => (i % 2 ? ['odd'] : [cell(`pair ${i}`, { rowSpan: 2 }), 'even'])),
    ]
    for (const { text } of chunk([table(rows)], { maxTokens: 64 })) {
      expect(text.match(/even/g)?.length).toBe(text.match(/odd/g)?.length)
    }
  })

  it('bring notes with what refers to them', () => {
    const notes: DocumentModel['notes'] = [{ id: 'n', kind: 'footnote', label: '1', blocks: [paragraph('A note.')] }]
    const blocks = [
      heading(1, 'A'),
      paragraph([styled(sentence('owl').repeat(5)), { kind: 'note', id: 'n' }]),
      heading(1, 'B'),
      paragraph('b'),
    ]
    const [first, second] = chunk(blocks, { maxTokens: 100 }, { notes })
    expect(first?.text.endsWith('[^1]\n\n[^1]: A note.')).toBe(true)
    expect(first?.kinds).toEqual(['heading', 'paragraph', 'note'])
    expect(second?.text).toBe('# B\n\nb')
  })

  it('are the same every time, a line of JSON each', () => {
    const document = documentOf([heading(1, 'A'), paragraph(sentence('owl').repeat(40))])
    const lines = [...writeChunks(document, { maxTokens: 64 })]
    expect([...writeChunks(document, { maxTokens: 64 })]).toEqual(lines)
    expect(lines.map((line) => JSON.parse(line).index)).toEqual(lines.map((_, i) => i))
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
  })
})

const words = fc
  .array(
    fc.constantFrom(
      'owl',
      'Ünï',
      '漢字漢字。',
      'x'.repeat(700),
      '12345',
      '|',
      '**',
      'end.',
      'Who?',
      'a_b',
      '😀😀',
      '`c`',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(' '))
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  words.map((text) => paragraph(text)),
  words.map((text) => heading(2, text.slice(0, 40))),
  words.map((text) => item('•', text)),
  words.map((text): Block => ({ kind: 'code', text: text.replaceAll(' ', '\n') })),
  fc.array(fc.tuple(words, words), { minLength: 1, maxLength: 8 }).map((rows) => table(rows)),
)

describe('any document', () => {
  const options = fc.record({
    maxTokens: fc.integer({ min: 64, max: 300 }),
    overlapTokens: fc.integer({ min: 0, max: 100 }),
  })

  it('has no chunk over the limit', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 8 }), options, (blocks, given) => {
        for (const { text, tokens } of chunk(blocks, given)) {
          expect(tokens).toBe(estimateTokens(text))
          expect(tokens).toBeLessThanOrEqual(given.maxTokens)
          expect(text.trim()).not.toBe('')
        }
      }),
      {
        numRuns: 1_000,
        examples: [
          [
            [paragraph('owl'), heading(2, 'owl'), item('•', `${'x'.repeat(736)} c`)],
            { maxTokens: 123, overlapTokens: 0 },
          ],
        ],
      },
    )
  })

  it('is covered by its chunks', () => {
    const text = fc.array(
      fc.oneof(
        words.map((each) => paragraph(each)),
        words.map((each) => item('•', each)),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 64, max: 300 }), (blocks, maxTokens) => {
        const markdown = [...writeMarkdown(documentOf(blocks))].join('')
        const chunks = chunk(blocks, { maxTokens })
        let covered = 0
        for (const { text, start, end } of chunks) {
          expect(markdown.slice(start, end)).toBe(text)
          expect(markdown.slice(covered, start).trim()).toBe('')
          covered = end
        }
        expect(markdown.slice(covered).trim()).toBe('')
      }),
    )
  })

  it('says where its overlapping chunks stand', () => {
    fc.assert(
      fc.property(
        fc.array(
          words.map((text) => paragraph(text)),
          { maxLength: 6 },
        ),
        options,
        (blocks, given) => {
          const markdown = [...writeMarkdown(documentOf(blocks))].join('')
          for (const { text, start, end } of chunk(blocks, given)) expect(markdown.slice(start, end)).toBe(text)
        },
      ),
    )
  })
})
