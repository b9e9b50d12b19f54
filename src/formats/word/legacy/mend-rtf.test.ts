import { describe, expect, it } from 'vitest'
import { mendText } from './mend-rtf.ts'

describe('RTF that is broken', () => {
  it.each([
    ['cut off', '{\\rtf1 {\\b bold', '{\\rtf1 {\\b bold}}'],
    ['whole', '{\\rtf1 a\\{b\\}\\par}', '{\\rtf1 a\\{b\\}\\par}'],
    ['a piece of one', '{\\pard a\\par}\n{\\pard b\\par}\n', '{\\rtf1\\ansi {\\pard a\\par}\n{\\pard b\\par}}'],
    ['with pictures', '{\\rtf1 a{\\pict\\wmetafile8 0102{\\x 03}}b}', '{\\rtf1 ab}'],
    ['with bytes among the text', '{\\rtf1 a\\bin3 }{}b}', '{\\rtf1 ab}'],
    ['cut off in a picture', '{\\rtf1 a{\\pict 0102', '{\\rtf1 a}'],
    ['closed too early', '{\\rtf1 a}b\\par}', '{\\rtf1 ab\\par}'],
  ])('%s', (_, broken, mended) => {
    expect(mendText(broken)).toBe(mended)
  })

  it('of any size is mended in linear time', () => {
    expect(mendText('{'.repeat(500_000)).length).toBeLessThan(1_100_000)
  })
})
