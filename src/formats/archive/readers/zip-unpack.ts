import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw, createZstdDecompress } from 'node:zlib'
import type { Context } from '../../../core/catalog.ts'
import { SEVEN_ZIP_MEMORY_BYTES, streamContents } from '../../../engines/seven-zip.ts'
import { overLimit } from '../../shared/decode.ts'
import type { ArchiveEntry } from '../../shared/zip/open-archive.ts'
import { unreadable } from '../limits.ts'

const STORED = 0
const DEFLATED = 8
const ZSTD = 93

const METHODS: Readonly<Record<number, string>> = {
  0: 'store',
  1: 'shrink',
  2: 'reduce',
  3: 'reduce',
  4: 'reduce',
  5: 'reduce',
  6: 'implode',
  8: 'deflate',
  9: 'deflate64',
  12: 'bzip2',
  14: 'lzma',
  93: 'zstd',
  95: 'xz',
  98: 'ppmd',
}

/** The name of a compression by its number in the directory. */
export const methodName = (method: number): string => METHODS[method] ?? `method ${method}`

const CHUNK_BYTES = 65_536

/** The content of an entry from its compressed bytes. */
export const unpackEntry = (
  packed: AsyncIterable<Buffer>,
  method: number,
  entry: ArchiveEntry,
  context: Context,
): AsyncIterable<Buffer> => {
  if (method === STORED) return packed
  if (method !== DEFLATED && method !== ZSTD) return unpackByProgram(packed, method, entry, context)
  const options = { chunkSize: CHUNK_BYTES }
  const unpacker = method === DEFLATED ? createInflateRaw(options) : createZstdDecompress(options)
  // What goes wrong comes to the reader of the last stream; where nobody reads any more it does not matter.
  return pipeline(Readable.from(packed), unpacker, () => {}) as AsyncIterable<Buffer>
}

/** Rare compressions: the entry becomes an archive of its own, so that its neighbours do not matter. */
async function* unpackByProgram(
  packed: AsyncIterable<Buffer>,
  method: number,
  { bytes, raw }: ArchiveEntry,
  context: Context,
): AsyncGenerator<Buffer> {
  const folder = mkdtempSync(join(context.scratch, 'entry-'))
  const path = join(folder, 'entry.zip')
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    let packedBytes = 0
    const facts = { method, crc32: raw.crc32, bytes }
    const put = (piece: Buffer) => {
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at)
    }
    put(Buffer.alloc(LOCAL_BYTES))
    for await (const piece of packed) {
      packedBytes += piece.length
      put(piece)
    }
    if (Math.max(packedBytes, bytes) > 0xfffffffe) throw overLimit('entryBytes', 0xfffffffe)
    put(writeDirectory({ ...facts, packedBytes }))
    writeSync(descriptor, writeLocalHeader({ ...facts, packedBytes }), 0, LOCAL_BYTES, 0)
    const { output, outcome } = streamContents({ path, kind: 'zip', password: '' }, context)
    yield* output
    if (outcome() === 'memory') throw overLimit('memory', SEVEN_ZIP_MEMORY_BYTES)
    if (outcome() !== 'done')
      throw unreadable('compression', 'An entry is damaged, or its compression is not supported.')
  } finally {
    closeSync(descriptor)
    rmSync(folder, { recursive: true, force: true })
  }
}

type Facts = { method: number; crc32: number; bytes: number; packedBytes: number }
const NAME = Buffer.from('entry')
const LOCAL_BYTES = 30 + NAME.length
const VERSION = 63

const writeFields = (header: Buffer, at: number, { method, crc32, bytes, packedBytes }: Facts): void => {
  header.writeUInt16LE(VERSION, at)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt32LE(crc32 >>> 0, at + 10)
  header.writeUInt32LE(packedBytes, at + 14)
  header.writeUInt32LE(bytes, at + 18)
  header.writeUInt16LE(NAME.length, at + 22)
}

const writeLocalHeader = (facts: Facts): Buffer => {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeFields(header, 4, facts)
  return Buffer.concat([header, NAME])
}

const writeDirectory = (facts: Facts): Buffer => {
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(VERSION, 4)
  writeFields(record, 6, facts)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(record.length + NAME.length, 12)
  end.writeUInt32LE(LOCAL_BYTES + facts.packedBytes, 16)
  return Buffer.concat([record, NAME, end])
}
