import { closeSync, fstatSync, openSync } from 'node:fs'
import { JobFailure } from '../../../core/errors.ts'
import { readAt } from '../read-at.ts'

/** A stream of a compound file; a place past its end gives fewer bytes than asked for. */
export type CompoundStream = { readonly bytes: number; read(at: number, length: number): Buffer }

/** A file system in a file, as Office wrote until 2003. */
export type CompoundFile = {
  /** Paths of all streams and storages, as `Macros/VBA/dir`. */
  readonly names: readonly string[]
  /** Whether there is a stream or storage with this path; case does not count, as in all that is done with paths. */
  has(name: string): boolean
  open(name: string): CompoundStream | undefined
  close(): void
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const MINI_SECTOR_BYTES = 64
const MINI_STREAM_CUTOFF = 4_096
/** Numbers from here on are no sectors: the end of a chain, and unused. */
const LAST_SECTOR = 0xfffffff9
const NO_ENTRY = 0xffffffff
const MAX_ENTRIES = 65_536
const [STORAGE, STREAM, ROOT] = [1, 2, 5]

type Entry = { name: string; type: number; left: number; right: number; child: number; start: number; bytes: number }

/** Whether a file begins like a compound file. */
export const isCompoundFile = (head: Uint8Array): boolean => SIGNATURE.equals(head.subarray(0, SIGNATURE.length))

/** Opens a compound file. The caller closes it. Streams are read piece by piece; what is broken ends early. */
export const openCompoundFile = (path: string): CompoundFile => {
  const descriptor = openSync(path, 'r')
  try {
    return readStructure(descriptor)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

const readStructure = (descriptor: number): CompoundFile => {
  const fileBytes = fstatSync(descriptor).size
  const header = readAt(descriptor, 0, HEADER_BYTES)
  const shift = header.length === HEADER_BYTES && isCompoundFile(header) ? header.readUInt16LE(30) : 0
  if (shift !== 9 && shift !== 12) throw new JobFailure('extract.source_unreadable')
  const sectorBytes = 2 ** shift
  const sectorCount = Math.ceil(fileBytes / sectorBytes)
  const readSector = (sector: number) => readAt(descriptor, (sector + 1) * sectorBytes, sectorBytes)
  const table = readTable(header, readSector, sectorBytes, sectorCount)
  const chainOf = (start: number, next: Uint32Array, most: number): number[] => {
    const chain: number[] = []
    for (let sector = start; sector <= LAST_SECTOR && chain.length < most; sector = next[sector] ?? NO_ENTRY) {
      chain.push(sector)
    }
    return chain
  }
  const openChain = (start: number, bytes: number): CompoundStream => {
    const most = Math.min(sectorCount, Math.ceil(bytes / sectorBytes))
    const chain = chainOf(start, table, most)
    return readBySector(chain, bytes, sectorBytes, (sector, at, length) =>
      readAt(descriptor, (sector + 1) * sectorBytes + at, length),
    )
  }
  const entries = readEntries(openChain(header.readUInt32LE(48), MAX_ENTRIES * ENTRY_BYTES))
  const root = entries[0]
  if (root?.type !== ROOT) throw new JobFailure('extract.source_unreadable')
  const miniStream = openChain(root.start, root.bytes)
  const miniTable = toNumbers(openChain(header.readUInt32LE(60), sectorCount * sectorBytes).read(0, root.bytes))
  const openMini = (start: number, bytes: number): CompoundStream => {
    const chain = chainOf(start, miniTable, Math.ceil(bytes / MINI_SECTOR_BYTES))
    return readBySector(chain, bytes, MINI_SECTOR_BYTES, (sector, at, length) =>
      miniStream.read(sector * MINI_SECTOR_BYTES + at, length),
    )
  }
  const byPath = listPaths(entries)
  return {
    names: [...byPath.values()].map(({ path }) => path),
    has: (name) => byPath.has(name.toLowerCase()),
    open(name) {
      const entry = byPath.get(name.toLowerCase())
      if (entry?.type !== STREAM) return undefined
      const bytes = Math.min(entry.bytes, fileBytes)
      return bytes < MINI_STREAM_CUTOFF ? openMini(entry.start, bytes) : openChain(entry.start, bytes)
    },
    close: () => closeSync(descriptor),
  }
}

/** The table that leads from each sector of a stream to the next. */
const readTable = (
  header: Buffer,
  readSector: (sector: number) => Buffer,
  sectorBytes: number,
  sectorCount: number,
): Uint32Array => {
  const places = [...toNumbers(header.subarray(76))]
  const perSector = sectorBytes / 4
  const most = Math.ceil(sectorCount / perSector)
  for (let sector = header.readUInt32LE(68); sector <= LAST_SECTOR && places.length < most; ) {
    const numbers = toNumbers(readSector(sector))
    if (numbers.length < perSector) break
    places.push(...numbers.subarray(0, -1))
    sector = numbers.at(-1) ?? NO_ENTRY
  }
  const table = new Uint32Array(Math.min(places.length, most) * perSector).fill(NO_ENTRY)
  for (const [index, place] of places.slice(0, most).entries()) {
    if (place <= LAST_SECTOR && place < sectorCount) table.set(toNumbers(readSector(place)), index * perSector)
  }
  return table
}

const readEntries = (directory: CompoundStream): Entry[] => {
  const entries: Entry[] = []
  for (let at = 0; entries.length < MAX_ENTRIES; at += ENTRY_BYTES) {
    const bytes = directory.read(at, ENTRY_BYTES)
    if (bytes.length < ENTRY_BYTES) break
    const nameBytes = Math.max(0, Math.min(64, bytes.readUInt16LE(64)) - 2)
    entries.push({
      name: bytes.toString('utf16le', 0, nameBytes),
      type: bytes[66] ?? 0,
      left: bytes.readUInt32LE(68),
      right: bytes.readUInt32LE(72),
      child: bytes.readUInt32LE(76),
      start: bytes.readUInt32LE(116),
      bytes: bytes.readUInt32LE(120),
    })
  }
  return entries
}

/** Names each entry by the storages it is in; each is visited once, whatever the links between them say. */
const listPaths = (entries: readonly Entry[]): Map<string, Entry & { path: string }> => {
  const paths = new Map<string, Entry & { path: string }>()
  const visited = new Set<number>()
  const open: [index: number, folder: string][] = [[entries[0]?.child ?? NO_ENTRY, '']]
  for (let next = open.pop(); next; next = open.pop()) {
    const [index, folder] = next
    const entry = entries[index]
    if (!entry || visited.has(index)) continue
    visited.add(index)
    const path = folder + entry.name
    const key = path.toLowerCase()
    if (!paths.has(key)) paths.set(key, { ...entry, path })
    open.push([entry.left, folder], [entry.right, folder])
    // Names of storages add up: deep ones, which no program writes, are not followed.
    if (entry.type === STORAGE && path.length < 1_000) open.push([entry.child, `${path}/`])
  }
  return paths
}

const readBySector = (
  chain: readonly number[],
  bytes: number,
  sectorBytes: number,
  readPart: (sector: number, at: number, length: number) => Buffer,
): CompoundStream => {
  const held = Math.min(bytes, chain.length * sectorBytes)
  return {
    bytes: held,
    read(at, length) {
      const end = Math.min(held, at + length)
      const parts: Buffer[] = []
      for (let from = at; from < end; ) {
        const within = from % sectorBytes
        const part = readPart(
          chain[Math.floor(from / sectorBytes)] as number,
          within,
          Math.min(sectorBytes - within, end - from),
        )
        if (part.length === 0) break
        parts.push(part)
        from += part.length
      }
      return Buffer.concat(parts)
    },
  }
}

const toNumbers = (bytes: Buffer): Uint32Array => {
  const numbers = new Uint32Array(Math.floor(bytes.length / 4))
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readUInt32LE(i * 4)
  return numbers
}
