import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import type { Entry, RandomAccessReader, ZipFile } from 'yauzl'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../decode.ts'
import { readAt } from '../read-at.ts'

/** What an archive may unfold to before it is refused. */
export type ArchiveLimits = {
  entries: number
  /** Sum of what the entries say they unpack to. */
  totalBytes: number
  /** Unpacked bytes per byte of the file, looked at only where much is unpacked. */
  ratio: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = { entries: 65_536, totalBytes: 8 * 1024 ** 3, ratio: 250 }
const RATIO_MATTERS_FROM_BYTES = 64 * 1024 ** 2

/** One entry as the directory of the archive describes it. */
export type ArchiveEntry = {
  /** With `/` between folders; as it stands in the archive, so not to be used as a path before `isSafe` was looked at. */
  readonly name: string
  /** Stays below the folder it would be unpacked to. */
  readonly isSafe: boolean
  readonly isFolder: boolean
  /** A symbolic link or another thing that is no file. */
  readonly isSpecial: boolean
  readonly isEncrypted: boolean
  readonly bytes: number
  readonly compressedBytes: number
  readonly modifiedAt: Date
  /** The record of the directory as it stands there. */
  readonly raw: Entry
}

export type Archive = {
  readonly entries: readonly ArchiveEntry[]
  /** What was written about the archive as a whole, in an encoding that nobody noted. */
  readonly comment: Buffer
  /** The last entry of that name, ignoring case. */
  find(name: string): ArchiveEntry | undefined
  /** Content of a small entry; fails where it has more bytes than `maximumBytes` or than it says. */
  read(entry: ArchiveEntry, maximumBytes: number): Promise<Buffer>
  /** Content of an entry of any size; fails as soon as more comes than it says. */
  stream(entry: ArchiveEntry): AsyncIterable<Buffer>
  /** Content of an entry as it lies in the archive: compressed, encrypted. */
  packed(entry: ArchiveEntry): AsyncIterable<Buffer>
  close(): void
}

/** Opens a ZIP archive that may lie: the directory is checked as a whole before anything is unpacked. */
export const openArchive = async (path: string, limits: ArchiveLimits = ARCHIVE_LIMITS): Promise<Archive> => {
  const descriptor = openSync(path, 'r')
  try {
    return await readDirectory(descriptor, limits)
  } catch (error) {
    closeSync(descriptor)
    throw toFailure(error)
  }
}

const readDirectory = async (descriptor: number, limits: ArchiveLimits): Promise<Archive> => {
  const yauzl = await import('yauzl')
  const tail = readTail(descriptor)
  const reader = createReader(yauzl.RandomAccessReader, descriptor, tail)
  // Names are decoded here: a listing by the library ends at the first name that it finds unsafe.
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, tail.endOfArchive, {
    decodeStrings: false,
    validateEntrySizes: false,
    autoClose: false,
    lazyEntries: true,
  })
  if (zip.entryCount > limits.entries) throw overLimit('archiveEntries', limits.entries)
  const entries: ArchiveEntry[] = []
  const byName = new Map<string, ArchiveEntry>()
  let totalBytes = 0
  for await (const raw of zip.eachEntry()) {
    const entry = describe(yauzl.getFileNameLowLevel, raw)
    totalBytes += entry.bytes
    if (totalBytes > limits.totalBytes) throw overLimit('archiveBytes', limits.totalBytes)
    entries.push(entry)
    byName.set(entry.name.toLowerCase(), entry)
  }
  if (totalBytes > RATIO_MATTERS_FROM_BYTES && totalBytes > limits.ratio * tail.endOfArchive) {
    throw overLimit('archiveRatio', limits.ratio)
  }
  refuseOverlaps(entries.map(({ raw }) => raw))
  return serve(descriptor, zip, entries, byName)
}

const serve = (
  descriptor: number,
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  byName: ReadonlyMap<string, ArchiveEntry>,
): Archive => {
  const readableRaw = ({ raw, isEncrypted }: ArchiveEntry): Entry => {
    if (isEncrypted) throw new JobFailure('extract.source_encrypted')
    if (raw.compressionMethod !== STORED && raw.compressionMethod !== DEFLATED) {
      throw damaged('compression', 'The archive uses a compression that is not supported.')
    }
    return raw
  }
  return {
    entries,
    // Bytes, because strings are not decoded.
    comment: Buffer.from(zip.comment as unknown as Buffer),
    find: (name) => byName.get(name.toLowerCase()),
    async read(entry, maximumBytes) {
      const raw = readableRaw(entry)
      if (Math.max(entry.bytes, entry.compressedBytes) > maximumBytes) throw overLimit('entryBytes', maximumBytes)
      try {
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(raw, { minimal: true })
        const packed = readWhole(descriptor, fileDataStart, entry.compressedBytes)
        return raw.compressionMethod === STORED ? checkSize(packed, entry) : inflate(packed, entry)
      } catch (error) {
        throw toFailure(error)
      }
    },
    async *stream(entry) {
      const raw = readableRaw(entry)
      let bytes = 0
      try {
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(raw, { minimal: true })
        const packed = Readable.from(readPieces(descriptor, fileDataStart, entry.compressedBytes))
        // What goes wrong comes to the reader of the last stream; where nobody reads any more it does not matter.
        const unpacked =
          raw.compressionMethod === STORED
            ? packed
            : pipeline(packed, createInflateRaw({ chunkSize: 65_536 }), () => {})
        for await (const chunk of unpacked as AsyncIterable<Buffer>) {
          bytes += chunk.length
          if (bytes > entry.bytes) throw lyingSize()
          yield chunk
        }
      } catch (error) {
        throw toFailure(error)
      }
      if (bytes !== entry.bytes) throw lyingSize()
    },
    async *packed(entry) {
      try {
        const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry.raw, { minimal: true })
        yield* readPieces(descriptor, fileDataStart, entry.compressedBytes)
      } catch (error) {
        throw toFailure(error)
      }
    },
    close: () => closeSync(descriptor),
  }
}

const STORED = 0
const DEFLATED = 8

const inflate = (packed: Buffer, entry: ArchiveEntry): Buffer => {
  if (entry.bytes === 0) return Buffer.alloc(0)
  try {
    // One byte more than it says is enough to see the lie.
    return checkSize(
      inflateRawSync(packed, { chunkSize: Math.max(64, entry.bytes + 1), maxOutputLength: entry.bytes + 1 }),
      entry,
    )
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? lyingSize() : error
  }
}

const checkSize = (content: Buffer, entry: ArchiveEntry): Buffer => {
  if (content.length !== entry.bytes) throw lyingSize()
  return content
}

const describe = (decodeName: (flags: number, name: Buffer, fields: never, strict: boolean) => string, raw: Entry) => {
  const name = decodeName(raw.generalPurposeBitFlag, raw.fileNameRaw, raw.extraFields as never, false)
  const unixType = (raw.externalFileAttributes >>> 16) & 0o170000
  return {
    raw,
    name,
    isSafe: isSafeName(name),
    isFolder: name.endsWith('/'),
    isSpecial: madeOnUnix(raw) && unixType !== 0 && unixType !== 0o100000 && unixType !== 0o040000,
    isEncrypted: (raw.generalPurposeBitFlag & 1) === 1,
    bytes: raw.uncompressedSize,
    compressedBytes: raw.compressedSize,
    get modifiedAt() {
      return raw.getLastModDate()
    },
  }
}

const madeOnUnix = (raw: Entry): boolean => [3, 19].includes(raw.versionMadeBy >>> 8)

const isSafeName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  name !== '' && !/^(?:\/|[A-Za-z]:)|[\u0000-\u001f\\]/.test(name) && !name.split('/').includes('..')

/** Entries that share bytes let a small file unfold to anything: no tool writes them in good faith. */
const refuseOverlaps = (entries: readonly Entry[]): void => {
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('overlap', 'Entries of the archive overlap.')
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.fileNameRaw.length + entry.compressedSize
  }
}
const LOCAL_HEADER_BYTES = 30

type Tail = { bytes: Buffer; startsAt: number; endOfArchive: number }
const END_RECORD_BYTES = 22
const END_RECORD_SIGNATURE = Buffer.from([0x50, 0x4b, 0x05, 0x06])
/** Holds the end record with the longest comment. */
const TAIL_BYTES = 66_000
const MAX_DIRECTORY_BYTES = 64 * 1024 ** 2

/** Finds where the archive ends, which is before the end of the file where something was appended to it. */
const readTail = (descriptor: number): Tail => {
  const size = fstatSync(descriptor).size
  const startsAt = Math.max(0, size - TAIL_BYTES)
  const bytes = readWhole(descriptor, startsAt, size - startsAt)
  for (let at = bytes.lastIndexOf(END_RECORD_SIGNATURE); at >= 0; at = findBefore(bytes, at)) {
    if (at + END_RECORD_BYTES > bytes.length) continue
    const end = at + END_RECORD_BYTES + bytes.readUInt16LE(at + 20)
    if (end > bytes.length) continue
    return withDirectory(descriptor, { bytes, startsAt, endOfArchive: startsAt + end }, bytes.readUInt32LE(at + 16))
  }
  throw damaged('not-zip', 'The file is not a ZIP archive, or its end is missing.')
}

const findBefore = (bytes: Buffer, at: number): number =>
  at > 0 ? bytes.lastIndexOf(END_RECORD_SIGNATURE, at - 1) : -1

/** The tail from the beginning of the directory on, where that is not absurdly long. */
const withDirectory = (descriptor: number, tail: Tail, directoryAt: number): Tail => {
  const missing = tail.startsAt - directoryAt
  if (missing <= 0 || missing > MAX_DIRECTORY_BYTES) return tail
  const bytes = Buffer.concat([readWhole(descriptor, directoryAt, missing), tail.bytes])
  return { ...tail, bytes, startsAt: directoryAt }
}

/** Serves the directory from memory: the library asks for it in pieces of a few bytes. */
const createReader = (Base: typeof RandomAccessReader, descriptor: number, tail: Tail): RandomAccessReader => {
  class Reader extends Base {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void {
      try {
        const at = position - tail.startsAt
        const bytesRead =
          at >= 0
            ? tail.bytes.copy(buffer, offset, at, at + length)
            : readSync(descriptor, buffer, offset, length, position)
        callback(null, bytesRead)
      } catch (error) {
        callback(error as Error)
      }
    }
    override close(callback: (error: Error | null) => void): void {
      callback(null)
    }
  }
  return new Reader()
}

/** Reads a part that must be there whole. */
const readWhole = (descriptor: number, position: number, length: number): Buffer => {
  const bytes = readAt(descriptor, position, length)
  if (bytes.length < length) throw damaged('truncated', 'The archive is cut off.')
  return bytes
}

function* readPieces(descriptor: number, position: number, length: number): Generator<Buffer> {
  for (let done = 0; done < length; done += PIECE_BYTES) {
    yield readWhole(descriptor, position + done, Math.min(PIECE_BYTES, length - done))
  }
}
const PIECE_BYTES = 131_072

const damaged = (reason: string, detail: string, cause?: unknown): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail, cause })
const lyingSize = (): JobFailure => damaged('entry-size', 'An entry of the archive is not as large as it says.')

const toFailure = (error: unknown): unknown => {
  if (error instanceof JobFailure) return error
  const { code, message = '' } = error as NodeJS.ErrnoException
  // What the system refuses (no such file, too many open) is no fault of the archive.
  if (code && !code.startsWith('Z_')) return error
  if (/encrypt/i.test(message)) return new JobFailure('extract.source_encrypted')
  return damaged('archive', 'The archive is damaged.', error)
}
