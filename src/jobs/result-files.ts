import { pipeline, Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { createInflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { BlobMissing, type Blobs, type ByteRange } from '../storage/blobs.ts'

/** One file inside a result. */
export type ResultFile = {
  bytes: number
  /** Lies there as it is, so that any part of it can be read. */
  isStored: boolean
  /** Where it lies: no two files of a result have the same place. */
  place: number
  /** Undefined when the result is gone. A range is only for files that are stored. */
  open(range?: ByteRange): Promise<Readable | undefined>
}

type Entry = { headerAt: number; bytes: number; packedBytes: number; isStored: boolean; dataAt?: number }
type Directory = ReadonlyMap<string, Entry>

const MAX_DIRECTORIES = 32
const MAX_ENTRIES = 100_000
const WINDOW_BYTES = 262_144
const LOCAL_HEADER_BYTES = 30
const STORED = 0

/**
 * Opens single files of results where they lie, without unpacking the rest. The directories of the results looked into
 * last are kept: who looks at one file of a result is about to look at the next. Answers `lost` when the result is
 * gone, undefined when it holds no file of that name.
 */
export const createResultReader = (blobs: Blobs) => {
  const directories = keepDirectories((key, zipBytes) => readDirectory(blobs, key, zipBytes))
  return async (key: string, zipBytes: number, path: string): Promise<ResultFile | 'lost' | undefined> => {
    const directory = await directories(key, zipBytes)
    if (!directory) return 'lost'
    const entry = directory.get(path)
    if (!entry) return undefined
    const { bytes, isStored, headerAt } = entry
    return { bytes, isStored, place: headerAt, open: (range) => openEntry(blobs, key, entry, range) }
  }
}
export type ResultReader = ReturnType<typeof createResultReader>

/** A result never changes under its key, so what was read of it stays true; only room limits how long it is kept. */
const keepDirectories = (read: (key: string, zipBytes: number) => Promise<Directory | undefined>) => {
  const kept = new Map<string, { directory: Promise<Directory | undefined>; entries: number }>()
  const trim = () => {
    let entries = kept.values().reduce((sum, one) => sum + one.entries, 0)
    for (const [key, one] of kept) {
      if (kept.size <= MAX_DIRECTORIES && entries <= MAX_ENTRIES) return
      kept.delete(key)
      entries -= one.entries
    }
  }
  return (key: string, zipBytes: number): Promise<Directory | undefined> => {
    const known = kept.get(key)
    const one = known ?? { directory: read(key, zipBytes), entries: 0 }
    // The one used last is the last to go.
    kept.delete(key)
    kept.set(key, one)
    if (known) return known.directory
    const forget = () => {
      if (kept.get(key) === one) kept.delete(key)
    }
    one.directory.then((directory) => {
      if (!directory) return forget()
      one.entries = directory.size
      trim()
    }, forget)
    trim()
    return one.directory
  }
}

const readDirectory = async (blobs: Blobs, key: string, zipBytes: number): Promise<Directory | undefined> => {
  try {
    const zip = await fromRandomAccessReaderPromise(createReader(blobs, key, zipBytes), zipBytes, { autoClose: false })
    const directory = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      directory.set(entry.fileName, {
        headerAt: entry.relativeOffsetOfLocalHeader,
        bytes: entry.uncompressedSize,
        packedBytes: entry.compressedSize,
        isStored: entry.compressionMethod === STORED,
      })
    }
    return directory
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}

/** Reads through a window: the library asks for a few bytes at a time, and each look into a bucket costs a request. */
const createReader = (blobs: Blobs, key: string, zipBytes: number): RandomAccessReader => {
  let window: { startsAt: number; bytes: Buffer } = { startsAt: 0, bytes: Buffer.alloc(0) }
  const holds = (position: number, length: number) =>
    position >= window.startsAt && position + length <= window.startsAt + window.bytes.length
  const fetchWindow = async (position: number, length: number) => {
    const startsAt = Math.max(0, Math.min(position, zipBytes - WINDOW_BYTES))
    const end = Math.min(zipBytes, Math.max(startsAt + WINDOW_BYTES, position + length)) - 1
    window = { startsAt, bytes: await readRange(blobs, key, { start: startsAt, end }) }
  }
  class Reader extends RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void {
      const fetched = holds(position, length) ? undefined : fetchWindow(position, length)
      const answer = () => {
        const at = position - window.startsAt
        callback(null, window.bytes.copy(buffer, offset, at, at + length))
      }
      if (fetched) fetched.then(answer, callback)
      else answer()
    }
    override close(callback: (error: Error | null) => void): void {
      callback(null)
    }
  }
  return new Reader()
}

const readRange = async (blobs: Blobs, key: string, range: ByteRange): Promise<Buffer> => {
  const stream = await blobs.open(key, range)
  if (!stream) throw new BlobMissing(key)
  return readAll(stream)
}

const openEntry = async (
  blobs: Blobs,
  key: string,
  entry: Entry,
  range: ByteRange | undefined,
): Promise<Readable | undefined> => {
  if (entry.bytes === 0) return Readable.from([])
  if (range && !entry.isStored) throw new Error('a compressed file has no ranges')
  const dataAt = await findData(blobs, key, entry)
  if (dataAt === undefined) return undefined
  const { start, end } = range ?? { start: 0, end: entry.packedBytes - 1 }
  const packed = await blobs.open(key, { start: dataAt + start, end: dataAt + end })
  if (!packed || entry.isStored) return packed
  // What goes wrong comes to whoever reads the last stream.
  return pipeline(packed, createInflateRaw(), () => undefined)
}

/** Behind a header whose length only the header itself tells. */
const findData = async (blobs: Blobs, key: string, entry: Entry): Promise<number | undefined> => {
  if (entry.dataAt !== undefined) return entry.dataAt
  const { headerAt } = entry
  const stream = await blobs.open(key, { start: headerAt, end: headerAt + LOCAL_HEADER_BYTES - 1 })
  if (!stream) return undefined
  const header = await readAll(stream)
  entry.dataAt = headerAt + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  return entry.dataAt
}
