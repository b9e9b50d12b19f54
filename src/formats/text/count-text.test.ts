import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTextCounter } from './count-text.ts'

const count = (...pieces: string[]) => {
  const counter = makeTextCounter()
  for (const piece of pieces) counter.add(piece)
  return counter.finish()
}

describe('makeTextCounter', () => {
  it.each([
    ['', 0, 0, 0],
    ['one two', 1, 2, 7],
    ["don't l’eau", 1, 2, 11],
    ['a\nb\r\nc\rd', 4, 4, 8],
    ['漢字 kana かな', 1, 5, 10],
    ['🙂 x', 1, 1, 3],
    ['3.14 x_1', 1, 3, 8],
  ])('%j', (text, lines, words, characters) => expect(count(text)).toMatchObject({ lines, words, characters }))

  it('finds words in Thai, which has no spaces', () => {
    expect(count('สวัสดีชาวโลก').words).toBeGreaterThan(1)
  })

  it('counts the same however the text is cut', () => {
    const texts = fc.array(fc.constantFrom('word', ' ', '\n', '\r', '\r\n', "'", '漢', '🙂', '.', 'é', 'e\u0301'), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 40 }), (parts, at) => {
        const text = parts.join('')
        // A pair of surrogates never comes cut in two.
        fc.pre(!/[\ud800-\udbff]$/.test(text.slice(0, at)))
        expect(count(text.slice(0, at), text.slice(at))).toEqual(count(text))
      }),
    )
  })

  it('counts characters as code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(count(text).characters).toBe([...text].length)
      }),
    )
  })
})
