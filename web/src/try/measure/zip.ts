import { asArray, openBytes } from './bytes.ts'
import { collect, inflate } from './inflate.ts'

type Entry = { name: string; method: number; packedBytes: number; headerAt: number; isEncrypted: boolean }

/** A ZIP of which only the list of its parts was read. */
export type Zip = {
  names: ReadonlySet<string>
  /** A part as it unpacks; throws where there is none, or it is too large. */
  open(name: string, maximumBytes: number): AsyncIterable<Uint8Array>
  readText(name: string, maximumBytes?: number): Promise<string>
}

const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const ENTRY_BYTES = 46
const HEADER_MARK = 0x04034b50
const HEADER_BYTES = 30
const MAX_DIRECTORY_BYTES = 16 * 1_048_576
const MAX_TEXT_BYTES = 16 * 1_048_576
const STORED = 0
const DEFLATED = 8

/** Reads the list of parts at the end of a ZIP; undefined where it is none, or of the kind over 4 GB. */
export const openZip = async (file: Blob, signal?: AbortSignal): Promise<Zip | undefined> => {
  const bytes = openBytes(file, signal)
  const tailAt = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES)
  const tail = await bytes.read(tailAt, file.size - tailAt)
  const endAt = findEnd(tail)
  if (endAt === undefined) return undefined
  const directoryBytes = tail.getUint32(endAt + 12, true)
  const directoryAt = tail.getUint32(endAt + 16, true)
  // Where something was put before the archive, or its numbers are in another place, others know better.
  if (directoryAt + directoryBytes !== tailAt + endAt || directoryBytes > MAX_DIRECTORY_BYTES) return undefined
  const entries = listEntries(await bytes.read(directoryAt, directoryBytes))
  const open = async function* (name: string, maximumBytes: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name)
    if (!entry || entry.isEncrypted) throw new Error(`no part ${name} to be read`)
    const header = await bytes.read(entry.headerAt, HEADER_BYTES)
    if (header.getUint32(0, true) !== HEADER_MARK) throw new Error(`part ${name} is not where the list says`)
    const at = entry.headerAt + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true)
    const packed = file.slice(at, at + entry.packedBytes)
    if (entry.method === DEFLATED) yield* inflate(packed, 'deflate-raw', maximumBytes)
    else if (entry.method === STORED && packed.size <= maximumBytes) yield new Uint8Array(await packed.arrayBuffer())
    else throw new Error(`part ${name} is packed in a way not read here`)
  }
  return {
    names: new Set(entries.keys()),
    open,
    readText: async (name, maximumBytes = MAX_TEXT_BYTES) =>
      new TextDecoder().decode(await collect(open(name, maximumBytes))),
  }
}

const findEnd = (tail: DataView): number | undefined => {
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) === END_MARK) return at
  }
  return undefined
}

const listEntries = (directory: DataView): Map<string, Entry> => {
  const entries = new Map<string, Entry>()
  const decoder = new TextDecoder()
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== ENTRY_MARK) throw new Error('the list of parts is damaged')
    const nameBytes = directory.getUint16(at + 28, true)
    const name = decoder.decode(asArray(directory).subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes))
    if (entries.has(name)) throw new Error(`part ${name} is there twice`)
    entries.set(name, {
      name,
      method: directory.getUint16(at + 10, true),
      packedBytes: directory.getUint32(at + 20, true),
      headerAt: directory.getUint32(at + 42, true),
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
    })
    at += ENTRY_BYTES + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
  }
  return entries
}
