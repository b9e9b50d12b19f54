import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../../core/catalog.ts'
import { overLimit } from '../../shared/decode.ts'
import type { OfficePackage } from '../../shared/ooxml/package.ts'
import { makePause } from '../../shared/read-chunks.ts'
import { readEntry } from '../entry-content.ts'
import { scanBytes } from '../scan-markup.ts'
import { MAX_CELL_CHARACTERS } from '../spool.ts'
import { decodeEscapes } from './escapes.ts'

/** Texts that cells refer to by number. */
export type SharedStrings = { readonly count: number; get(index: number): string | undefined; close(): void }

const BLOCK_BYTES = 1_048_576
const FIRST_BLOCK_BYTES = 16_384
/** What is over this lies on disk. */
const MAX_MEMORY_BYTES = 96 * BLOCK_BYTES
const MAX_STRINGS = 16_777_216
const MAX_REMEMBERED = 65_536
const MAX_REMEMBERED_CHARACTERS = 256

/** Reads the part of shared strings into bytes, not strings: a million of them are a small buffer. */
export const readSharedStrings = async (
  file: OfficePackage,
  part: string | undefined,
  context: Context,
): Promise<SharedStrings> => {
  const entry = part === undefined ? undefined : file.archive.find(part)
  if (!entry) return { count: 0, get: () => undefined, close: () => undefined }
  const store = createStore(join(context.scratch, 'strings.bin'))
  let text = ''
  let isText = false
  let phoneticDepth = 0
  const events = {
    open(name: string) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phoneticDepth++
      else if (name === 't') isText = phoneticDepth === 0
    },
    close(name: string) {
      if (name === 'si') store.add(decodeEscapes(text))
      else if (name === 'rPh') phoneticDepth--
      else if (name === 't') isText = false
    },
    text(piece: string) {
      if (isText && text.length <= MAX_CELL_CHARACTERS) text += piece
    },
  }
  const pause = makePause(context)
  try {
    await scanBytes(readEntry(file.archive, entry), events, pause)
  } catch (error) {
    store.close()
    throw error
  }
  return store
}

/** Small at first: most workbooks have few texts. */
const blockBytes = (index: number): number => Math.min(BLOCK_BYTES, FIRST_BLOCK_BYTES * 2 ** index)

/** Texts as UTF-8 in blocks, the first of them in memory and the rest in a file. */
const createStore = (file: string) => {
  const blocks: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  let storedBytes = 0
  let descriptor: number | undefined
  let spilledBytes = 0
  let [places, lengths] = [new Float64Array(1_024), new Uint32Array(1_024)]
  let count = 0
  const remembered: (string | undefined)[] = []

  const put = (bytes: Buffer): number => {
    if (storedBytes + bytes.length > MAX_MEMORY_BYTES) {
      descriptor ??= openSync(file, 'w+', 0o600)
      const at = spilledBytes
      spilledBytes += writeSync(descriptor, bytes, 0, bytes.length, at)
      // Below zero: in the file.
      return -1 - at
    }
    if (used + bytes.length > block.length) {
      block = Buffer.allocUnsafe(Math.max(blockBytes(blocks.length), bytes.length))
      blocks.push(block)
      used = 0
    }
    bytes.copy(block, used)
    const place = (blocks.length - 1) * 2 ** 32 + used
    used += bytes.length
    storedBytes += bytes.length
    return place
  }

  return {
    get count() {
      return count
    },
    add(text: string): void {
      if (count >= MAX_STRINGS) throw overLimit('sharedStrings', MAX_STRINGS)
      if (count === places.length) {
        const [morePlaces, moreLengths] = [new Float64Array(count * 2), new Uint32Array(count * 2)]
        morePlaces.set(places)
        moreLengths.set(lengths)
        ;[places, lengths] = [morePlaces, moreLengths]
      }
      const bytes = Buffer.from(text)
      places[count] = put(bytes)
      lengths[count] = bytes.length
      count++
    },
    get(index: number): string | undefined {
      if (!(index >= 0 && index < count)) return undefined
      const known = remembered[index]
      if (known !== undefined) return known
      const place = places[index] as number
      const length = lengths[index] as number
      let text: string
      if (place >= 0) {
        const at = place % 2 ** 32
        text = (blocks[Math.floor(place / 2 ** 32)] as Buffer).toString('utf8', at, at + length)
      } else {
        const bytes = Buffer.allocUnsafe(length)
        readSync(descriptor as number, bytes, 0, length, -1 - place)
        text = bytes.toString('utf8')
      }
      if (index < MAX_REMEMBERED && length <= MAX_REMEMBERED_CHARACTERS) remembered[index] = text
      return text
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}
