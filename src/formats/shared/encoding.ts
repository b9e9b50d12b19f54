import { isAscii, isUtf8 } from 'node:buffer'
import type { Context, OptionSpec, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { guessEncoding, looksBinary, mostlyUtf8 } from './encoding-guess.ts'
import { findByteOrderMark, findDeclaredEncoding, findNulPattern, incompleteTailBytes } from './encoding-signs.ts'
import { perSource } from './per-source.ts'
import { readChunks } from './read-chunks.ts'

/** How the characters of a source are written, and how sure we are. */
export type EncodingReport = {
  /** Lower-case name as in the WHATWG Encoding standard where that has one. */
  name: string
  foundBy: 'byte-order-mark' | 'nul-pattern' | 'valid-utf-8' | 'declaration' | 'detection' | 'option'
  /** 0 to 1. */
  confidence: number
  byteOrderMark: boolean
  markBytes: number
  /** UTF-8 without a mark and without carriage returns: the bytes are already what the service gives out. */
  isOutputAlready: boolean
  /** Some bytes do not fit the encoding and are replaced by U+FFFD. */
  damaged: boolean
}

const ENCODINGS = [
  'auto',
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  ...['0', '1', '2', '3', '4', '5', '6', '7', '8'].map((digit) => `windows-125${digit}` as const),
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-9',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'ibm437',
  'ibm850',
  'ibm866',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
] as const

/** The option by which a client overrides the detection. */
export const encodingOption = {
  type: 'enum',
  allowedValues: ENCODINGS,
  defaultValue: 'auto',
  detail: 'Encoding of the source; auto looks at marks, validity, declarations and statistics.',
} as const satisfies OptionSpec

const HEAD_BYTES = 65_536
const SAMPLE_BYTES = 131_072
const SAMPLE_PIECE_BYTES = 8_192

/** Finds the encoding of a source; a file that is no text in any encoding fails the job. */
export const findEncoding = perSource(async (source: Source, context: Context, choice): Promise<EncodingReport> => {
  const scan = await scanBytes(source, context)
  const report = (
    name: string,
    foundBy: EncodingReport['foundBy'],
    confidence = 1,
    more: Partial<EncodingReport> = {},
  ): EncodingReport => ({
    name,
    foundBy,
    confidence,
    byteOrderMark: false,
    markBytes: 0,
    isOutputAlready: false,
    damaged: false,
    ...more,
  })
  const mark = findByteOrderMark(scan.head)
  if (choice !== '' && choice !== 'auto') {
    const ownMark = mark?.name === choice ? { byteOrderMark: true, markBytes: mark.bytes } : {}
    return report(choice, 'option', 1, ownMark)
  }
  if (mark) {
    return report(mark.name, 'byte-order-mark', 1, {
      byteOrderMark: true,
      markBytes: mark.bytes,
      damaged: mark.name === 'utf-8' && !scan.isUtf8,
    })
  }
  const wide = findNulPattern(scan.head)
  if (wide) return report(wide, 'nul-pattern', 0.95)
  if (looksBinary(scan.head, scan.isUtf8)) throw unreadable()
  if (scan.isUtf8) {
    // ISO-2022-JP is made of ASCII bytes and escape sequences, so it also passes as UTF-8.
    if (['\u001b$B', '\u001b$@'].some((sequence) => scan.head.includes(sequence, 0, 'latin1')))
      return report('iso-2022-jp', 'detection', 0.95)
    return report('utf-8', 'valid-utf-8', 1, { isOutputAlready: !scan.hasCarriageReturn })
  }
  if (mostlyUtf8(scan.sample)) return report('utf-8', 'detection', 0.8, { damaged: true })
  const declared = await findDeclaredEncoding(scan.head, scan.sample)
  if (declared) return report(declared, 'declaration', 0.95)
  const guess = await guessEncoding(scan.sample)
  if (!guess) throw unreadable()
  return report(guess.name, 'detection', guess.confidence)
})

const unreadable = () =>
  new JobFailure('extract.source_unreadable', { reason: 'binary' }, { detail: 'The file is not text in any encoding.' })

type Scan = { head: Buffer; sample: Buffer; isUtf8: boolean; hasCarriageReturn: boolean }

/** One pass over the whole file: a wrong byte after a gigabyte of ASCII still makes it not UTF-8. */
const scanBytes = perSource(async (source, context): Promise<Scan> => {
  let head = Buffer.alloc(0)
  const pieces: Buffer[] = []
  let sampledBytes = 0
  let valid = true
  let hasCarriageReturn = false
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of readChunks(source, context, [0, 0.2])) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
    hasCarriageReturn ||= chunk.includes(13)
    if (tail.length === 0 && isAscii(chunk)) continue
    if (sampledBytes < SAMPLE_BYTES) {
      const piece = nonAsciiPiece(chunk)
      pieces.push(piece)
      sampledBytes += piece.length
    }
    if (valid) {
      const joined: Buffer = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const whole = joined.length - incompleteTailBytes(joined)
      valid = isUtf8(joined.subarray(0, whole))
      tail = joined.subarray(whole)
    }
    // Once it is not UTF-8, only the sample still matters.
    if (!valid && sampledBytes >= SAMPLE_BYTES) break
  }
  return { head, sample: Buffer.concat(pieces), isUtf8: valid && tail.length === 0, hasCarriageReturn }
})

/** A stretch from the start of a line, so that no multi-byte character is cut at its beginning. */
const nonAsciiPiece = (chunk: Buffer): Buffer => {
  if (chunk.length <= SAMPLE_PIECE_BYTES * 4) return chunk
  let at = 0
  while (at < chunk.length && (chunk[at] as number) < 0x80) at++
  const lineStart = chunk.lastIndexOf(10, at) + 1
  const start = at - lineStart > SAMPLE_PIECE_BYTES ? at : lineStart
  const end = chunk.indexOf(10, start + SAMPLE_PIECE_BYTES)
  return Buffer.from(
    chunk.subarray(start, end > 0 && end - start < SAMPLE_PIECE_BYTES * 4 ? end + 1 : start + SAMPLE_PIECE_BYTES),
  )
}
