import type { Context } from '../../../core/catalog.ts'
import { overLimit } from '../../shared/decode.ts'
import { makePause } from '../../shared/read-chunks.ts'
import type { MobiHeader } from './header.ts'
import { createHuffDecoder } from './huffcdic.ts'
import { damaged, type PalmDatabase } from './palm-database.ts'
import { unpackPalmdoc } from './palmdoc.ts'

const UNCOMPRESSED = 1
const PALMDOC = 2
const HUFF = 17_480
const MAX_TEXT_BYTES = 64 * 1024 ** 2
const MAX_DICTIONARIES = 500

/** The text of a book as its records unfold to it, still with its markup. */
export const readText = async (file: PalmDatabase, header: MobiHeader, context: Context): Promise<Buffer> => {
  const unpack = makeDecoder(file, header)
  const pause = makePause(context)
  const pieces: Buffer[] = []
  let bytes = 0
  for (let index = 1; index <= header.textRecords; index++) {
    if (header.base + index >= file.recordCount) break
    const piece = unpack(withoutTrailers(file.read(header.base + index), header.extraFlags))
    bytes += piece.length
    if (bytes > MAX_TEXT_BYTES) throw overLimit('textBytes', MAX_TEXT_BYTES)
    pieces.push(piece)
    context.progress((index / header.textRecords) * 0.5)
    await pause()
  }
  return Buffer.concat(pieces, bytes)
}

const makeDecoder = (file: PalmDatabase, header: MobiHeader): ((packed: Buffer) => Buffer) => {
  switch (header.compression) {
    case UNCOMPRESSED:
      return (packed) => packed
    case PALMDOC:
      return unpackPalmdoc
    case HUFF: {
      const first = header.base + header.huffRecord
      const count = Math.min(header.huffCount, MAX_DICTIONARIES)
      if (count < 2) throw damaged('huff')
      const dictionaries = Array.from({ length: count - 1 }, (_, index) => file.read(first + 1 + index))
      return createHuffDecoder(file.read(first), dictionaries)
    }
    default:
      throw damaged('compression', 'The book is compressed by a method that is not known.')
  }
}

/** Takes off what stands behind the text of a record: pieces for the device, and the rest of a cut character. */
export const withoutTrailers = (record: Buffer, flags: number): Buffer => {
  let end = record.length
  for (let bits = flags >>> 1; bits > 0; bits >>>= 1) {
    if ((bits & 1) === 1) end -= Math.min(end, backwardNumber(record.subarray(0, end)))
  }
  if ((flags & 1) === 1 && end > 0) end -= Math.min(end, ((record[end - 1] as number) & 3) + 1)
  return record.subarray(0, end)
}

/** A number whose last byte is the last one; its first byte has the highest bit set. */
const backwardNumber = (bytes: Buffer): number => {
  let number = 0
  for (const byte of bytes.subarray(Math.max(0, bytes.length - 4))) {
    if ((byte & 0x80) !== 0) number = 0
    number = (number << 7) | (byte & 0x7f)
  }
  return number
}
