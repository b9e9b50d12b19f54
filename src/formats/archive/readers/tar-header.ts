import type { MemberKind } from '../member.ts'

export const BLOCK_BYTES = 512

/** One header block of a tar archive; names are bytes, as nothing says how they are encoded. */
export type TarHeader = {
  type: string
  name: Buffer
  linkName: Buffer
  bytes: number
  mode: number
  modifiedSeconds: number
  owner: string
  group: string
}

const KINDS: Readonly<Record<string, MemberKind>> = {
  '1': 'hard-link',
  '2': 'link',
  '3': 'special',
  '4': 'special',
  '5': 'folder',
  '6': 'special',
  D: 'folder',
  V: 'special',
  M: 'special',
}

/** What a type flag stands for; unknown ones are files, as the standard has it. */
export const kindOf = (type: string): MemberKind => KINDS[type] ?? 'file'

/** Reads a header; undefined where the block is none. */
export const parseHeader = (block: Buffer): TarHeader | undefined => {
  if (block.length < BLOCK_BYTES || !hasChecksum(block)) return undefined
  const bytes = readNumber(block, 124, 12)
  if (bytes === undefined || !Number.isSafeInteger(bytes) || bytes < 0) return undefined
  const isUstar = block.toString('latin1', 257, 262) === 'ustar'
  // Old GNU archives keep other things where the standard has a prefix.
  const prefix = isUstar && block[262] === 0 ? readText(block, 345, 155) : Buffer.alloc(0)
  const name = readText(block, 0, 100)
  return {
    type: String.fromCharCode(block[156] || 0x30),
    name: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name,
    linkName: readText(block, 157, 100),
    bytes,
    mode: (readNumber(block, 100, 8) ?? 0) & 0o7777,
    modifiedSeconds: readNumber(block, 136, 12) ?? 0,
    owner: isUstar ? readText(block, 265, 32).toString('utf8') : '',
    group: isUstar ? readText(block, 297, 32).toString('utf8') : '',
  }
}

export const isBlank = (block: Buffer): boolean => block.every((byte) => byte === 0)

/** Octal digits between spaces and NULs, or, with the highest bit set, a number of bytes. */
export const readNumber = (block: Buffer, at: number, length: number): number | undefined => {
  const first = block[at] as number
  if (first & 0x80) {
    let value = first & 0x40 ? (first & 0x7f) - 0x80 : first & 0x7f
    for (let i = 1; i < length; i++) value = value * 256 + (block[at + i] as number)
    return value
  }
  const digits = /^[\s\0]*([0-7]*)[\s\0]*$/.exec(block.toString('latin1', at, at + length))?.[1]
  return digits === undefined ? undefined : digits === '' ? 0 : Number.parseInt(digits, 8)
}

const readText = (block: Buffer, at: number, length: number): Buffer => {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end))
}

/** The sum of all bytes, with the field of the sum itself as spaces; some wrote it with signed bytes. */
const hasChecksum = (block: Buffer): boolean => {
  const stated = readNumber(block, 148, 8)
  let unsigned = 256
  let high = 0
  for (let i = 0; i < BLOCK_BYTES; i++) {
    if (i === 148) i = 156
    const byte = block[i] as number
    unsigned += byte
    if (byte > 127) high += 1
  }
  const signed = unsigned - high * 256
  // Eight spaces are all that a block of zeros sums up to.
  return unsigned > 256 && (stated === unsigned || stated === signed)
}

/** Records of `length name=value` and a line feed. */
export const parsePax = (bytes: Buffer): Map<string, Buffer> => {
  const found = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = space < 0 || space - at > 10 ? Number.NaN : Number(bytes.toString('latin1', at, space))
    if (!Number.isInteger(length) || length < space - at + 3 || at + length > bytes.length) break
    const equals = bytes.indexOf(0x3d, space)
    if (equals > 0 && equals < at + length) {
      const name = bytes.toString('utf8', space + 1, equals)
      const value = bytes.subarray(equals + 1, at + length - 1)
      // Old sparse maps say one name once for each piece.
      const before = name.startsWith('GNU.sparse.') ? found.get(name) : undefined
      found.set(name, before ? Buffer.concat([before, Buffer.from(','), value]) : value)
    }
    at += length
  }
  return found
}
