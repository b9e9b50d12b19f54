import { describe, expect, it } from 'vitest'
import { packPalmdoc } from './mobi-fixture.ts'
import { unpackPalmdoc } from './palmdoc.ts'

describe('unpackPalmdoc', () => {
  it('gives back what was packed: literals, runs, blanks, bytes of any value', () => {
    const text = Buffer.from('<p>A stone is a stone is a stone, and ümlauts\u0001 too.</p>'.repeat(20))
    const packed = packPalmdoc(text)
    expect(packed.length).toBeLessThan(text.length / 4)
    expect(unpackPalmdoc(packed).equals(text)).toBe(true)
  })

  it('copies runs that overlap themselves', () => {
    expect(unpackPalmdoc(Buffer.from([0x61, 0x80, 0x0f])).toString()).toBe('a'.repeat(11))
  })

  it('reads over runs that reach before the beginning, and over a cut end', () => {
    expect(unpackPalmdoc(Buffer.from([0x61, 0xbf, 0xff, 0x62])).toString()).toBe('ab')
    expect(unpackPalmdoc(Buffer.from([0x08, 0x61])).toString()).toBe('a')
    expect(unpackPalmdoc(Buffer.from([0x61, 0x80])).toString()).toBe('a')
  })

  it('stops where a record unfolds to more than any record holds', () => {
    const bomb = Buffer.concat([Buffer.from([0x61]), Buffer.from('800f'.repeat(200_000), 'hex')])
    expect(() => unpackPalmdoc(bomb)).toThrow(expect.objectContaining({ code: 'extract.limit_exceeded' }))
  })
})
