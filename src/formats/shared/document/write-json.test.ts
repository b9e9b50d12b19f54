import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cell, documentOf, heading, item, paragraph, styled, table } from './document-fixture.ts'
import { writeJson } from './write-json.ts'

const read = (...given: Parameters<typeof documentOf>) => JSON.parse([...writeJson(documentOf(...given))].join(''))

it('gives each block its kind, text and place', () => {
  const box = { x: 1.23456, y: 2, width: 3, height: 4 }
  expect(
    read(
      [
        { ...heading(2, 'A'), page: 1, box, confidence: 0.98765 },
        paragraph([styled('b', { bold: true })]),
        item('1.', 'c', { more: [paragraph('d')] }),
        table([[cell('e', { columnSpan: 2, box })], ['f', 'g']], { page: 1, continued: [{ page: 2, box }] }),
      ],
      { title: 'T', pages: [{ number: 1, width: 595.276, height: 842 }] },
    ),
  ).toEqual({
    version: 1,
    title: 'T',
    pageUnit: 'page',
    pages: [{ number: 1, width: 595.28, height: 842 }],
    blocks: [
      { kind: 'heading', page: 1, box: { x: 1.23, y: 2, width: 3, height: 4 }, confidence: 0.988, level: 2, text: 'A' },
      { kind: 'paragraph', text: 'b', content: [{ kind: 'text', text: 'b', bold: true }] },
      {
        kind: 'item',
        depth: 0,
        ordered: true,
        marker: '1.',
        text: 'c',
        more: [{ kind: 'paragraph', text: 'd' }],
      },
      {
        kind: 'table',
        page: 1,
        headerRows: 1,
        continued: [{ page: 2, box: { x: 1.23, y: 2, width: 3, height: 4 } }],
        rows: [
          [{ text: 'e', columnSpan: 2, box: { x: 1.23, y: 2, width: 3, height: 4 } }],
          [{ text: 'f' }, { text: 'g' }],
        ],
      },
    ],
    notes: [],
    images: [],
  })
})

it('is JSON whatever the text is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const { blocks } = read(texts.map((text) => ({ kind: 'code', text })))
      expect(blocks.map(({ text }: { text: string }) => text)).toEqual(texts)
    }),
  )
})
