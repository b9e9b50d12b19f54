import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { createTreeBuilder, type HtmlElement, walkElements } from '../html/tree.ts'
import { toPlainText } from './inline-runs.ts'
import type { Block, Cell, DocumentModel, Inline, Item, TextInline } from './model.ts'
import { writeMarkdown } from './write-markdown.ts'

/** What the markdown of these blocks is to a parser that is not ours. */
const parseBack = async (blocks: readonly Block[], tableFormat: 'auto' | 'pipe' = 'auto'): Promise<HtmlElement> => {
  const document: DocumentModel = { pageUnit: 'page', pages: [], blocks, notes: [], images: [] }
  const markdown = [...writeMarkdown(document, { tableFormat })].join('')
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
  const builder = await createTreeBuilder()
  builder.write(html)
  return builder.endTree()
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()
const shown = (element: HtmlElement, skipped: RegExp = /^$/): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child
      return skipped.test(child.name) ? '' : child.name === 'br' ? ' ' : shown(child, skipped)
    })
    .join('')
const elements = (root: HtmlElement, names: RegExp): HtmlElement[] =>
  [...walkElements(root)].filter(({ name }) => names.test(name))

/** Characters that mean something to markdown, or to HTML in it, among letters. */
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'Z', 'é', '中', '1', '2024') },
      { weight: 2, arbitrary: fc.constant(' ') },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          ...'*_~`<>[](){}#+-=.!|\\&$:/@"\''.split(''),
          '**',
          '__',
          '~~',
          '```',
          '---',
          '](',
          '![',
          '[x] ',
          '[^1]',
          '&amp;',
          '&lt;b&gt;',
          '<b>',
          '</td>',
          '<!--',
          '1. ',
          '- ',
          '> ',
          '# ',
          // What touches an address is a part of it to some renderers: they stand alone here, as they do in texts.
          ' www.a.com/_b_ ',
          ' https://a.b/_c_/d*e*f. ',
          ' x_y@y.org, ',
          '\\\\',
          '\\|',
          '|',
          '   ',
          '😀',
        ),
      },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
  .filter((whole) => squeeze(whole) !== '')

const inline: fc.Arbitrary<TextInline> = fc
  .record({ text, bold: fc.boolean(), italic: fc.boolean(), strike: fc.boolean(), code: fc.boolean() })
  .map(({ text: said, bold, italic, strike, code }) => ({
    kind: 'text',
    text: said,
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(strike ? { strike } : {}),
    ...(code ? { code } : {}),
  }))
const line: fc.Arbitrary<Inline[]> = fc.array(inline, { minLength: 1, maxLength: 4 })
const plain = (content: readonly Inline[]): string => squeeze(toPlainText(content))

const runs = { numRuns: 200, seed: 20260101 }

describe('what a parser that is not ours reads in our markdown', () => {
  test('paragraphs with the same text, whatever it is made of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), async (lines) => {
        const root = await parseBack(lines.map((content) => ({ kind: 'paragraph', content })))
        expect(elements(root, /^p$/).map((p) => squeeze(shown(p)))).toEqual(lines.map(plain))
        expect(elements(root, /^(?:h[1-6]|li|blockquote|pre|hr|table)$/)).toEqual([])
      }),
      runs,
    )
  })

  test('headings with the same text and level', async () => {
    await fc.assert(
      fc.asyncProperty(line, fc.integer({ min: 1, max: 6 }), async (content, level) => {
        const root = await parseBack([{ kind: 'heading', level: level as 1, content }])
        const found = elements(root, /^h[1-6]$/)
        expect(found.map((heading) => [heading.name, squeeze(shown(heading))])).toEqual([[`h${level}`, plain(content)]])
      }),
      runs,
    )
  })

  test('items with the same text, as deep as they are', async () => {
    const marker = fc.constantFrom('•', '1.', '3)', '(b)', 'iv.')
    const step = fc.record({ content: line, marker, deeper: fc.integer({ min: -2, max: 1 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        let depth = 0
        const items = steps.map(({ content, marker: sign, deeper }, index): Item => {
          depth = index === 0 ? 0 : Math.max(0, depth + deeper)
          return { kind: 'item', depth, ordered: sign !== '•', marker: sign, content }
        })
        const root = await parseBack(items)
        const found: [number, string][] = []
        const visit = (element: HtmlElement, level: number): void => {
          for (const child of element.children) {
            if (typeof child === 'string') continue
            if (child.name === 'li') found.push([level, squeeze(shown(child, /^[uo]l$/))])
            visit(child, /^[uo]l$/.test(child.name) ? level + 1 : level)
          }
        }
        visit(root, -1)
        // Letters and Roman numbers are no markers of markdown: they stand in the text.
        const wanted = items.map(({ depth: level, marker: sign, content }) => {
          const lead = /^\p{L}|\(/u.test(sign) ? `${sign} ` : ''
          return [level, squeeze(`${lead}${plain(content)}`)]
        })
        expect(found).toEqual(wanted)
      }),
      runs,
    )
  })

  test.each(['pipe', 'auto'] as const)('tables with the same cells (%s)', async (format) => {
    const cell: fc.Arbitrary<Cell> = fc
      .array(line, { maxLength: 2 })
      .map((lines) => ({ blocks: lines.map((content) => ({ kind: 'paragraph', content })) }))
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 4 }),
      )
    const textOf = ({ blocks }: Cell): string =>
      squeeze(blocks.map((block) => ('content' in block ? plain(block.content) : '')).join(' '))
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const root = await parseBack([{ kind: 'table', rows: given, headerRows: 1 }], format)
        const found = elements(root, /^tr$/).map((row) => elements(row, /^t[dh]$/).map((one) => squeeze(shown(one))))
        expect(found).toEqual(given.map((row) => row.map(textOf)))
      }),
      runs,
    )
  })

  test('merged cells as the cells that they are', async () => {
    const cell = (said: string, spans: Partial<Cell> = {}): Cell => ({
      blocks: [{ kind: 'paragraph', content: [{ kind: 'text', text: said }] }],
      ...spans,
    })
    const table: Block = {
      kind: 'table',
      headerRows: 1,
      rows: [[cell('a & b', { columnSpan: 2 })], [cell('<i>', { rowSpan: 2 }), cell('1 < 2')], [cell('`x`')]],
    }
    const html = await parseBack([table])
    expect(
      elements(html, /^t[dh]$/).map(({ name, attributes, children }) => [name, attributes, squeeze(children.join(''))]),
    ).toEqual([
      ['th', { colspan: '2' }, 'a & b'],
      ['td', { rowspan: '2' }, '<i>'],
      ['td', {}, '1 < 2'],
      ['td', {}, '`x`'],
    ])
    const pipes = await parseBack([table], 'pipe')
    expect(elements(pipes, /^tr$/).map((row) => elements(row, /^t[dh]$/).map((one) => shown(one)))).toEqual([
      ['a & b', 'a & b'],
      ['<i>', '1 < 2'],
      ['<i>', '`x`'],
    ])
  })

  test('boxes to tick in lists, and as text in cells', async () => {
    const item = (said: string, checked: boolean): Item => ({
      kind: 'item',
      depth: 0,
      ordered: false,
      marker: '•',
      checked,
      content: [{ kind: 'text', text: said }],
    })
    const list = await parseBack([item('done', true), item('open', false)])
    expect(elements(list, /^input$/).map(({ attributes }) => 'checked' in attributes)).toEqual([true, false])
    const rows = [[{ blocks: [item('done', true), item('open', false)] }]]
    const table = await parseBack([{ kind: 'table', headerRows: 0, rows }], 'pipe')
    expect(elements(table, /^td$/).map((cell) => squeeze(shown(cell)))).toEqual(['[x] done [ ] open'])
  })
})
