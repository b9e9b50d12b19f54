import { asArray, type Bytes, readLatin1 } from './bytes.ts'
import { collect, inflate } from './inflate.ts'
import { createParser, isDict, isReference, type PdfDict, type PdfValue } from './pdf-syntax.ts'
import { undoPredictor } from './png-predictor.ts'

/** Where an object lies: at a place of the file, or as one of several in a compressed stream. */
type Place = { at: number } | { stream: number; index: number }

export type PdfObjects = {
  trailer: PdfDict
  /** The value itself, or the object that it refers to; throws where that is not there. */
  resolve(value: PdfValue | undefined): Promise<PdfValue>
}

const TAIL_BYTES = 2_048
const OBJECT_BYTES = 65_536
const MAX_OBJECT_BYTES = 4 * 1_048_576
const MAX_STREAM_BYTES = 64 * 1_048_576
const MAX_SECTIONS = 500
const MAX_STEPS = 20

/** Opens a PDF by the table at its end; throws where the file needs to be repaired first, or is encrypted inside. */
export const openPdf = async (bytes: Bytes): Promise<PdfObjects> => {
  const places = new Map<number, Place>()
  const streams = new Map<number, Promise<PdfValue[]>>()
  let trailer: PdfDict | undefined
  const waiting = [await findTable(bytes)]
  const seen = new Set<number>()
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (seen.size > MAX_SECTIONS) throw new Error('too many tables')
    const dict = await readTable(bytes, at, places)
    trailer ??= dict
    for (const key of ['/XRefStm', '/Prev']) {
      const next = dict.entries.get(key)
      if (typeof next === 'number') waiting.push(next)
    }
  }
  if (!trailer) throw new Error('no trailer')
  const isEncrypted = trailer.entries.has('/Encrypt')

  const readObject = async (number: number): Promise<PdfValue> => {
    const place = places.get(number)
    if (!place) throw new Error(`object ${number} is not there`)
    if ('at' in place) return (await readAt(bytes, place.at, number)).value
    if (isEncrypted) throw new Error('the streams are encrypted')
    const held = streams.get(place.stream) ?? unpack(place.stream)
    streams.set(place.stream, held)
    return (await held)[place.index] ?? null
  }
  const unpack = async (number: number): Promise<PdfValue[]> => {
    const place = places.get(number)
    if (!place || !('at' in place)) throw new Error(`stream ${number} is not there`)
    const { value, end } = await readAt(bytes, place.at, number)
    if (!isDict(value)) throw new Error(`object ${number} is no stream`)
    const [count, first] = await Promise.all(['/N', '/First'].map((key) => resolve(value.entries.get(key))))
    if (typeof count !== 'number' || typeof first !== 'number') throw new Error(`stream ${number} holds no objects`)
    const length = await resolve(value.entries.get('/Length'))
    const content = toText(await readStream(bytes, value, end, length))
    const head = createParser(content)
    const starts = Array.from({ length: count }, () => {
      head.readValue()
      return Number(head.readValue())
    })
    return starts.map((start) => createParser(content, first + start).readValue())
  }
  const resolve = async (value: PdfValue | undefined): Promise<PdfValue> => {
    let found = value ?? null
    for (let step = 0; isReference(found); step++) {
      if (step > MAX_STEPS) throw new Error('references lead in a circle')
      found = await readObject(found.reference)
    }
    return found
  }
  return { trailer, resolve }
}

const toText = (bytes: Uint8Array): string => readLatin1(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))

const findTable = async (bytes: Bytes): Promise<number> => {
  const length = Math.min(bytes.size, TAIL_BYTES)
  const tail = readLatin1(await bytes.read(bytes.size - length, length))
  const found = /startxref\s+(\d+)\s*(?!.*startxref)/s.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))))
  if (!found) throw new Error('no table at the end')
  return Number(found[1])
}

/** The object that begins at a place; what it is about may be longer than a first look. */
const readAt = async (bytes: Bytes, at: number, number?: number): Promise<{ value: PdfValue; end: number }> => {
  for (let length = OBJECT_BYTES; ; length *= 8) {
    const present = Math.min(length, bytes.size - at)
    const text = readLatin1(await bytes.read(at, present))
    const head = /^\s*(\d+)\s+\d+\s+obj/.exec(text)
    if (!head || (number !== undefined && Number(head[1]) !== number)) throw new Error(`no object at ${at}`)
    try {
      const parser = createParser(text, head[0].length)
      const value = parser.readValue()
      const end = parser.take('stream') ? parser.at : -1
      return { value, end: end < 0 ? -1 : at + end }
    } catch (error) {
      if (present < length || length > MAX_OBJECT_BYTES) throw error
    }
  }
}

const readStream = async (
  bytes: Bytes,
  dict: PdfDict,
  markEnd: number,
  length: PdfValue,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (markEnd < 0 || typeof length !== 'number' || length > MAX_STREAM_BYTES) throw new Error('no stream')
  const lineEnd = readLatin1(await bytes.read(markEnd, 2))
  const start = markEnd + (lineEnd === '\r\n' ? 2 : 1)
  const packed = asArray(await bytes.read(start, length)).slice()
  const filters = [dict.entries.get('/Filter') ?? []].flat()
  if (filters.length === 0) return packed
  if (filters.length > 1 || filters[0] !== '/FlateDecode') throw new Error('packed in a way not read here')
  const plain = await collect(inflate(new Blob([packed]), 'deflate', MAX_STREAM_BYTES))
  const [parameters] = [dict.entries.get('/DecodeParms') ?? null].flat()
  const read = (key: string, usual: number): number => {
    const value = isDict(parameters) ? parameters.entries.get(key) : undefined
    return typeof value === 'number' ? value : usual
  }
  const predictor = read('/Predictor', 1)
  if (predictor === 1) return plain
  if (predictor < 10) throw new Error('packed in a way not read here')
  return undoPredictor(plain, read('/Columns', 1), (read('/Colors', 1) * read('/BitsPerComponent', 8)) / 8)
}

/** Adds the places of a table that no newer one told, and gives its trailer. */
const readTable = async (bytes: Bytes, at: number, places: Map<number, Place>): Promise<PdfDict> => {
  const add = (number: number, place: Place) => {
    if (!places.has(number)) places.set(number, place)
  }
  const start = readLatin1(await bytes.read(at, Math.min(64, bytes.size - at)))
  if (!/^\s*xref/.test(start)) return await readTableStream(bytes, at, add)
  let cursor = at + start.indexOf('xref') + 4
  for (;;) {
    const line = readLatin1(await bytes.read(cursor, Math.min(64, bytes.size - cursor)))
    const section = /^\s*(\d+)[ \t]+(\d+)\s*?(?:\r\n|\n|\r)/.exec(line)
    if (!section) break
    cursor += section[0].length
    const [first, count] = [Number(section[1]), Number(section[2])]
    const rows = readLatin1(await bytes.read(cursor, count * 20))
    for (let row = 0; row < count; row++) {
      const entry = /^(\d{10}) \d{5} ([nf])/.exec(rows.slice(row * 20, row * 20 + 20))
      if (!entry) throw new Error('a table of another shape')
      if (entry[2] === 'n') add(first + row, { at: Number(entry[1]) })
    }
    cursor += count * 20
  }
  const text = readLatin1(await bytes.read(cursor, Math.min(OBJECT_BYTES, bytes.size - cursor)))
  const parser = createParser(text)
  if (!parser.take('trailer')) throw new Error('a table without a trailer')
  const dict = parser.readValue()
  if (!isDict(dict)) throw new Error('a table without a trailer')
  return dict
}

const readTableStream = async (
  bytes: Bytes,
  at: number,
  add: (number: number, place: Place) => void,
): Promise<PdfDict> => {
  const { value: dict, end } = await readAt(bytes, at)
  if (!isDict(dict) || dict.entries.get('/Type') !== '/XRef') throw new Error(`no table at ${at}`)
  const content = await readStream(bytes, dict, end, dict.entries.get('/Length') ?? null)
  const widths = dict.entries.get('/W')
  const size = dict.entries.get('/Size')
  if (!Array.isArray(widths) || widths.length !== 3 || typeof size !== 'number')
    throw new Error('a table without widths')
  const [typeBytes, secondBytes, thirdBytes] = widths.map(Number) as [number, number, number]
  const sections = (dict.entries.get('/Index') as number[] | undefined) ?? [0, size]
  let cursor = 0
  const take = (length: number): number => {
    let number = 0
    for (const end = cursor + length; cursor < end; cursor++) number = number * 256 + (content[cursor] ?? 0)
    return number
  }
  for (let section = 0; section + 1 < sections.length; section += 2) {
    const [first, count] = [Number(sections[section]), Number(sections[section + 1])]
    for (let row = 0; row < count && cursor < content.length; row++) {
      const type = typeBytes === 0 ? 1 : take(typeBytes)
      const [second, third] = [take(secondBytes), take(thirdBytes)]
      if (type === 1) add(first + row, { at: second })
      if (type === 2) add(first + row, { stream: second, index: third })
    }
  }
  return dict
}
