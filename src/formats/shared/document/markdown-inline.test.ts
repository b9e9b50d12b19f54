import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentOf, heading, item, paragraph, styled, table } from './document-fixture.ts'
import type { Inline } from './model.ts'
import { writeMarkdown } from './write-markdown.ts'

const write = (content: string | readonly Inline[]): string =>
  [...writeMarkdown(documentOf([paragraph(content)]))].join('')

describe('text that is not markup', () => {
  it.each([
    ['plain text, with (parentheses) and "quotes".', 'plain text, with (parentheses) and "quotes".'],
    ['5 * 3 and a_b_c and x*y', '5 * 3 and a_b_c and x*y'],
    ['*stars* and _lines_', '\\*stars\\* and \\_lines\\_'],
    ['see https://x.org/_a_/b*c*d.', 'see <https://x.org/_a_/b*c*d>.'],
    ['see https://x.org/a_b.', 'see https://x.org/a_b.'],
    ['see www.x.org/_a_', 'see [www.x.org/_a](http://www.x.org/_a)\\_'],
    ['Sign: ______ Date: ______', 'Sign: ______ Date: ______'],
    ['p < 0.05 and a<b', 'p < 0.05 and a<b'],
    ['a <b> tag', 'a &lt;b> tag'],
    ['AT&T, R&D; &amp; &#35;', 'AT&T, R&D; \\&amp; \\&#35;'],
    ['a `tick` and one `', 'a \\`tick\\` and one \\`'],
    ["rock 'n' roll ` alone", "rock 'n' roll ` alone"],
    ['see [1] and [2](x)', 'see [1] and [2\\](x)'],
    ['not a note [^1]', 'not a note \\[^1]'],
    ['$5 and $6', '$5 and $6'],
    ['$x$ is math', '\\$x\\$ is math'],
    ['C:\\new\\*', 'C:\\new\\\\*'],
    ['~5 and ~6', '~5 and ~6'],
    ['~~gone~~', '\\~\\~gone\\~\\~'],
  ])('%s', (text, expected) => {
    expect(write(text)).toBe(`${expected}\n`)
  })
})

describe('lines that begin like something else', () => {
  it.each([
    ['1. Scope', '1\\. Scope'],
    ['1.5 million', '1.5 million'],
    ['# of items', '\\# of items'],
    ['#1 choice', '#1 choice'],
    ['- dash', '\\- dash'],
    ['-5 degrees', '-5 degrees'],
    ['> quote', '\\> quote'],
    ['---', '\\---'],
    ['______', '\\_\\_\\_\\_\\_\\_'],
    ['[a]: b', '\\[a]: b'],
    ['```', '\\`\\`\\`'],
    ['<div', '&lt;div'],
  ])('%s', (text, expected) => {
    expect(write(text)).toBe(`${expected}\n`)
  })

  it('looks at each line of a paragraph', () => {
    expect(write([styled('Total'), { kind: 'break' }, styled('===')])).toBe('Total  \n\\===\n')
  })

  it('keeps the number sign at the end of a heading', () => {
    expect([...writeMarkdown(documentOf([heading(2, 'C #')]))].join('')).toBe('## C \\#\n')
  })

  it('tells a box in the text of an item from a task', () => {
    const blocks = [item('•', '[x] marks the spot'), item('☐', 'open', { checked: false })]
    expect([...writeMarkdown(documentOf(blocks))].join('')).toBe('- \\[x] marks the spot\n- [ ] open\n')
  })
})

describe('emphasis', () => {
  it.each<[string, readonly Inline[], string]>([
    ['blanks stand outside', [styled('a'), styled(' b ', { bold: true }), styled('c')], 'a **b** c'],
    ['runs of one style are one', [styled('a ', { bold: true }), styled('b', { bold: true })], '**a b**'],
    ['words are not broken', [styled('B', { bold: true }), styled('old face')], 'Bold face'],
    [
      'a word has the style of most of it',
      [styled('B'), styled('old', { bold: true }), styled(' face')],
      '**Bold** face',
    ],
    ['punctuation beside a word stands outside', [styled('Note:', { bold: true }), styled('text')], '**Note**:text'],
    ['punctuation before a blank stays', [styled('Note:', { bold: true }), styled(' text')], '**Note:** text'],
    ['nothing but punctuation has no style', [styled('a'), styled(' * ', { bold: true }), styled('b')], 'a * b'],
    ['both styles', [styled('x', { bold: true, italic: true })], '***x***'],
    ['one inside the other', [styled('a ', { bold: true }), styled('b', { bold: true, italic: true })], '**a *b***'],
    ['stars beside markup are escaped', [styled('*2'), styled(' x', { bold: true })], '\\*2 **x**'],
    ['struck', [styled('old', { strike: true }), styled(' new')], '~~old~~ new'],
    ['code holds anything', [styled('a`b*c', { code: true })], '``a`b*c``'],
    ['raised figures', [styled('10'), styled('-3', { script: 'super' }), styled(' m')], '10⁻³ m'],
    ['raised words', [styled('1'), styled('st', { script: 'super' })], '1<sup>st</sup>'],
  ])('%s', (_, content, expected) => {
    expect(write(content)).toBe(`${expected}\n`)
  })
})

describe('links', () => {
  it.each<[string, readonly Inline[], string]>([
    ['with text', [styled('the site', { href: 'https://a.example/x' })], '[the site](https://a.example/x)'],
    ['that are their text', [styled('https://a.example', { href: 'https://a.example' })], '<https://a.example>'],
    ['to an address', [styled('me@a.example', { href: 'mailto:me@a.example' })], '<me@a.example>'],
    ['with odd characters', [styled('a', { href: 'https://a.example/(b c)' })], '[a](https://a.example/%28b%20c%29)'],
    ['with brackets in the text', [styled('[1]', { href: '#r1' })], '[\\[1\\]](#r1)'],
    ['with emphasis', [styled('a', { href: '#x', bold: true }), styled(' b', { href: '#x' })], '[**a** b](#x)'],
    ['after an exclamation', [styled('Look!'), styled('here', { href: '#x' })], 'Look\\![here](#x)'],
    ['that would run', [styled('here', { href: 'java\nscript:alert(1)' })], 'here'],
  ])('%s', (_, content, expected) => {
    expect(write(content)).toBe(`${expected}\n`)
  })
})

/** Text made mostly of what means something in markdown. */
const awkward = fc
  .array(fc.constantFrom(...'*_`~[](){}<>&$#+-=|!\\.:1 aäß漢😀'.split(''), '](', '**', '&lt;', '1. ', '[^1]', '<b>'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

/** What a reader sees of markdown that holds no markup: backslashes before punctuation are gone, `&lt;` is a sign. */
const dropEscapes = (markdown: string): string =>
  markdown.replace(/\\([!-/:-@[-`{-~])|&lt;/g, (_, char?: string) => char ?? '<')

describe('any text', () => {
  it('is what remains once the escapes are gone', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        // A backslash that is text and needs no escape would be taken for one.
        fc.pre(!/\\(?![!-/:-@[-`{-~])/.test(text))
        expect(dropEscapes(write(text))).toBe(text.trim() === '' ? '' : `${text.replace(/ +/g, ' ').trim()}\n`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps all its words, whatever is bold or italic in it', () => {
    const run = fc.record({
      kind: fc.constant('text' as const),
      text: awkward,
      bold: fc.boolean(),
      italic: fc.boolean(),
      strike: fc.boolean(),
    })
    const words = (text: string) => text.replace(/[*~\\\s]/g, '')
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (content) => {
        expect(words(dropEscapes(write(content)))).toBe(words(content.map(({ text }) => text).join('')))
      }),
      { numRuns: 2_000 },
    )
  })

  it('never adds a column to a table', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(awkward, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        (rows) => {
          const columns = Math.max(...rows.map((row) => row.length))
          const markdown = [...writeMarkdown(documentOf([table(rows)]))].join('')
          for (const line of markdown.trimEnd().split('\n')) {
            expect(line.replace(/\\\\/g, '').match(/(?<!\\)\|/g)).toHaveLength(columns + 1)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('the end of an emphasis', () => {
  it('keeps the mark that it ends with before one that ends a clause', () => {
    expect(write([styled('so (or not)', { bold: true }), styled('.')])).toBe('**so (or not)**.\n')
    expect(write([styled('so (or not)', { bold: true }), styled('x')])).toBe('**so (or not**)x\n')
  })
})
