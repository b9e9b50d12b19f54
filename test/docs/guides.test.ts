import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findExamples, PAGES, readGuide } from '../../web/build/guides.ts'
import { PROJECT } from '../support/paths.ts'

const GUIDES = Object.keys(PAGES).filter((path) => !path.startsWith('docs/reference/'))

describe('a guide', () => {
  test('is taken apart into prose, code, examples and slots', () => {
    const guide = readGuide(
      'docs/guides/a.md',
      '# A `title`\n\nWords.\n\n```json\n{}\n```\n\n<!-- slot: here -->\n\n## Part\n\n<!-- example: both -->\n```sh\ncurl\n```\n\n```ts sdk\ncall()\n```\n\nAfter.\n\n```sh\nalone\n```\n',
    )
    expect(guide.title).toBe('A title')
    expect(guide.headings).toEqual([{ id: 'part', text: 'Part' }])
    expect(guide.parts.map(({ type }) => type)).toEqual(['prose', 'code', 'slot', 'prose', 'example', 'prose', 'code'])
    expect(findExamples(guide).get('both')).toEqual([
      { kind: 'sh', code: 'curl' },
      { kind: 'ts sdk', code: 'call()' },
    ])
  })

  test('links to pages of the site, and to nothing else of the repository', () => {
    const { parts } = readGuide('docs/guides/a.md', '[one](../transcripts.md#files), [two](https://example.com)\n')
    expect(parts).toEqual([
      {
        type: 'prose',
        html: '<p><a href="/docs/transcripts#files">one</a>, <a href="https://example.com" rel="noreferrer">two</a></p>',
      },
    ])
    expect(() => readGuide('docs/guides/a.md', '[x](../../src/main.ts)\n')).toThrow('no page of the site')
  })

  test('lets no HTML and no script address through', () => {
    const { parts } = readGuide('docs/guides/a.md', 'a <img src=x onerror=alert(1)>\n')
    expect(parts).toEqual([{ type: 'prose', html: '<p>a &lt;img src=x onerror=alert(1)&gt;</p>' }])
    expect(() => readGuide('docs/guides/a.md', '[b](javascript:alert(1))\n')).toThrow('no page of the site')
  })

  test('tells headings of the same name apart', () => {
    const { headings } = readGuide('docs/guides/a.md', '# A\n\n## Same\n\n## Same\n')
    expect(new Set(headings.map(({ id }) => id)).size).toBe(2)
  })

  test('must end its code', () => {
    expect(() => readGuide('docs/guides/a.md', '```sh\ncurl\n')).toThrow('has no end')
  })
})

test.each(GUIDES)('%s can be read, and has a title', (path) => {
  expect(readGuide(path, readFileSync(join(PROJECT, path), 'utf8')).title).not.toBe('')
})
