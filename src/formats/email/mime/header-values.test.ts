import { describe, expect, test } from 'vitest'
import { readAddresses } from './addresses.ts'
import { loadCharsets } from './charsets.ts'
import { readDate } from './dates.ts'
import { decodeParameter, decodeWords } from './encoded-words.ts'
import { readContentType, readDisposition } from './header-values.ts'

const same = (text: string): string => text

describe('readContentType', () => {
  test('reads quoted and bare parameters, and comments', () => {
    expect(readContentType('Text/HTML; charset="utf-8"; x=1 (why)', 'text/plain')).toEqual({
      type: 'text/html',
      params: { charset: 'utf-8', x: '1' },
    })
  })
  test('falls back where nothing can be understood', () => {
    expect(readContentType('nonsense', 'text/plain').type).toBe('text/plain')
    expect(readContentType('', 'message/rfc822').type).toBe('message/rfc822')
  })
})

describe('file names', () => {
  const cases: [header: string, name: string][] = [
    ['attachment; filename="a b.txt"', 'a b.txt'],
    ['attachment; filename=bare.txt', 'bare.txt'],
    ["attachment; filename*=utf-8''%E2%82%AC.txt", '€.txt'],
    ["attachment; filename*1*=%C3%A9.txt; filename*0*=utf-8''caf", 'café.txt'],
    ['attachment; filename*0="one"; filename*1=".txt"', 'one.txt'],
    ['attachment; filename="=?utf-8?B?w6kudHh0?="', 'é.txt'],
    ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['attachment; filename*0*=utf-8\'\'100%25; filename*1="%41.txt"', '100%%41.txt'],
  ]
  test.each(cases)('%s', async (header, name) => {
    const charsets = await loadCharsets()
    expect(decodeParameter(readDisposition(header).params, 'filename', charsets, 'utf-8')).toBe(name)
  })
})

describe('decodeWords', () => {
  test('joins a character that is cut between two words', async () => {
    const charsets = await loadCharsets()
    expect(decodeWords('=?utf-8?B?4pi?= =?utf-8?B?gw==?= x', charsets, 'utf-8')).toBe('☃ x')
    expect(decodeWords('=?utf-8?q?=E2=98?=\r\n =?utf-8?q?=83?=', charsets, 'utf-8')).toBe('☃')
  })
  test('keeps white space before plain text, and unknown words as they are', async () => {
    const charsets = await loadCharsets()
    expect(decodeWords('a =?us-ascii?q?b_c?= d =? e', charsets, 'utf-8')).toBe('a b c d =? e')
  })
})

describe('readAddresses', () => {
  const cases: [raw: string, found: unknown[]][] = [
    ['a@b.c', [{ name: null, address: 'a@b.c' }]],
    [
      '"Doe, J" <j@d.e>, k@l.m (Kim)',
      [
        { name: 'Doe, J', address: 'j@d.e' },
        { name: 'Kim', address: 'k@l.m' },
      ],
    ],
    [
      'List: a@b.c, B <b@c.d>;',
      [
        { name: null, address: 'a@b.c', group: 'List' },
        { name: 'B', address: 'b@c.d', group: 'List' },
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['<@relay:x@y.z>', [{ name: null, address: 'x@y.z' }]],
    ['No Address', [{ name: 'No Address', address: null }]],
  ]
  test.each(cases)('%s', (raw, found) => {
    expect(readAddresses(raw, same)).toEqual(found)
  })
  test('ends on a quote that never closes', () => {
    expect(readAddresses('"unclosed <a@b.c>', same)).toHaveLength(1)
  })
})

describe('readDate', () => {
  const cases: [raw: string, iso: string | undefined][] = [
    ['Fri, 16 Dec 2022 17:04:16 -0500', '2022-12-16T17:04:16-05:00'],
    ['1 Jan 99 00:00 GMT', '1999-01-01T00:00:00Z'],
    ['Mon Jun 01 10:00:00 2009', '2009-06-01T10:00:00Z'],
    ['Tue, 3 Mar 2026 08:15:09 EST', '2026-03-03T08:15:09-05:00'],
    ['2026-03-03 08:15:09+01:00', '2026-03-03T08:15:09+01:00'],
    ['Tue, 33 Foo 2026 08:15:09', undefined],
    ['yesterday', undefined],
  ]
  test.each(cases)('%s', (raw, iso) => {
    expect(readDate(raw)).toBe(iso)
  })
})
