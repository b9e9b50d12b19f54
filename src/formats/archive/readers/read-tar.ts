import type { ByteSource } from '../byte-source.ts'
import { unreadable } from '../limits.ts'
import type { MemberKind } from '../member.ts'
import { BLOCK_BYTES, isBlank, kindOf, parseHeader, parsePax, type TarHeader } from './tar-header.ts'
import { fillHoles, readContentMap, readGnuMap, readPaxMap, type SparseMap } from './tar-sparse.ts'

/** One entry of a tar archive. Its content can be read until the next entry is asked for. */
export type TarEntry = {
  name: Buffer
  kind: MemberKind
  /** Of the content, with its holes. */
  bytes: number
  /** As it lies in the archive. */
  storedBytes: number
  mode: number
  modifiedSeconds: number
  linkName: Buffer
  owner: string
  group: string
  content(): AsyncIterable<Buffer>
}

/** Names and extended headers are held in memory; a longer one is no name. */
const MAX_EXTENSION_BYTES = 1_048_576

type Extensions = { pax: Map<string, Buffer>; longName?: Buffer; longLink?: Buffer }

/**
 * The entries of a tar archive of any dialect, as they come. Where a header is damaged the search goes on at the next
 * good one, and `onDamage` hears of it once. Fails where the archive is cut off, and where it is none.
 */
export async function* readTar(source: ByteSource, onDamage: () => void): AsyncGenerator<TarEntry> {
  const global = new Map<string, Buffer>()
  let next: Extensions = { pax: new Map() }
  let isFirst = true
  let isDamaged = false
  for (;;) {
    const block = await source.read(BLOCK_BYTES)
    if (block.length === 0 || (block.length === BLOCK_BYTES && isBlank(block))) return
    const header = parseHeader(block)
    if (!header) {
      if (isFirst) throw unreadable('not-tar', 'The file is not a tar archive.')
      if (!isDamaged) onDamage()
      isDamaged = true
      continue
    }
    isFirst = false
    if (isExtension(header.type)) {
      const bytes = await readExtension(header, source)
      if (!bytes) onDamage()
      else if (header.type === 'g') for (const [name, value] of parsePax(bytes)) global.set(name, value)
      else next = addExtension(next, header.type, bytes)
      continue
    }
    const known = next
    next = { pax: new Map() }
    yield* openEntry(describe(header, global, known), block, known.pax, source)
  }
}

const isExtension = (type: string): boolean => 'xgLK'.includes(type)

const addExtension = (next: Extensions, type: string, bytes: Buffer): Extensions => {
  if (type === 'x') return { ...next, pax: parsePax(bytes) }
  const end = bytes.indexOf(0)
  const text = end < 0 ? bytes : bytes.subarray(0, end)
  return type === 'L' ? { ...next, longName: text } : { ...next, longLink: text }
}

const readExtension = async ({ bytes }: TarHeader, source: ByteSource): Promise<Buffer | undefined> => {
  if (bytes > MAX_EXTENSION_BYTES) {
    await source.skip(bytes + padding(bytes))
    return undefined
  }
  const content = Buffer.from(await source.read(bytes))
  await source.skip(padding(bytes))
  return content
}

const padding = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES

/** The header with what came before it laid over it. */
const describe = (header: TarHeader, global: ReadonlyMap<string, Buffer>, { pax, longName, longLink }: Extensions) => {
  const find = (name: string) => pax.get(name) ?? global.get(name)
  const findNumber = (name: string) => {
    const value = Number(find(name)?.toString('latin1') || Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const bytes = findNumber('size')
  return {
    ...header,
    name: find('GNU.sparse.name') ?? find('path') ?? longName ?? header.name,
    linkName: find('linkpath') ?? longLink ?? header.linkName,
    bytes: bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : header.bytes,
    modifiedSeconds: findNumber('mtime') ?? header.modifiedSeconds,
    owner: find('uname')?.toString('utf8') ?? header.owner,
    group: find('gname')?.toString('utf8') ?? header.group,
    // Links have no content but in archives of the newest dialect.
    hasContent: kindOf(header.type) === 'file' || (header.type === '1' && pax.size > 0) || header.type === 'D',
  }
}

async function* openEntry(
  header: ReturnType<typeof describe>,
  block: Buffer,
  pax: ReadonlyMap<string, Buffer>,
  source: ByteSource,
): AsyncGenerator<TarEntry> {
  const storedBytes = header.hasContent ? header.bytes : 0
  let left = storedBytes
  let map: SparseMap | undefined
  if (header.type === 'S') map = await readGnuMap(block, source)
  else if (pax.get('GNU.sparse.major')?.toString('latin1') === '1') {
    const realBytes = Number(pax.get('GNU.sparse.realsize')?.toString('latin1') ?? Number.NaN)
    const found = await readContentMap(source, realBytes, left)
    map = found.map
    left = Math.max(0, left - found.usedBytes)
  } else if (pax.has('GNU.sparse.size') || pax.has('GNU.sparse.map')) map = readPaxMap(pax)
  const end = padding(storedBytes)
  async function* stored(): AsyncGenerator<Buffer> {
    for await (const piece of source.pieces(left)) {
      left -= piece.length
      yield piece
    }
  }
  const isFolder = header.type === '0' && header.name.at(-1) === 0x2f
  yield {
    name: header.name,
    kind: isFolder ? 'folder' : kindOf(header.type),
    bytes: kindOf(header.type) === 'file' ? (map?.realBytes ?? storedBytes) : 0,
    storedBytes,
    mode: header.mode,
    modifiedSeconds: header.modifiedSeconds,
    linkName: header.linkName,
    owner: header.owner,
    group: header.group,
    content: () => (map ? fillHoles(stored(), map) : stored()),
  }
  await source.skip(left + end)
}
