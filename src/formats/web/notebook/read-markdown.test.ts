import { describe, expect, test } from 'vitest'
import type { Block } from '../../shared/document/model.ts'
import { textOfBlocks } from '../../shared/document/text-of-blocks.ts'
import { writeMarkdown } from '../../shared/document/write-markdown.ts'
import { readMarkdown } from './read-markdown.ts'

const read = (text: string): Block[] => readMarkdown(text, { image: () => undefined, html: () => [] })
const rewrite = (text: string): string =>
  [...writeMarkdown({ pageUnit: 'page', pages: [], blocks: read(text), notes: [], images: [] })].join('')

describe('readMarkdown', () => {
  test.each([
    '# One\n\n## Two\n\ntext *it* **bo** or ***both*** `co`\n',
    '- a\n- b\n  - c\n- d\n',
    '3. x\n4. y\n',
    '- [x] done\n- [ ] open\n',
    '> quote\n>\n> > deeper\n',
    '```js\nlet a = `1`\n\n# no heading\n```\n',
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
    'see [here](https://example.org/a_b) now\n',
    'a formula $x^2$ in a line\n',
  ])('is written again as it was: %j', (text) => {
    expect(rewrite(text)).toBe(text)
  })
  test('reads underlined headings and escaped signs', () => {
    expect(read('Title\n=====\n\nSub\n---\n')).toMatchObject([
      { kind: 'heading', level: 1 },
      { kind: 'heading', level: 2 },
    ])
    expect(textOfBlocks(read('2 \\* 3 and snake_case_name costs $5 or $6'))).toBe(
      '2 * 3 and snake_case_name costs $5 or $6',
    )
  })
  test('ends on marks that never close, and on quotes without end', () => {
    expect(textOfBlocks(read('*'.repeat(20_001)))).toHaveLength(0)
    expect(textOfBlocks(read(`${'>'.repeat(5_000)} deep`))).toContain('deep')
    expect(textOfBlocks(read(`a ${'['.repeat(5_000)} b`))).toContain('b')
  })
})
