import { describe, expect, it } from 'vitest'
import { createNameFilter } from './glob.ts'

describe('createNameFilter', () => {
  it.each([
    ['*.pdf', 'a/b/Report.PDF', true],
    ['*.pdf', 'report.pdf.txt', false],
    ['docs/**', 'docs/a/b.txt', true],
    ['docs/**', 'other/docs/a.txt', false],
    ['docs/', 'docs/a/b.txt', true],
    ['docs/*.txt', 'docs/a/b.txt', false],
    ['**/a?.txt', 'x/y/ab.txt', true],
    ['**/src/**/*.ts', 'p/src/q/r/s.ts', true],
    ['./a.txt, *.md', 'deep/note.md', true],
    ['', 'a.txt', false],
    ['*', 'any/thing', true],
  ])('%s and %s', (patterns, name, fits) => {
    expect(createNameFilter(patterns)(name)).toBe(fits)
  })

  it('is not slowed down by many stars', () => {
    expect(createNameFilter('*a'.repeat(200))('a'.repeat(50_000).concat('b'))).toBe(false)
  })
})
