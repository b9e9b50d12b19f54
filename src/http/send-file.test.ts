import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition, parseRange } from './send-file.ts'

test.each([
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=5-99', { start: 5, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=0-1,4-5', undefined],
  ['items=0-1', undefined],
  ['bytes=-', undefined],
])('the range %j of ten bytes is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})

test('a range never leaves the file', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 50 }), (a, b, size) => {
      const range = parseRange(`bytes=${a}-${b}`, size)
      if (typeof range !== 'object') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.end).toBeLessThan(size)
      expect(range.start).toBeLessThanOrEqual(range.end)
    }),
  )
})

test('a file name is quoted safely, and kept whole in UTF-8', () => {
  expect(contentDisposition('talk.zip')).toBe('attachment; filename="talk.zip"')
  expect(contentDisposition('Übung "1"\r\n.zip')).toBe(
    `attachment; filename="Ubung _1___.zip"; filename*=UTF-8''%C3%9Cbung%20%221%22%0D%0A.zip`,
  )
})
