import { describe, expect, it } from 'vitest'
import { createHuffDecoder } from './huffcdic.ts'
import { makeHuffRecords, packPhrases } from './mobi-fixture.ts'

const decoderOf = (phrases: readonly { text: string | Buffer; isPlain: boolean }[]) => {
  const [huff, ...dictionaries] = makeHuffRecords(phrases)
  return createHuffDecoder(huff as Buffer, dictionaries)
}

describe('createHuffDecoder', () => {
  it('puts phrases together, those made of phrases too', () => {
    const decode = decoderOf([
      { text: 'stone', isPlain: true },
      { text: ' on ', isPlain: true },
      { text: packPhrases([0, 1, 0]), isPlain: false },
      { text: '.', isPlain: true },
    ])
    expect(decode(packPhrases([2, 3])).toString()).toBe('stone on stone.')
    expect(decode(packPhrases([2, 1, 2])).toString()).toBe('stone on stone on stone on stone')
  })

  it('reads codes that are longer than a byte', () => {
    const phrases = Array.from({ length: 258 }, (_, index) => ({ text: `<${index}>`, isPlain: true }))
    expect(decoderOf(phrases)(packPhrases([3, 256, 257, 254, 256])).toString()).toBe('<3><256><257><254><256>')
  })

  it('refuses phrases that hold themselves', () => {
    const decode = decoderOf([
      { text: packPhrases([1]), isPlain: false },
      { text: packPhrases([0]), isPlain: false },
    ])
    expect(() => decode(packPhrases([0]))).toThrow(expect.objectContaining({ code: 'extract.source_unreadable' }))
  })

  it('stops where phrases of phrases unfold without end', () => {
    const doubling = Array.from({ length: 30 }, (_, index) =>
      index === 0
        ? { text: 'x'.repeat(1000), isPlain: true }
        : { text: packPhrases([index - 1, index - 1]), isPlain: false },
    )
    expect(() => decoderOf(doubling)(packPhrases([29]))).toThrow(
      expect.objectContaining({ code: 'extract.limit_exceeded' }),
    )
  })

  it('refuses numbers of phrases that are not there, and records of another kind', () => {
    const decode = decoderOf([{ text: 'a', isPlain: true }])
    expect(() => decode(packPhrases([7]))).toThrow(expect.objectContaining({ code: 'extract.source_unreadable' }))
    expect(() => createHuffDecoder(Buffer.from('JUNK'), [])).toThrow(
      expect.objectContaining({ code: 'extract.source_unreadable' }),
    )
  })
})
