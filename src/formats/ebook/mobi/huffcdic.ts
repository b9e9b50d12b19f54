import { overLimit } from '../../shared/decode.ts'
import { damaged } from './palm-database.ts'
import { MAX_TEXT_RECORD_BYTES } from './palmdoc.ts'

type Phrase = { bytes: Buffer; isPlain: boolean }

/** Phrases are made of phrases; real ones a few levels deep. */
const MAX_DEPTH = 32
/** What all phrases together may unfold to. */
const MAX_PHRASES_BYTES = 32 * 1024 ** 2
const MAX_PHRASES = 1_000_000

/** Makes what unpacks records by Huffman codes (HUFF) of phrases (CDIC). */
export const createHuffDecoder = (huff: Buffer, dictionaries: readonly Buffer[]): ((packed: Buffer) => Buffer) => {
  const { short, minimum, maximum } = readCodes(huff)
  const phrases = dictionaries.reduce<Phrase[]>(readPhrases, [])
  const open = new Set<number>()
  let phrasesBytes = 0

  const phraseAt = (index: number, depth: number): Buffer => {
    const phrase = phrases[index]
    if (!phrase || open.has(index)) throw damaged('huff')
    if (phrase.isPlain) return phrase.bytes
    open.add(index)
    const bytes = unpack(phrase.bytes, depth + 1)
    open.delete(index)
    phrasesBytes += bytes.length
    if (phrasesBytes > MAX_PHRASES_BYTES) throw overLimit('phrasesBytes', MAX_PHRASES_BYTES)
    phrases[index] = { bytes, isPlain: true }
    return bytes
  }

  const unpack = (packed: Buffer, depth: number): Buffer => {
    if (depth > MAX_DEPTH) throw damaged('huff')
    const pieces: Buffer[] = []
    const bits = packed.length * 8
    let length = 0
    let at = 0
    while (at < bits) {
      const code = bitsAt(packed, at)
      const entry = short[code >>> 24] as number
      let codeBits = entry & 0x1f
      let most = maximumOf(entry >>> 8, codeBits)
      if ((entry & 0x80) === 0) {
        while (codeBits < 32 && code < (minimum[codeBits] as number)) codeBits++
        most = maximum[codeBits] as number
      }
      if (codeBits === 0) throw damaged('huff')
      at += codeBits
      if (at > bits) break
      const piece = phraseAt((most - code) >>> (32 - codeBits), depth)
      length += piece.length
      if (length > MAX_TEXT_RECORD_BYTES) throw overLimit('recordBytes', MAX_TEXT_RECORD_BYTES)
      pieces.push(piece)
    }
    return Buffer.concat(pieces, length)
  }

  return (packed) => unpack(packed, 0)
}

/** The 32 bits from a bit on; past the end they are zero. */
const bitsAt = (bytes: Buffer, at: number): number => {
  const first = at >>> 3
  const shift = at & 7
  const byte = (index: number): number => bytes[first + index] ?? 0
  const word = ((byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)) >>> 0
  return shift === 0 ? word : ((word << shift) | (byte(4) >>> (8 - shift))) >>> 0
}

/** The greatest code that begins with these bits; all of them where there are none. */
const maximumOf = (value: number, bits: number): number =>
  bits === 0 ? 0xffffffff : ((value + 1) * 2 ** (32 - bits) - 1) >>> 0

const readCodes = (huff: Buffer) => {
  if (huff.toString('latin1', 0, 4) !== 'HUFF' || huff.length < 24) throw damaged('huff')
  const shortAt = huff.readUInt32BE(8)
  const longAt = huff.readUInt32BE(12)
  if (shortAt + 1024 > huff.length || longAt + 256 > huff.length) throw damaged('huff')
  const short = Array.from({ length: 256 }, (_, index) => huff.readUInt32BE(shortAt + index * 4))
  const minimum = [0]
  const maximum = [0xffffffff]
  for (let bits = 1; bits <= 32; bits++) {
    minimum.push((huff.readUInt32BE(longAt + (bits - 1) * 8) * 2 ** (32 - bits)) >>> 0)
    maximum.push(maximumOf(huff.readUInt32BE(longAt + (bits - 1) * 8 + 4), bits))
  }
  return { short, minimum, maximum }
}

const readPhrases = (phrases: Phrase[], record: Buffer): Phrase[] => {
  if (record.toString('latin1', 0, 4) !== 'CDIC' || record.length < 16) throw damaged('cdic')
  const total = Math.min(record.readUInt32BE(8), MAX_PHRASES)
  const bits = Math.min(record.readUInt32BE(12), 20)
  const count = Math.min(2 ** bits, total - phrases.length)
  for (let index = 0; index < count; index++) {
    if (16 + index * 2 + 2 > record.length) throw damaged('cdic')
    const at = 16 + record.readUInt16BE(16 + index * 2)
    if (at + 2 > record.length) throw damaged('cdic')
    const head = record.readUInt16BE(at)
    const bytes = record.subarray(at + 2, at + 2 + (head & 0x7fff))
    phrases.push({ bytes, isPlain: (head & 0x8000) !== 0 })
  }
  return phrases
}
