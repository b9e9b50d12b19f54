import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type StreamFilter, unpack } from './stream-filters.ts'

const filter = (name: string, parameters: StreamFilter['parameters'] = {}): StreamFilter => ({ name, parameters })
const undo = (data: Buffer | string, ...filters: StreamFilter[]): Buffer =>
  unpack(Buffer.from(data as string, 'latin1'), filters, 1_000).data

describe('unpack', () => {
  it('undoes LZW as in the example of the standard', () => {
    const packed = Buffer.from('800b6050220c0c8501', 'hex')
    expect([...undo(packed, filter('LZWDecode'))]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66])
  })

  it('undoes ASCII 85, with a last group that is not full', () => {
    expect(undo('87cURD]i,"Eb o80~>', filter('ASCII85Decode')).toString()).toBe('Hello World!')
    expect(undo('z87cUR\n~>', filter('ASCII85Decode'))).toEqual(Buffer.from('\0\0\0\0Hell'))
  })

  it('undoes hexadecimal, with a last digit left out', () => {
    expect(undo('48 65 6C6c 7>', filter('ASCIIHexDecode')).toString()).toBe('Hellp')
  })

  it('undoes run lengths', () => {
    expect(undo(Buffer.from([2, 1, 2, 3, 254, 9, 128, 7]), filter('RunLengthDecode'))).toEqual(
      Buffer.from([1, 2, 3, 9, 9, 9]),
    )
  })

  it('undoes the predictors of PNG and TIFF', () => {
    const rows = [
      [0, 1, 2, 3],
      [1, 1, 1, 1],
      [2, 1, 1, 1],
      [3, 1, 1, 1],
      [4, 1, 1, 1],
    ]
    const png = filter('FlateDecode', { '/Predictor': 15, '/Columns': 3 })
    expect([...undo(deflateSync(Buffer.from(rows.flat())), png)]).toEqual([
      ...[1, 2, 3],
      ...[1, 2, 3],
      ...[2, 3, 4],
      ...[2, 3, 4],
      ...[3, 4, 5],
    ])
    const tiff = filter('FlateDecode', { '/Predictor': 2, '/Columns': 2, '/Colors': 2 })
    expect([...undo(deflateSync(Buffer.from([1, 2, 3, 4, 250, 1, 10, 1])), tiff)]).toEqual([1, 2, 4, 6, 250, 1, 4, 2])
  })

  it('goes through several filters and leaves pictures to others', () => {
    const jpeg = filter('DCTDecode')
    const packed = deflateSync('picture').toString('hex')
    const { data, left } = unpack(Buffer.from(packed), [filter('ASCIIHexDecode'), filter('FlateDecode'), jpeg], 1_000)
    expect([data.toString(), left]).toEqual(['picture', [jpeg]])
  })

  it('keeps what a cut stream or a wrong checksum leaves', () => {
    const whole = deflateSync(Buffer.from('a text that is long enough to be cut'), { level: 0 })
    expect(undo(whole.subarray(0, 20), filter('FlateDecode')).toString()).toBe('a text that i')
    const spoiled = Buffer.from(whole)
    spoiled[spoiled.length - 1] = (spoiled.at(-1) ?? 0) ^ 0xff
    expect(undo(spoiled, filter('FlateDecode')).toString()).toBe('a text that is long enough to be cut')
  })

  it.each([
    ['FlateDecode', deflateSync(Buffer.alloc(100_000))],
    ['RunLengthDecode', Buffer.alloc(100, Buffer.from([129, 0]))],
    ['ASCII85Decode', Buffer.alloc(1_000, 'z')],
  ])('refuses a %s bomb', (name, data) => {
    expect(() => undo(data.toString('latin1'), filter(name))).toThrow(RangeError)
  })
})
