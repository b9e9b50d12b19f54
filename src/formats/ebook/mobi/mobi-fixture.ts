/** Builds small Mobipocket and Kindle books for tests. */

const u16 = (value: number): Buffer => Buffer.from([(value >>> 8) & 0xff, value & 0xff])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const NONE = 0xffffffff

/** A Palm database of these records. */
export const palmDatabase = (records: readonly Buffer[], kind = 'BOOKMOBI'): Buffer => {
  const header = Buffer.alloc(78)
  header.write('made-by-hand', 0, 'latin1')
  header.write(kind, 60, 'latin1')
  header.writeUInt16BE(records.length, 76)
  let offset = 78 + records.length * 8 + 2
  const list = records.map((record, index) => {
    const entry = Buffer.concat([u32(offset), u32(index * 2)])
    offset += record.length
    return entry
  })
  return Buffer.concat([header, ...list, Buffer.alloc(2), ...records])
}

export type HeaderFields = {
  compression?: number
  textBytes?: number
  textRecords?: number
  encryption?: number
  encoding?: number
  version?: number
  title?: string
  firstImage?: number
  huffRecord?: number
  huffCount?: number
  extraFlags?: number
  ncxIndex?: number
  flowTable?: number
  fragmentIndex?: number
  skeletonIndex?: number
  extended?: readonly (readonly [type: number, value: string | number])[]
}

const HEADER_LENGTH = 264

/** The first record of a book. */
export const mobiHeader = (fields: HeaderFields): Buffer => {
  const head = Buffer.alloc(16 + HEADER_LENGTH)
  head.writeUInt16BE(fields.compression ?? 1, 0)
  head.writeUInt32BE(fields.textBytes ?? 0, 4)
  head.writeUInt16BE(fields.textRecords ?? 1, 8)
  head.writeUInt16BE(4096, 10)
  head.writeUInt16BE(fields.encryption ?? 0, 12)
  head.write('MOBI', 16, 'latin1')
  head.writeUInt32BE(HEADER_LENGTH, 20)
  head.writeUInt32BE(2, 24)
  head.writeUInt32BE(fields.encoding ?? 65001, 28)
  head.writeUInt32BE(fields.version ?? 6, 36)
  head.writeUInt32BE(fields.firstImage ?? NONE, 108)
  head.writeUInt32BE(fields.huffRecord ?? 0, 112)
  head.writeUInt32BE(fields.huffCount ?? 0, 116)
  head.writeUInt32BE(fields.extended ? 0x40 : 0, 128)
  head.writeUInt32BE(fields.flowTable ?? NONE, 192)
  head.writeUInt16BE(fields.extraFlags ?? 0, 242)
  head.writeUInt32BE(fields.ncxIndex ?? NONE, 244)
  head.writeUInt32BE(fields.fragmentIndex ?? NONE, 248)
  head.writeUInt32BE(fields.skeletonIndex ?? NONE, 252)
  const extended = fields.extended ? extendedHeader(fields.extended) : Buffer.alloc(0)
  const title = Buffer.from(fields.title ?? 'Untitled')
  head.writeUInt32BE(head.length + extended.length, 84)
  head.writeUInt32BE(title.length, 88)
  return Buffer.concat([head, extended, title])
}

const extendedHeader = (list: NonNullable<HeaderFields['extended']>): Buffer => {
  const entries = list.map(([type, value]) => {
    const data = typeof value === 'number' ? u32(value) : Buffer.from(value)
    return Buffer.concat([u32(type), u32(data.length + 8), data])
  })
  const body = Buffer.concat(entries)
  return Buffer.concat([Buffer.from('EXTH'), u32(12 + body.length), u32(list.length), body])
}

/** Text packed by the method of Palm, with runs of what came before. */
export const packPalmdoc = (text: Buffer): Buffer => {
  const out: number[] = []
  for (let at = 0; at < text.length; ) {
    const [distance, length] = findRun(text, at)
    const byte = text[at] as number
    const next = text[at + 1] ?? 0
    if (length >= 3) {
      const pair = 0x8000 | (distance << 3) | (length - 3)
      out.push(pair >> 8, pair & 0xff)
      at += length
    } else if (byte === 0x20 && next >= 0x40 && next < 0x80) {
      out.push(next ^ 0x80)
      at += 2
    } else if (byte === 0 || (byte >= 9 && byte < 0x80)) {
      out.push(byte)
      at++
    } else {
      out.push(1, byte)
      at++
    }
  }
  return Buffer.from(out)
}

const findRun = (text: Buffer, at: number): [distance: number, length: number] => {
  for (let length = Math.min(10, text.length - at); length >= 3; length--) {
    const found = text.subarray(0, at).lastIndexOf(text.subarray(at, at + length))
    if (found >= 0 && at - found <= 2047) return [at - found, length]
  }
  return [0, 0]
}

/** A dictionary of phrases and codes for them: eight bits, and nine for those from 255 on. */
export const makeHuffRecords = (phrases: readonly { text: string | Buffer; isPlain: boolean }[]): Buffer[] => {
  const short = Array.from({ length: 256 }, (_, byte) => u32(byte === 0 ? 9 : (0xff << 8) | 0x80 | 8))
  const long = Array.from({ length: 32 }, (_, index) => {
    const bits = index + 1
    return Buffer.concat([u32(0), u32(bits === 9 ? 257 : 0)])
  })
  const huff = Buffer.concat([Buffer.from('HUFF'), u32(24), u32(24), u32(24 + 1024), u32(0), u32(0), ...short, ...long])
  const bodies = phrases.map(({ text, isPlain }) => {
    const bytes = Buffer.from(text as string)
    return Buffer.concat([u16(bytes.length | (isPlain ? 0x8000 : 0)), bytes])
  })
  let offset = phrases.length * 2
  const places = bodies.map((body) => {
    const place = u16(offset)
    offset += body.length
    return place
  })
  const cdic = Buffer.concat([Buffer.from('CDIC'), u32(16), u32(phrases.length), u32(16), ...places, ...bodies])
  return [huff, cdic]
}

/** The codes of these phrases, by their numbers. */
export const packPhrases = (numbers: readonly number[]): Buffer => {
  const bits = numbers.map((number) =>
    number < 255 ? (255 - number).toString(2).padStart(8, '0') : (257 - number).toString(2).padStart(9, '0'),
  )
  const all = bits.join('')
  const padded = all.padEnd(Math.ceil(all.length / 8) * 8, '1')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const variable = (value: number): Buffer => {
  const bytes = [(value & 0x7f) | 0x80]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(rest & 0x7f)
  return Buffer.from(bytes)
}

export type FixtureTag = { tag: number; perEntry: number; mask: number }
export type FixtureEntry = { label: string; values: Readonly<Record<number, readonly number[]>> }

/** The records of an index: its head, its entries, and its texts. */
export const indexRecords = (
  tags: readonly FixtureTag[],
  entries: readonly FixtureEntry[],
  texts?: Buffer,
): Buffer[] => {
  const table = [
    ...tags.map(({ tag, perEntry, mask }) => Buffer.from([tag, perEntry, mask, 0])),
    Buffer.from([0, 0, 0, 1]),
  ]
  const tagx = Buffer.concat([Buffer.from('TAGX'), u32(12 + table.length * 4), u32(1), ...table])
  const main = Buffer.alloc(192)
  main.write('INDX', 0, 'latin1')
  main.writeUInt32BE(192, 4)
  main.writeUInt32BE(1, 24)
  main.writeUInt32BE(65001, 28)
  main.writeUInt32BE(entries.length, 36)
  main.writeUInt32BE(texts ? 1 : 0, 52)
  const bodies = entries.map(({ label, values }) => {
    const text = Buffer.from(label)
    const used = tags.filter(({ tag }) => values[tag] !== undefined)
    const control = used.reduce((bits, { mask }) => bits | (mask & -mask), 0)
    const numbers = used.flatMap(({ tag }) => (values[tag] ?? []).map(variable))
    return Buffer.concat([Buffer.from([text.length]), text, Buffer.from([control]), ...numbers])
  })
  const head = Buffer.alloc(192)
  head.write('INDX', 0, 'latin1')
  head.writeUInt32BE(192, 4)
  let offset = 192
  const places = bodies.map((body) => {
    const place = u16(offset)
    offset += body.length
    return place
  })
  head.writeUInt32BE(offset, 20)
  head.writeUInt32BE(entries.length, 24)
  const data = Buffer.concat([head, ...bodies, Buffer.from('IDXT'), ...places])
  return [Buffer.concat([main, tagx]), data, ...(texts ? [texts] : [])]
}

/** Texts of an index, and the offset of each. */
export const indexTexts = (texts: readonly string[]): { record: Buffer; offsets: number[] } => {
  const offsets: number[] = []
  const pieces: Buffer[] = []
  let at = 0
  for (const text of texts) {
    const bytes = Buffer.from(text)
    const piece = Buffer.concat([variable(bytes.length), bytes])
    offsets.push(at)
    at += piece.length
    pieces.push(piece)
  }
  return { record: Buffer.concat(pieces), offsets }
}

export const NCX_TAGS: readonly FixtureTag[] = [
  { tag: 1, perEntry: 1, mask: 1 },
  { tag: 3, perEntry: 1, mask: 4 },
  { tag: 4, perEntry: 1, mask: 8 },
  { tag: 6, perEntry: 2, mask: 16 },
  { tag: 21, perEntry: 1, mask: 32 },
]
const SKELETON_TAGS: readonly FixtureTag[] = [
  { tag: 1, perEntry: 1, mask: 1 },
  { tag: 6, perEntry: 2, mask: 2 },
]
const FRAGMENT_TAGS: readonly FixtureTag[] = [
  { tag: 2, perEntry: 1, mask: 1 },
  { tag: 3, perEntry: 1, mask: 2 },
  { tag: 4, perEntry: 1, mask: 4 },
  { tag: 6, perEntry: 2, mask: 8 },
]

/** A file of a newer book: a skeleton and what is put into it, at the place of the mark. */
export type FixturePart = { skeleton: string; fragments: readonly string[] }
const MARK = '@'

/** The text of a newer book, and the tables that put it together. */
export const layOutParts = (
  parts: readonly FixturePart[],
): { text: Buffer; skeletons: Buffer[]; fragments: Buffer[] } => {
  const pieces: Buffer[] = []
  const skeletons: FixtureEntry[] = []
  const fragments: FixtureEntry[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    const place = Buffer.from(part.skeleton.slice(0, part.skeleton.indexOf(MARK))).length
    const skeleton = Buffer.from(part.skeleton.replace(MARK, ''))
    skeletons.push({
      label: `SKEL${String(index).padStart(10, '0')}`,
      values: { 1: [part.fragments.length], 6: [at, skeleton.length] },
    })
    pieces.push(skeleton)
    let insertAt = at + place
    at += skeleton.length
    for (const fragment of part.fragments) {
      const bytes = Buffer.from(fragment)
      fragments.push({
        label: String(insertAt).padStart(10, '0'),
        values: { 2: [0], 3: [index], 4: [fragments.length], 6: [0, bytes.length] },
      })
      pieces.push(bytes)
      insertAt += bytes.length
      at += bytes.length
    }
  }
  return {
    text: Buffer.concat(pieces),
    skeletons: indexRecords(SKELETON_TAGS, skeletons),
    fragments: indexRecords(FRAGMENT_TAGS, fragments),
  }
}

/** Texts are cut into records of 4 KiB. */
export const cutText = (text: Buffer): Buffer[] =>
  Array.from({ length: Math.max(1, Math.ceil(text.length / 4096)) }, (_, index) =>
    text.subarray(index * 4096, (index + 1) * 4096),
  )

/** A number as links of newer books write it. */
export const base32 = (value: number, digits: number): string => value.toString(32).toUpperCase().padStart(digits, '0')

/** The smallest picture that is one. */
export const PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
