import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { type PdfDict, type PdfObjects, toName, toNumber } from './objects.ts'

export type StreamFilter = { name: string; parameters: PdfDict }

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
}

/** The filters of a stream in the order they are undone. */
export const listFilters = (objects: PdfObjects, dict: PdfDict): StreamFilter[] => {
  const names = objects.resolve(dict['/Filter'] ?? dict['/F'])
  const parameters = objects.resolve(dict['/DecodeParms'] ?? dict['/DP'])
  return (Array.isArray(names) ? names : [names]).flatMap((value, i) => {
    const name = toName(objects.resolve(value))
    if (!name) return []
    const own = Array.isArray(parameters) ? parameters[i] : i === 0 ? parameters : undefined
    return { name: ABBREVIATIONS[name] ?? name, parameters: objects.dict(own) }
  })
}

/** What undoing filters came to: the data, and the filters that are left because only a picture decoder knows them. */
export type Unpacked = { data: Buffer; left: readonly StreamFilter[] }

/** Undoes the general filters of a stream; throws where the data are broken or come to more than `maxBytes`. */
export const unpack = (raw: Buffer, filters: readonly StreamFilter[], maxBytes: number): Unpacked => {
  let data = raw
  for (const [i, { name, parameters }] of filters.entries()) {
    const undo = FILTERS[name]
    if (!undo) return { data, left: filters.slice(i) }
    data = undo(data, parameters, maxBytes)
  }
  return { data, left: [] }
}

type Undo = (data: Buffer, parameters: PdfDict, maxBytes: number) => Buffer

const number = (parameters: PdfDict, key: string, otherwise: number): number => toNumber(parameters[key]) ?? otherwise

const inflate: Undo = (data, parameters, maxBytes) => {
  // Streams that were cut still hold what came before the cut.
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return undoPredictor(inflateSync(data, options), parameters)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_DATA_ERROR') throw error
    // A wrong checksum at the end is no reason to lose what it was made of.
    return undoPredictor(inflateRawSync(data.subarray(ZLIB_HEADER_BYTES), options), parameters)
  }
}
const ZLIB_HEADER_BYTES = 2

const undoLzw: Undo = (data, parameters, maxBytes) => {
  const early = number(parameters, '/EarlyChange', 1)
  const output = makeOutput(maxBytes)
  const prefixes = new Uint16Array(4_096)
  const lasts = new Uint8Array(4_096)
  const lengths = new Uint16Array(4_096)
  for (let i = 0; i < 256; i++) {
    lasts[i] = i
    lengths[i] = 1
  }
  let size = 258
  let width = 9
  let previous = -1
  let bits = 0
  let bitCount = 0
  const scratch = Buffer.alloc(4_096)
  const spell = (code: number): Buffer => {
    let at = lengths[code] ?? 0
    const word = scratch.subarray(0, at)
    for (let c = code; at > 0; c = prefixes[c] ?? 0) word[--at] = lasts[c] ?? 0
    return word
  }
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff
    bitCount += 8
    if (bitCount < width) continue
    bitCount -= width
    const code = (bits >> bitCount) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      size = 258
      width = 9
      previous = -1
      continue
    }
    if (code > size || (code === size && previous < 0)) break
    if (previous >= 0 && size < 4_096) {
      prefixes[size] = previous
      lengths[size] = (lengths[previous] ?? 0) + 1
      lasts[size] = spell(code === size ? previous : code)[0] ?? 0
      size++
    }
    output.push(spell(code))
    previous = code
    if (size + early >= 2_048) width = 12
    else if (size + early >= 1_024) width = 11
    else if (size + early >= 512) width = 10
    else width = 9
  }
  return undoPredictor(output.end(), parameters)
}

const undoAscii85: Undo = (data, _parameters, maxBytes) => {
  const output = makeOutput(maxBytes)
  const group: number[] = []
  const flush = (count: number) => {
    let value = 0
    for (let i = 0; i < 5; i++) value = value * 85 + (group[i] ?? 84)
    const four = Buffer.alloc(4)
    four.writeUInt32BE(value % 2 ** 32)
    output.push(four.subarray(0, count))
    group.length = 0
  }
  for (const byte of data) {
    if (byte === 0x7e) break
    if (byte === 0x7a && group.length === 0) output.push(Buffer.alloc(4))
    else if (byte >= 0x21 && byte <= 0x75) {
      group.push(byte - 0x21)
      if (group.length === 5) flush(4)
    }
  }
  if (group.length > 1) flush(group.length - 1)
  return output.end()
}

const undoHex: Undo = (data) => {
  const text = data.toString('latin1').split('>')[0] ?? ''
  const digits = text.replace(/[^\da-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

const undoRunLength: Undo = (data, _parameters, maxBytes) => {
  const output = makeOutput(maxBytes)
  for (let at = 0; at < data.length; ) {
    const length = data[at++] ?? 128
    if (length === 128) break
    if (length < 128) output.push(data.subarray(at, at + length + 1))
    else output.push(Buffer.alloc(257 - length, data[at] ?? 0))
    at += length < 128 ? length + 1 : 1
  }
  return output.end()
}

const FILTERS: Readonly<Record<string, Undo>> = {
  FlateDecode: inflate,
  LZWDecode: undoLzw,
  ASCII85Decode: undoAscii85,
  ASCIIHexDecode: undoHex,
  RunLengthDecode: undoRunLength,
}

/** Grows by doubling, up to a limit. */
const makeOutput = (maxBytes: number) => {
  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, 65_536))
  let length = 0
  return {
    push(piece: Uint8Array): void {
      const needed = length + piece.length
      if (needed > maxBytes) throw new RangeError('more data than allowed')
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, bytes.length * 2)))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(piece, length)
      length = needed
    },
    end: (): Buffer => bytes.subarray(0, length),
  }
}

const TIFF_PREDICTOR = 2
const FIRST_PNG_PREDICTOR = 10

const undoPredictor = (data: Buffer, parameters: PdfDict): Buffer => {
  const predictor = number(parameters, '/Predictor', 1)
  if (predictor < TIFF_PREDICTOR) return data
  const colors = number(parameters, '/Colors', 1)
  const bits = number(parameters, '/BitsPerComponent', 8)
  const rowBytes = Math.ceil((number(parameters, '/Columns', 1) * colors * bits) / 8)
  const pixelBytes = Math.max(1, Math.ceil((colors * bits) / 8))
  if (!(rowBytes > 0 && rowBytes < 2 ** 28 && pixelBytes <= rowBytes))
    throw new Error('a predictor that makes no sense')
  return predictor < FIRST_PNG_PREDICTOR
    ? undoTiffPredictor(data, rowBytes, pixelBytes, bits)
    : undoPngPredictor(data, rowBytes, pixelBytes)
}

const undoTiffPredictor = (data: Buffer, rowBytes: number, pixelBytes: number, bits: number): Buffer => {
  if (bits !== 8) return data
  for (let row = 0; row < data.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, data.length)
    for (let i = row + pixelBytes; i < end; i++) data[i] = ((data[i] ?? 0) + (data[i - pixelBytes] ?? 0)) & 0xff
  }
  return data
}

const undoPngPredictor = (data: Buffer, rowBytes: number, pixelBytes: number): Buffer => {
  const rows = Math.ceil(data.length / (rowBytes + 1))
  const output = Buffer.alloc(rows * rowBytes)
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1)
    const kind = data[from]
    const to = row * rowBytes
    const length = Math.min(rowBytes, data.length - from - 1)
    for (let i = 0; i < length; i++) {
      const left = i >= pixelBytes ? (output[to + i - pixelBytes] ?? 0) : 0
      const up = row > 0 ? (output[to + i - rowBytes] ?? 0) : 0
      const corner = row > 0 && i >= pixelBytes ? (output[to + i - rowBytes - pixelBytes] ?? 0) : 0
      output[to + i] = (data[from + 1 + i] ?? 0) + predict(kind, left, up, corner)
    }
  }
  return output
}

const predict = (kind: number | undefined, left: number, up: number, corner: number): number => {
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  if (kind !== 4) return 0
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
