import { damaged, type PalmDatabase } from './palm-database.ts'

/** One entry of an index: its label and numbers by tag. */
export type IndexEntry = { label: string; tags: ReadonlyMap<number, readonly number[]> }

/** An index of a book, and the texts that its entries refer to by offset. */
export type IndexTable = { entries: IndexEntry[]; textAt(offset: number): string }

type Tag = { tag: number; perEntry: number; mask: number; isEnd: boolean }

const MAX_ENTRIES = 200_000
const MAX_RECORDS = 5_000
const MAX_VALUES = 1_000
const TEXT_RECORD_SPAN = 0x10000

/** Reads the index that begins in a record. */
export const readIndex = (file: PalmDatabase, record: number, encoding: string): IndexTable => {
  const main = file.read(record)
  if (main.toString('latin1', 0, 4) !== 'INDX' || main.length < 56) throw damaged('index')
  const recordCount = Math.min(main.readUInt32BE(24), MAX_RECORDS)
  const textCount = Math.min(main.readUInt32BE(52), MAX_RECORDS)
  const { tags, controlBytes } = readTags(main, main.readUInt32BE(4))
  const entries: IndexEntry[] = []
  for (let index = 1; index <= recordCount; index++) {
    const data = file.read(record + index)
    for (const entry of readEntries(data, tags, controlBytes, encoding)) {
      if (entries.length < MAX_ENTRIES) entries.push(entry)
    }
  }
  return {
    entries,
    textAt(offset) {
      const at = Math.floor(offset / TEXT_RECORD_SPAN)
      if (at >= textCount) return ''
      const texts = file.read(record + recordCount + 1 + at)
      const start = offset % TEXT_RECORD_SPAN
      if (start >= texts.length) return ''
      const { value, end } = forwardNumber(texts, start)
      return new TextDecoder(encoding).decode(texts.subarray(end, end + value)).trim()
    },
  }
}

const readTags = (main: Buffer, start: number): { tags: Tag[]; controlBytes: number } => {
  if (start + 12 > main.length || main.toString('latin1', start, start + 4) !== 'TAGX') throw damaged('index')
  const length = main.readUInt32BE(start + 4)
  const tags: Tag[] = []
  for (let at = start + 12; at + 4 <= Math.min(start + length, main.length) && tags.length < 256; at += 4) {
    const [tag = 0, perEntry = 0, mask = 0, end = 0] = main.subarray(at, at + 4)
    tags.push({ tag, perEntry, mask, isEnd: end === 1 })
  }
  return { tags, controlBytes: Math.min(main.readUInt32BE(start + 8), 16) }
}

function* readEntries(
  data: Buffer,
  tags: readonly Tag[],
  controlBytes: number,
  encoding: string,
): Generator<IndexEntry> {
  if (data.toString('latin1', 0, 4) !== 'INDX' || data.length < 28) throw damaged('index')
  const placesAt = data.readUInt32BE(20) + 4
  const count = data.readUInt32BE(24)
  const decoder = new TextDecoder(encoding)
  for (let index = 0; index < count && placesAt + index * 2 + 2 <= data.length; index++) {
    const start = data.readUInt16BE(placesAt + index * 2)
    if (start >= data.length) continue
    const labelBytes = data[start] as number
    const valuesAt = start + 1 + labelBytes
    const label = decoder.decode(data.subarray(start + 1, valuesAt))
    yield { label, tags: readValues(data, valuesAt, tags, controlBytes) }
  }
}

/** Which tags an entry has, and how many values of each, is told by bits of its control bytes. */
const readValues = (data: Buffer, start: number, tags: readonly Tag[], controlBytes: number): Map<number, number[]> => {
  const found = new Map<number, number[]>()
  const wanted: { tag: number; values: number; bytes: number }[] = []
  let control = 0
  let at = start + controlBytes
  for (const { tag, perEntry, mask, isEnd } of tags) {
    if (isEnd) {
      control++
      continue
    }
    const bits = (data[start + control] ?? 0) & mask
    if (bits === 0) continue
    if (bits === mask && countBits(mask) > 1) {
      const { value, end } = forwardNumber(data, at)
      at = end
      wanted.push({ tag, values: 0, bytes: value })
    } else wanted.push({ tag, values: (bits / lowestBit(mask)) * perEntry, bytes: 0 })
  }
  for (const { tag, values, bytes } of wanted) {
    const numbers: number[] = []
    const last = bytes > 0 ? at + bytes : Number.POSITIVE_INFINITY
    const most = bytes > 0 ? MAX_VALUES : Math.min(values, MAX_VALUES)
    while (numbers.length < most && at < last && at < data.length) {
      const { value, end } = forwardNumber(data, at)
      numbers.push(value)
      at = end
    }
    found.set(tag, numbers)
  }
  return found
}

const countBits = (mask: number): number => mask.toString(2).replaceAll('0', '').length
const lowestBit = (mask: number): number => mask & -mask

/** A number of seven bits a byte, whose last byte has the highest bit set. */
const forwardNumber = (bytes: Buffer, start: number): { value: number; end: number } => {
  let value = 0
  let at = start
  while (at < bytes.length && at < start + 5) {
    const byte = bytes[at++] as number
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) break
  }
  return { value, end: at }
}
