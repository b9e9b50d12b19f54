import { isAscii } from 'node:buffer'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { EncodingReport } from './encoding.ts'
import { decodeUtf16, incompleteTailBytes } from './encoding-signs.ts'
import { readChunks, type Span } from './read-chunks.ts'

type Decoder = { write(chunk: Buffer): string; end(): string }

/** The text of a source as it comes, whatever its encoding; the byte-order mark is left out. */
export async function* decodeText(
  source: Source,
  context: Context,
  encoding: EncodingReport,
  span: Span = [0.2, 1],
): AsyncGenerator<string> {
  const decoder = await makeDecoder(encoding.name)
  let markBytesLeft = encoding.markBytes
  let held = ''
  for await (const chunk of readChunks(source, context, span)) {
    const skipped = Math.min(markBytesLeft, chunk.length)
    markBytesLeft -= skipped
    const text = held + decoder.write(skipped > 0 ? chunk.subarray(skipped) : chunk)
    // A pair of surrogates cut in two would come out as two replacement characters.
    const cut = endsInHighSurrogate(text)
    held = cut ? text.slice(-1) : ''
    const whole = cut ? text.slice(0, -1) : text
    if (whole !== '') yield whole
  }
  const rest = held + decoder.end()
  if (rest !== '') yield rest
}

const endsInHighSurrogate = (text: string): boolean => {
  const last = text.length === 0 ? 0 : text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

const makeDecoder = async (name: string): Promise<Decoder> => {
  if (name === 'utf-8') return makeTailDecoder(incompleteTailBytes, decodeUtf8)
  if (name === 'utf-16le') return makeTailDecoder(oddByte, (bytes) => decodeUtf16(bytes, false))
  if (name === 'utf-16be') return makeTailDecoder(oddByte, (bytes) => decodeUtf16(bytes, true))
  if (name === 'iso-2022-jp') {
    const decoder = new TextDecoder(name)
    return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() }
  }
  const { default: iconv } = await import('iconv-lite')
  const decoder = iconv.getDecoder(name)
  return { write: (chunk) => decoder.write(chunk), end: () => decoder.end() ?? '' }
}

const oddByte = (bytes: Buffer): number => bytes.length % 2

// Many times faster than a streaming TextDecoder, and ASCII stays a one-byte string.
const decodeUtf8 = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'))

/** Decodes chunk by chunk, keeping the bytes of a cut character for the next one. */
const makeTailDecoder = (tailBytes: (bytes: Buffer) => number, decode: (bytes: Buffer) => string): Decoder => {
  let tail: Buffer = Buffer.alloc(0)
  return {
    write(chunk) {
      const bytes = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const whole = bytes.length - tailBytes(bytes)
      tail = bytes.subarray(whole)
      return decode(bytes.subarray(0, whole))
    },
    end: () => (tail.length > 0 ? '\ufffd' : ''),
  }
}

/** Makes every line end in a single line feed. */
export async function* normalizeNewlines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let endsInReturn = false
  for await (const chunk of chunks) {
    let text: string = endsInReturn ? `\r${chunk}` : chunk
    endsInReturn = text.endsWith('\r')
    if (endsInReturn) text = text.slice(0, -1)
    if (text !== '') yield text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  }
  if (endsInReturn) yield '\n'
}

/**
 * Lines without their ends. A line over the limit, which would have to be held in memory, fails the job, or is cut short
 * where only its beginning matters.
 */
export async function* readLines(
  chunks: AsyncIterable<string>,
  maxLineCharacters: number,
  onLongLine: 'fail' | 'cut' = 'fail',
): AsyncGenerator<string> {
  const pieces: string[] = []
  let pieceCharacters = 0
  for await (const chunk of normalizeNewlines(chunks)) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = chunk.slice(start, end)
      start = end + 1
      yield pieces.length > 0 ? pieces.splice(0).join('') + line : line
      pieceCharacters = 0
    }
    if (start === chunk.length) continue
    const isLong = pieceCharacters + chunk.length - start > maxLineCharacters
    if (isLong && onLongLine === 'fail') throw overLimit('lineCharacters', maxLineCharacters)
    const taken = chunk.slice(start, isLong ? start + Math.max(0, maxLineCharacters - pieceCharacters) : undefined)
    pieces.push(taken)
    pieceCharacters += taken.length
  }
  if (pieces.length > 0) yield pieces.join('')
}

/** The whole text with single line feeds, for documents that cannot be read piece by piece. */
export const readWholeText = async (
  source: Source,
  context: Context,
  encoding: EncodingReport,
  maxBytes: number,
  span?: Span,
): Promise<string> => {
  if (source.bytes > maxBytes) throw overLimit('documentBytes', maxBytes)
  const pieces: string[] = []
  for await (const piece of normalizeNewlines(decodeText(source, context, encoding, span))) pieces.push(piece)
  return pieces.join('')
}

/** The failure of a source that needs more than a limit of ours. */
export const overLimit = (limit: string, maximum: number): JobFailure =>
  new JobFailure('extract.limit_exceeded', { limit, maximum })
