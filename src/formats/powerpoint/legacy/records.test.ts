import { describe, expect, it } from 'vitest'
import type { CompoundFile } from '../../shared/ole/compound-file.ts'
import { readPresentationFacts } from './records.ts'

const record = (type: number, body: Buffer, instance = 0): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt16LE((instance << 4) | 0xf, 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}
const document = (slides: number): Buffer => {
  const atom = record(0x03f3, Buffer.alloc(20))
  const masters = record(0x0ff0, atom, 1)
  return record(0x03e8, Buffer.concat([masters, record(0x0ff0, Buffer.concat(Array(slides).fill(atom)))]))
}
const toFile = (streams: Record<string, Buffer>): CompoundFile => ({
  names: Object.keys(streams),
  has: (name) => name in streams,
  open: (name) => {
    const bytes = streams[name]
    return bytes && { bytes: bytes.length, read: (at, length) => bytes.subarray(at, at + length) }
  },
  close: () => {},
})
const userAtom = (editAt: number, token = 0xe391c05f): Buffer => record(0x0ff6, numbers(20, token, editAt))
const edit = (directoryAt: number, previousAt = 0, ...more: number[]): Buffer =>
  record(0x0ff5, numbers(256, 0x03000000, previousAt, directoryAt, 1, 9, 0, ...more))

describe('an old presentation', () => {
  it('has as many slides as its last edit says', () => {
    const [older, newer] = [document(3), document(2)]
    const directory = record(0x1772, numbers((2 << 20) | 1, older.length, 77))
    const directoryAt = older.length + newer.length
    const stream = Buffer.concat([older, newer, directory, edit(directoryAt)])
    const file = toFile({
      'PowerPoint Document': stream,
      'Current User': userAtom(directoryAt + directory.length),
    })
    expect(readPresentationFacts(file)).toEqual({ slides: 2, isEncrypted: false, hasMacros: false })
  })

  it('without a word on edits has those of its last document', () => {
    const file = toFile({ 'PowerPoint Document': Buffer.concat([document(3), document(5)]) })
    expect(readPresentationFacts(file)?.slides).toBe(5)
  })

  it('with a password says so', () => {
    const stream = Buffer.concat([Buffer.alloc(8), edit(0, 0, 4)])
    expect(
      readPresentationFacts(toFile({ 'PowerPoint Document': stream, 'Current User': userAtom(8) }))?.isEncrypted,
    ).toBe(true)
    const marked = toFile({ 'PowerPoint Document': document(1), 'Current User': userAtom(0, 0xf3d1c4df) })
    expect(readPresentationFacts(marked)?.isEncrypted).toBe(true)
  })

  it('that leads in circles or out of the file has none', () => {
    const circle = edit(0xfffffff0, 8)
    const file = toFile({
      'PowerPoint Document': Buffer.concat([Buffer.alloc(8), circle]),
      'Current User': userAtom(8),
    })
    expect(readPresentationFacts(file)?.slides).toBe(0)
    expect(readPresentationFacts(toFile({}))).toBe(undefined)
  })
})
