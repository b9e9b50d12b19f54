import { describe, expect, it } from 'vitest'
import { escapeCell, escapeInline, inlineCode, writeCode, writeTable } from './markdown.ts'

describe('escapeInline', () => {
  it.each([
    ['plain text', 'plain text'],
    ['snake_case stays', 'snake_case stays'],
    ['_edge_', '\\_edge\\_'],
    ['2 * 3', '2 \\* 3'],
    ['<b>', '&lt;b>'],
    ['1 < 2', '1 < 2'],
    ['&lt;', '&amp;lt;'],
    ['a & b', 'a & b'],
    ['[x](y)', '[x\\](y)'],
    ['C:\\dir', 'C:\\dir'],
    ['\\*', '\\\\\\*'],
  ])('%s', (text, escaped) => expect(escapeInline(text)).toBe(escaped))
})

it('makes cells of one line', () => {
  expect(escapeCell(' a | b\r\nc ')).toBe('a \\| b<br>c')
  expect(writeTable(['h'], [['1', '2']])).toBe('| h |  |\n| - | - |\n| 1 | 2 |\n')
})

it('fences and quotes code that holds backticks', () => {
  expect(writeCode('```\nx\n```\n', 'md')).toBe('````md\n```\nx\n```\n````\n')
  expect(inlineCode('a`b')).toBe('``a`b``')
  expect(inlineCode('`')).toBe('`` ` ``')
})
