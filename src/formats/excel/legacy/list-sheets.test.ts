import { expect, test } from 'vitest'
import { listBiffSheets, listBinarySheetIds } from './list-sheets.ts'

const record = (type: number, data: readonly number[]): number[] => [
  type & 255,
  type >> 8,
  data.length & 255,
  data.length >> 8,
  ...data,
]
const globals = record(0x809, [0, 6, 5, 0])
const sheet = (kind: number) => record(0x85, [0, 0, 0, 0, 0, kind, 1, 0, 65])

test('worksheets, charts and macros are told apart; modules are no sheets', () => {
  const stream = [
    ...globals,
    ...sheet(0),
    ...sheet(2),
    ...sheet(1),
    ...sheet(6),
    ...sheet(0),
    ...record(0x0a, []),
    ...sheet(0),
  ]
  expect(listBiffSheets(Uint8Array.from(stream))).toEqual(['worksheet', 'chartsheet', 'macrosheet', 'worksheet'])
})

test('a file of a single sheet, an encrypted one, and records that lie', () => {
  expect(listBiffSheets(Uint8Array.from(record(0x09, [2, 0, 16, 0])))).toEqual(['worksheet'])
  expect(listBiffSheets(Uint8Array.from([...globals, ...record(0x2f, [0, 0]), ...sheet(0)]))).toBeUndefined()
  expect(listBiffSheets(Uint8Array.from([...globals, 0x85, 0, 255, 255, 0]))).toEqual([])
  expect(listBiffSheets(new Uint8Array(0))).toEqual(['worksheet'])
})

test('binary workbooks of 2007 and later', () => {
  const id = [...Buffer.from('rId7', 'utf16le')]
  const data = [0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, ...id]
  // Type 156 takes two bytes.
  const stream = [0x9c, 0x01, data.length, ...data, 0x05, 200, 1]
  expect(listBinarySheetIds(Buffer.from(stream))).toEqual(['rId7'])
  expect(listBinarySheetIds(Buffer.from([0x9c, 0x01, 20, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]))).toEqual([''])
  expect(listBinarySheetIds(Buffer.alloc(0))).toEqual([])
})
