import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName, safePath, splitFileName, uniquePaths } from './artifact-names.ts'

test.each([
  ['../../etc/passwd', 'etc/passwd'],
  ['/abs/olute.txt', 'abs/olute.txt'],
  ['C:\\Users\\me\\a.txt', 'C_/Users/me/a.txt'],
  ['text/con.txt', 'text/_con.txt'],
  ['text/.hidden', 'text/hidden'],
  ['a\u0000b\u202Ec.txt', 'a_b_c.txt'],
  ['', 'file'],
  ['....', 'file'],
  ['übung/日本語.txt', 'übung/日本語.txt'],
])('%j is written as %j', (path, safe) => expect(safePath(path)).toBe(safe))

test('any path becomes a safe one, and stays as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (path) => {
      const safe = safePath(path)
      const parts = safe.split('/')
      expect(parts.every((part) => part !== '' && part !== '.' && part !== '..')).toBe(true)
      expect(safe).not.toMatch(/[\\\p{Cc}]/u)
      expect(parts.every((part) => Buffer.byteLength(part) <= 190)).toBe(true)
      expect(safePath(safe)).toBe(safe)
    }),
  )
})

test('no two paths are the same, ignoring case', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a.txt', 'A.TXT', 'a-2.txt', 'b/c', 'B/C', 'x')), (paths) => {
      const unique = uniquePaths()
      const given = paths.map((path) => unique(path).toLowerCase())
      expect(new Set(given).size).toBe(paths.length)
    }),
  )
})

test('a file name loses its folders and keeps its extension', () => {
  expect(safeFileName('C:\\docs\\Report.Final.PDF')).toBe('Report.Final.PDF')
  expect(splitFileName('Report.Final.PDF')).toEqual({ stem: 'Report.Final', extension: 'pdf' })
  expect(splitFileName('README')).toEqual({ stem: 'README', extension: '' })
})
