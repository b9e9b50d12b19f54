import type { OfficeProperties } from '../ooxml/properties.ts'
import type { CompoundFile } from './compound-file.ts'

/** Dates as ISO 8601. */
type PropertyValue = string | number | boolean

const SUMMARY = '\u0005SummaryInformation'
const DOCUMENT_SUMMARY = '\u0005DocumentSummaryInformation'
const MAX_STREAM_BYTES = 1_048_576
const MAX_PROPERTIES = 2_000
const CODE_PAGE = 1
const DICTIONARY = 0
const [I2, I4, BOOL, TEXT, WIDE_TEXT, TIME, R8, UI4] = [2, 3, 11, 30, 31, 64, 5, 19]
/** 1601 to 1970, in steps of 100 ns. */
const EPOCH_TICKS = 116_444_736_000_000_000n
const TICKS_PER_MINUTE = 600_000_000n

type Section = { values: ReadonlyMap<number, PropertyValue>; names: ReadonlyMap<number, string> }

const CORE: Readonly<Record<number, string>> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'description',
  8: 'lastModifiedBy',
  9: 'revision',
  11: 'lastPrinted',
  12: 'created',
  13: 'modified',
}
const APPLICATION: Readonly<Record<number, string>> = {
  7: 'template',
  10: 'editingMinutes',
  14: 'pages',
  15: 'words',
  16: 'characters',
  18: 'application',
}
const DOCUMENT_CORE: Readonly<Record<number, string>> = { 2: 'category' }
const DOCUMENT_APPLICATION: Readonly<Record<number, string>> = {
  3: 'presentationFormat',
  5: 'lines',
  6: 'paragraphs',
  7: 'slides',
  8: 'notes',
  9: 'hiddenSlides',
  14: 'manager',
  15: 'company',
  17: 'charactersWithSpaces',
}

/** Reads both property sets that Office until 2003 wrote about a file; what is missing or broken is left out. */
export const readSummary = async (file: CompoundFile): Promise<OfficeProperties> => {
  const [summary] = await readSections(file, SUMMARY)
  const [document, custom] = await readSections(file, DOCUMENT_SUMMARY)
  return {
    core: toTexts({ ...pick(summary, CORE), ...pick(document, DOCUMENT_CORE) }),
    application: { ...pick(summary, APPLICATION), ...pick(document, DOCUMENT_APPLICATION) },
    custom: toTexts(
      Object.fromEntries(
        [...(custom?.names ?? [])].flatMap(([id, name]) => {
          const value = custom?.values.get(id)
          return value === undefined || name.startsWith('_') ? [] : [[name, value] as const]
        }),
      ),
    ),
  }
}

const toTexts = (values: Readonly<Record<string, PropertyValue>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

const pick = (
  section: Section | undefined,
  names: Readonly<Record<number, string>>,
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([id, name]) => {
      const value = section?.values.get(Number(id))
      const isCount = typeof value === 'number' && value >= 0
      return isCount || (typeof value === 'string' && value !== '') ? [[name, value] as const] : []
    }),
  )

const readSections = async (file: CompoundFile, name: string): Promise<Section[]> => {
  const bytes = file.open(name)?.read(0, MAX_STREAM_BYTES)
  if (!bytes || bytes.length < 28) return []
  const sections: Section[] = []
  const count = Math.min(2, bytes.readUInt32LE(24))
  for (let i = 0; i < count; i++) {
    const at = 28 + i * 20 + 16
    if (at + 4 > bytes.length) break
    sections.push(await readSection(bytes.subarray(Math.min(bytes.length, bytes.readUInt32LE(at)))))
  }
  return sections
}

const readSection = async (bytes: Buffer): Promise<Section> => {
  const places = new Map<number, number>()
  const count = bytes.length < 8 ? 0 : Math.min(MAX_PROPERTIES, bytes.readUInt32LE(4))
  for (let i = 0; i < count && 16 + i * 8 <= bytes.length; i++) {
    places.set(bytes.readUInt32LE(8 + i * 8), bytes.readUInt32LE(12 + i * 8))
  }
  const codePageAt = places.get(CODE_PAGE) ?? bytes.length
  const decode = await makeDecoder(codePageAt + 6 <= bytes.length ? bytes.readUInt16LE(codePageAt + 4) : 1252)
  const values = new Map<number, PropertyValue>()
  for (const [id, at] of places) {
    if (id === CODE_PAGE || id === DICTIONARY || at + 8 > bytes.length) continue
    const value = readValue(bytes.subarray(at), decode, id)
    if (value !== undefined) values.set(id, value)
  }
  const dictionaryAt = places.get(DICTIONARY)
  return { values, names: dictionaryAt === undefined ? new Map() : readNames(bytes.subarray(dictionaryAt), decode) }
}

type Decode = { text(bytes: Buffer): string; isWide: boolean }

const readValue = (bytes: Buffer, decode: Decode, id: number): PropertyValue | undefined => {
  const body = bytes.subarray(4)
  switch (bytes.readUInt16LE(0)) {
    case I2:
      return body.readInt16LE(0)
    case I4:
      return body.readInt32LE(0)
    case UI4:
      return body.readUInt32LE(0)
    case BOOL:
      return body.readUInt16LE(0) !== 0
    case R8:
      return body.length < 8 ? undefined : body.readDoubleLE(0)
    case TEXT:
      return trim(decode.text(body.subarray(4, 4 + body.readUInt32LE(0))))
    case WIDE_TEXT:
      return trim(body.toString('utf16le', 4, 4 + body.readUInt32LE(0) * 2))
    case TIME:
      return body.length < 8 ? undefined : readTime(body.readBigUInt64LE(0), id)
    default:
      return undefined
  }
}

const trim = (text: string): string => text.replace(/\0[\s\S]*$/, '').trim()

/** A point in time; the time spent on editing is kept in the same form. */
const readTime = (ticks: bigint, id: number): PropertyValue | undefined => {
  if (APPLICATION[id] === 'editingMinutes') return Number(ticks / TICKS_PER_MINUTE)
  if (ticks <= EPOCH_TICKS) return undefined
  const time = new Date(Number((ticks - EPOCH_TICKS) / 10_000n))
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z')
}

const readNames = (bytes: Buffer, decode: Decode): Map<number, string> => {
  const names = new Map<number, string>()
  const count = bytes.length < 4 ? 0 : Math.min(MAX_PROPERTIES, bytes.readUInt32LE(0))
  for (let i = 0, at = 4; i < count && at + 8 <= bytes.length; i++) {
    const id = bytes.readUInt32LE(at)
    const length = bytes.readUInt32LE(at + 4) * (decode.isWide ? 2 : 1)
    names.set(id, trim(decode.text(bytes.subarray(at + 8, at + 8 + length))))
    // Wide names are filled up to whole words.
    at += 8 + (decode.isWide ? Math.ceil(length / 4) * 4 : length)
  }
  return names
}

const makeDecoder = async (codePage: number): Promise<Decode> => {
  if (codePage === 1200) return { text: (bytes) => bytes.toString('utf16le'), isWide: true }
  const name = codePage === 65001 ? 'utf-8' : codePage === 10000 ? 'macintosh' : `cp${codePage}`
  const { default: iconv } = await import('iconv-lite')
  const known = iconv.encodingExists(name) ? name : 'cp1252'
  return { text: (bytes) => iconv.decode(bytes, known), isWide: false }
}
