import type { SheetEntry } from '../workbook.ts'

export type SheetKind = SheetEntry['kind']

const [BOUND_SHEET, END, FILE_PASS, BEGIN] = [0x85, 0x0a, 0x2f, 0x809]
const GLOBALS = 5
const KINDS: Readonly<Record<number, SheetKind>> = { 0: 'worksheet', 1: 'macrosheet', 2: 'chartsheet' }
const MAX_SHEETS = 10_000

/**
 * Kinds of the tabs of an Excel 5 to 2003 workbook in their order, from the records at the head of its stream;
 * undefined where they are encrypted.
 */
export const listBiffSheets = (stream: Uint8Array): SheetKind[] | undefined => {
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  // Before Excel 5 a file was one sheet.
  const hasGlobals = bytes.length >= 8 && bytes.readUInt16LE(0) === BEGIN && bytes.readUInt16LE(6) === GLOBALS
  if (!hasGlobals) return ['worksheet']
  const kinds: SheetKind[] = []
  for (let at = 0; at + 4 <= bytes.length && kinds.length < MAX_SHEETS; ) {
    const type = bytes.readUInt16LE(at)
    const length = bytes.readUInt16LE(at + 2)
    if (type === END) break
    if (type === FILE_PASS) return undefined
    if (type === BOUND_SHEET && length >= 6 && at + 10 <= bytes.length) {
      // Modules of macros are listed like sheets, but are none.
      const kind = KINDS[bytes[at + 9] ?? 0]
      if (kind) kinds.push(kind)
    }
    at += 4 + length
  }
  return kinds
}

const BUNDLE_SHEET = 156

/** Ids of the relationships that lead to the tabs of a binary workbook of 2007 or later, in their order. */
export const listBinarySheetIds = (part: Buffer): string[] => {
  const ids: string[] = []
  const reader = { at: 0 }
  while (reader.at < part.length && ids.length < MAX_SHEETS) {
    const type = readVarying(part, reader, 2)
    const length = readVarying(part, reader, 4)
    const start = reader.at
    if (type === BUNDLE_SHEET && start + 12 <= part.length) {
      const characters = part.readUInt32LE(start + 8)
      ids.push(part.toString('utf16le', start + 12, Math.min(start + 12 + characters * 2, start + length, part.length)))
    }
    reader.at = start + length
  }
  return ids
}

/** Seven bits a byte, the lowest first; a record's type keeps its continuation bits. */
const readVarying = (part: Buffer, reader: { at: number }, mostBytes: number): number => {
  let value = 0
  for (let i = 0; i < mostBytes; i++) {
    const byte = part[reader.at++] ?? 0
    value |= (byte & 127) << (7 * i)
    if (byte < 128) break
  }
  return value
}
