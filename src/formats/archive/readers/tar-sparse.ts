import { type ByteSource, cutOff } from '../byte-source.ts'
import { BLOCK_BYTES, readNumber } from './tar-header.ts'

/** A file whose holes are not stored: pieces that are, and its size with the holes. */
export type SparseMap = { pieces: readonly { at: number; bytes: number }[]; realBytes: number }

const MAX_PIECES = 100_000

/** The map of an old GNU header, which may go on in blocks of its own. */
export const readGnuMap = async (header: Buffer, source: ByteSource): Promise<SparseMap | undefined> => {
  const numbers: (number | undefined)[] = []
  const take = (block: Buffer, from: number, count: number) => {
    for (let i = 0; i < count * 2; i++) numbers.push(readNumber(block, from + i * 12, 12))
  }
  take(header, 386, 4)
  for (let more = header[482]; more; ) {
    const block = await source.read(BLOCK_BYTES)
    if (block.length < BLOCK_BYTES) throw cutOff()
    take(block, 0, 21)
    more = numbers.length > MAX_PIECES * 2 ? 0 : block[504]
  }
  return toMap(numbers, readNumber(header, 483, 12))
}

/** The map in the extended header: its first two versions. */
export const readPaxMap = (pax: ReadonlyMap<string, Buffer>): SparseMap | undefined => {
  const text = (name: string) => pax.get(`GNU.sparse.${name}`)?.toString('latin1')
  const size = text('size') ?? text('realsize')
  if (size === undefined) return undefined
  const map = text('map')
  const offsets = text('offset')?.split(',') ?? []
  const lengths = text('numbytes')?.split(',') ?? []
  const words = map === undefined ? offsets.flatMap((offset, i) => [offset, lengths[i] ?? '']) : map.split(',')
  return toMap(words.slice(0, MAX_PIECES * 2).map(toNumber), toNumber(size))
}

/** The map at the head of the content: the third version. Answers the bytes of the content that it takes. */
export const readContentMap = async (
  source: ByteSource,
  realBytes: number,
  contentBytes: number,
): Promise<{ map: SparseMap | undefined; usedBytes: number }> => {
  const words: string[] = []
  let rest = ''
  let usedBytes = 0
  let wanted = 1
  while (words.length < wanted && usedBytes < contentBytes) {
    const block = await source.read(BLOCK_BYTES)
    if (block.length < BLOCK_BYTES) throw cutOff()
    usedBytes += BLOCK_BYTES
    const lines = (rest + block.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    words.push(...lines)
    wanted = 1 + Math.min(MAX_PIECES, toNumber(words[0] ?? '') ?? 0) * 2
  }
  return { map: toMap(words.slice(1, wanted).map(toNumber), realBytes), usedBytes }
}

const toNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const toMap = (numbers: readonly (number | undefined)[], realBytes: number | undefined): SparseMap | undefined => {
  if (realBytes === undefined || !Number.isSafeInteger(realBytes)) return undefined
  const pieces: { at: number; bytes: number }[] = []
  let end = 0
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const at = numbers[i]
    const bytes = numbers[i + 1]
    if (at === undefined || bytes === undefined) return undefined
    if (at === 0 && bytes === 0) continue
    if (at < end || at + bytes > realBytes) return undefined
    pieces.push({ at, bytes })
    end = at + bytes
  }
  return { pieces, realBytes }
}

const ZEROS = Buffer.alloc(65_536)

/** The content with its holes. */
export async function* fillHoles(
  stored: AsyncIterable<Buffer>,
  { pieces, realBytes }: SparseMap,
): AsyncGenerator<Buffer> {
  let done = 0
  let next = 0
  let left = pieces[0]?.bytes ?? 0
  for await (const chunk of stored) {
    for (let from = 0; from < chunk.length && next < pieces.length; ) {
      const piece = pieces[next] as { at: number; bytes: number }
      for (const zeros of holeUpTo(piece.at, done)) yield zeros
      done = Math.max(done, piece.at)
      const part = chunk.subarray(from, from + left)
      if (part.length > 0) yield part
      done += part.length
      from += part.length
      left -= part.length
      while (left === 0 && next < pieces.length) left = pieces[++next]?.bytes ?? 0
    }
  }
  for (const zeros of holeUpTo(realBytes, done)) yield zeros
}

function* holeUpTo(end: number, from: number): Generator<Buffer> {
  for (let at = from; at < end; at += ZEROS.length) yield ZEROS.subarray(0, Math.min(ZEROS.length, end - at))
}
