import { expect, test } from 'vitest'
import { attributeOf, createScanner, decodeEntities } from './scan-markup.ts'

const scan = (pieces: readonly string[]): string[] => {
  const seen: string[] = []
  let text = ''
  const flush = () => {
    if (text !== '') seen.push(`"${text}"`)
    text = ''
  }
  const scanner = createScanner({
    open(name, tag) {
      flush()
      seen.push(`<${name}${tag.trimEnd()}>`)
    },
    close(name) {
      flush()
      seen.push(`</${name}>`)
    },
    text(piece) {
      text += piece
    },
  })
  for (const piece of pieces) scanner.write(piece)
  scanner.write('')
  scanner.end()
  return seen
}

const MARKUP =
  '<?xml version="1.0"?><!-- < > --><x:a b="1 > 0" c=\'"\'>t &amp; &#x41;&#66; <e/><![CDATA[<raw & text>]]><x:v >2</x:v\n></x:a>'
const SEEN = [`<a b="1 > 0" c='"'>`, '"t & AB "', '<e/>', '</e>', '"<raw & text>"', '<v>', '"2"', '</v>', '</a>']

test('tags, texts, entities, comments and literal sections', () => {
  expect(scan([MARKUP])).toEqual(SEEN)
})

test('the same wherever the pieces are cut', () => {
  for (let cut = 1; cut < MARKUP.length; cut++) {
    expect(scan([MARKUP.slice(0, cut), MARKUP.slice(cut)]), `cut at ${cut}`).toEqual(SEEN)
  }
  expect(scan([...MARKUP])).toEqual(SEEN)
})

test.each([
  ['a tag that closes another', '<a><b></a></b>'],
  ['an end that is missing', '<a><b>'],
  ['a tag that is cut off', '<a><b c="'],
  ['an end without a beginning', '</a>'],
  ['a nameless tag', '<a>< b/></a>'],
])('%s', (_what, markup) => {
  expect(() => scan([markup])).toThrow(expect.objectContaining({ code: 'extract.source_unreadable' }))
})

test('a document type is refused, also one in pieces', () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'
  for (const pieces of [[bomb], [...bomb]]) {
    expect(() => scan(pieces)).toThrow(expect.objectContaining({ params: { reason: 'doctype' } }))
  }
})

test('depth is limited', () => {
  expect(() => scan(['<a>'.repeat(100_000)])).toThrow(expect.objectContaining({ code: 'extract.limit_exceeded' }))
})

test('a tag without an end does not fill the memory', () => {
  const scanner = createScanner({ open: () => undefined, close: () => undefined, text: () => undefined })
  expect(() => {
    scanner.write('<a ')
    for (let i = 0; i < 100; i++) scanner.write('x'.repeat(65_536))
  }).toThrow(expect.objectContaining({ code: 'extract.source_unreadable' }))
})

test('attributes', () => {
  const tag = ' spans="1:2"  r = "A1" x:id=\'r"1\' t="&lt;s&gt;"'
  expect(attributeOf(tag, 'r')).toBe('A1')
  expect(attributeOf(tag, 'x:id')).toBe('r"1')
  expect(attributeOf(tag, 't')).toBe('<s>')
  expect(attributeOf(tag, 'id')).toBeUndefined()
  expect(attributeOf(tag, 'span')).toBeUndefined()
})

test('entities that nobody declared stay as they are', () => {
  expect(decodeEntities('&nbsp;&foo;&#x110000;&#65;')).toBe('&nbsp;&foo;\ufffdA')
})
