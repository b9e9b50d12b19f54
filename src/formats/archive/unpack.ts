import { createReadStream, type ReadStream } from 'node:fs'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { Context } from '../../core/catalog.ts'
import { SEVEN_ZIP_MEMORY_BYTES, unpackStream } from '../../engines/seven-zip.ts'
import { overLimit } from '../shared/decode.ts'
import { refuseBomb, unreadable } from './limits.ts'
import type { ArchiveFile } from './member.ts'

/** Compressions that hold one stream of bytes. */
export type Compression = 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'lzma' | 'compress'

const CHUNK_BYTES = 131_072

/** The unpacked bytes of a file that is compressed as a whole; fails at its end where that is damaged. */
export async function* unpack(
  file: ArchiveFile,
  compression: Compression,
  context: Context,
  onProgress?: (share: number) => void,
): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const { chunk, packedBytes } of unpackers[compression](file, context)) {
    unpacked += chunk.length
    refuseBomb(unpacked, packedBytes)
    context.signal.throwIfAborted()
    onProgress?.(packedBytes / Math.max(1, file.bytes))
    yield chunk
  }
}

/** A piece, and how much of the file was needed to make all pieces so far. */
type Piece = { chunk: Buffer; packedBytes: number }

async function* unpackGzip({ path }: ArchiveFile): AsyncGenerator<Piece> {
  const input = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  let hasOutput = false
  try {
    for await (const chunk of connect(input, gunzip)) {
      hasOutput = true
      yield { chunk, packedBytes: input.bytesRead }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Something was appended that is no further member; other readers pass over it too.
    if (hasOutput && message === 'incorrect header check') return
    throw code?.startsWith('Z_') ? damaged(error) : error
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

/** Frames may follow each other; the library stops at the end of each. */
const MAX_FRAMES = 20_000

async function* unpackZstd({ path, bytes }: ArchiveFile): AsyncGenerator<Piece> {
  let at = 0
  for (let frames = 0; at < bytes; frames++) {
    if (frames >= MAX_FRAMES) throw overLimit('archiveFrames', MAX_FRAMES)
    const input = createReadStream(path, { start: at, highWaterMark: CHUNK_BYTES })
    const unzstd = createZstdDecompress({ chunkSize: CHUNK_BYTES })
    try {
      for await (const chunk of connect(input, unzstd)) yield { chunk, packedBytes: at + input.bytesRead }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (/too much memory/i.test(message)) throw overLimit('memory', 128 * 1024 ** 2)
      // As with gzip: what is appended and no frame is passed over.
      if (frames > 0 && /unknown frame|prefix/i.test(message)) return
      throw code?.startsWith('Z') ? damaged(error) : error
    } finally {
      input.destroy()
      unzstd.destroy()
    }
    if (unzstd.bytesWritten === 0) return
    at += unzstd.bytesWritten
  }
}

const PROGRAM_KINDS = { bzip2: 'bzip2', xz: 'xz', lzma: 'lzma', compress: 'z' } as const

const unpackByProgram = (compression: keyof typeof PROGRAM_KINDS) =>
  async function* ({ path }: ArchiveFile, context: Context): AsyncGenerator<Piece> {
    const input = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    const { output, outcome } = unpackStream(PROGRAM_KINDS[compression], input, context)
    try {
      for await (const chunk of output) yield { chunk, packedBytes: input.bytesRead }
    } finally {
      input.destroy()
    }
    if (outcome() === 'memory') throw overLimit('memory', SEVEN_ZIP_MEMORY_BYTES)
    if (outcome() !== 'done') throw damaged()
  }

const unpackers: Record<Compression, (file: ArchiveFile, context: Context) => AsyncGenerator<Piece>> = {
  gzip: unpackGzip,
  zstd: unpackZstd,
  bzip2: unpackByProgram('bzip2'),
  xz: unpackByProgram('xz'),
  lzma: unpackByProgram('lzma'),
  compress: unpackByProgram('compress'),
}

/** One into the other, with the errors of both coming to the reader. */
const connect = (input: ReadStream, unpacker: NodeJS.ReadWriteStream & { destroy(error?: Error): unknown }) => {
  input.on('error', (error) => unpacker.destroy(error))
  return input.pipe(unpacker) as unknown as AsyncIterable<Buffer>
}

const damaged = (cause?: unknown) => unreadable('compression', 'The compressed data is damaged or cut off.', cause)
