import type { Context } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { dumpObjects, type QpdfOutcome } from '../../engines/qpdf.ts'

/** A value as qpdf's JSON writes it: names as `/Name`, references as `4 0 R`, strings as `u:text` or `b:hex`. */
export type PdfValue = null | boolean | number | string | readonly PdfValue[] | PdfDict
export type PdfDict = { readonly [key: string]: PdfValue | undefined }

/** The objects of a file, parsed when they are asked for. */
export type PdfObjects = {
  /** `partial` or worse where not all of them are here. */
  readonly outcome: QpdfOutcome
  /** As the header or the catalog says: `1.7`. */
  readonly version: string
  readonly trailer: PdfDict
  /** What qpdf says about the encryption, by its own names; `R` is 0 where there is none. */
  readonly encryption: Readonly<Record<string, string | number | boolean | null>>
  /** Follows a reference to the value it stands for; of a stream, to its dictionary. */
  resolve(value: PdfValue | undefined): PdfValue
  /** The same, where a dictionary is expected; empty where it is none. */
  dict(value: PdfValue | undefined): PdfDict
  array(value: PdfValue | undefined): readonly PdfValue[]
  isStream(reference: PdfValue | undefined): boolean
  /** Those whose JSON holds one of these texts, with their references. */
  find(...texts: readonly string[]): Iterable<[reference: string, value: PdfValue]>
}

/** What is kept of a file's objects, as text. */
const MAX_KEPT_CHARACTERS = 64 * 1_048_576
const REFERENCE = /^\d+ \d+ R$/
const MAX_REFERENCE_CHAIN = 10

/** Reads the objects of a file once for all who ask. */
export const readObjects = (file: PdfFile, context: Context): Promise<PdfObjects> => {
  const found = known.get(file) ?? loadObjects(file, context)
  known.set(file, found)
  return found
}
const known = new WeakMap<PdfFile, Promise<PdfObjects>>()

const loadObjects = async (file: PdfFile, context: Context): Promise<PdfObjects> => {
  const bodies = new Map<string, string>()
  const parsed = new Map<string, PdfObject>()
  const facts: Record<string, string | number | boolean | null> = {}
  let keptCharacters = 0
  let isFull = false
  const outcome = await dumpObjects(file, context, (name, body) => {
    if (name !== 'trailer' && !name.startsWith('obj:')) {
      const [scalar] = /^(?:true|false|null|-?\d+|"[^"\\]*")/.exec(body) ?? []
      if (scalar !== undefined) facts[name] = JSON.parse(scalar)
      return
    }
    if (isBulky(body)) return
    keptCharacters += body.length
    if (keptCharacters > MAX_KEPT_CHARACTERS) isFull = true
    else bodies.set(name === 'trailer' ? name : name.slice('obj:'.length), body)
  })

  const get = (reference: string): PdfObject | undefined => {
    const body = bodies.get(reference)
    const object = parsed.get(reference) ?? (body === undefined ? undefined : parseObject(body))
    if (object) parsed.set(reference, object)
    return object
  }
  const resolve = (value: PdfValue | undefined): PdfValue => {
    let current = value ?? null
    for (let step = 0; step < MAX_REFERENCE_CHAIN; step++) {
      if (typeof current !== 'string' || !REFERENCE.test(current)) return current
      const object = get(current)
      current = object ? object.value : null
    }
    return null
  }
  const trailer = get('trailer')?.value ?? null
  return {
    outcome: outcome === 'done' && isFull ? 'partial' : outcome,
    version: typeof facts.pdfversion === 'string' ? facts.pdfversion : '',
    trailer: isDict(trailer) ? trailer : {},
    encryption: facts,
    resolve,
    dict: (value) => {
      const resolved = resolve(value)
      return isDict(resolved) ? resolved : {}
    },
    array: (value) => {
      const resolved = resolve(value)
      return Array.isArray(resolved) ? resolved : []
    },
    isStream: (reference) => typeof reference === 'string' && get(reference)?.isStream === true,
    *find(...texts) {
      for (const [reference, body] of bodies) {
        if (reference === 'trailer' || !texts.some((text) => body.includes(text))) continue
        const object = get(reference)
        if (object) yield [reference, object.value]
      }
    },
  }
}

type PdfObject = { value: PdfValue; isStream: boolean }

/** Elements of the structure tree are most of a tagged file, and nobody looks for them here. */
const isBulky = (body: string): boolean => body.includes('"/Type": "/StructElem"') || isUntypedElement(body)
const isUntypedElement = (body: string): boolean =>
  body.includes('"/Pg": "') && body.includes('"/S": "/') && body.includes('"/P": "') && body.includes('"/K": ')

const MEMBER_END = '\n      }'

const parseObject = (body: string): PdfObject => {
  const text = body.slice(0, body.indexOf(MEMBER_END) + MEMBER_END.length)
  for (const json of [() => text, () => mendNumbers(text)]) {
    try {
      const { value, stream } = JSON.parse(json()) as { value?: PdfValue; stream?: { dict: PdfDict } }
      return stream ? { value: stream.dict, isStream: true } : { value: value ?? null, isStream: false }
    } catch {
      // Written as no JSON knows it, or cut short where a limit ended the reading.
    }
  }
  return { value: null, isStream: false }
}

/** Numbers stand as they do in the file: `-0.`, `+.5`, `007`. Each has a line of its own. */
const mendNumbers = (text: string): string =>
  text.replace(
    /^(\s*(?:"(?:[^"\\]|\\.)*": )?)([+-]*)0*(\d*)\.?(\d*)(,?)$/gm,
    (line, start: string, sign: string, whole: string, part: string, comma: string) =>
      /\d/.test(line.slice(start.length))
        ? `${start}${sign.includes('-') ? '-' : ''}${whole || '0'}.${part || '0'}${comma}`
        : line,
  )

export const isDict = (value: PdfValue | undefined): value is PdfDict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text string as people read it; undefined for anything else. */
export const toText = (value: PdfValue | undefined): string | undefined => {
  if (typeof value !== 'string') return undefined
  if (value.startsWith('u:')) return value.slice(2)
  if (!value.startsWith('b:')) return undefined
  const bytes = Buffer.from(value.slice(2), 'hex')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? bytes.toString('latin1') : text
}

/** A string as the bytes that it was in the file; undefined for anything else. */
export const toBytes = (value: PdfValue | undefined): Buffer | undefined => {
  if (typeof value !== 'string') return undefined
  if (value.startsWith('b:')) return Buffer.from(value.slice(2), 'hex')
  if (!value.startsWith('u:')) return undefined
  const codes = Array.from(value.slice(2), (character) => PDF_DOC_CODES.get(character) ?? character.charCodeAt(0))
  if (codes.every((code) => code < 256)) return Buffer.from(codes)
  return Buffer.from(`\ufeff${value.slice(2)}`, 'utf16le').swap16()
}

/** Where the encoding of PDF is not that of Latin 1. */
const PDF_DOC_CODES: ReadonlyMap<string, number> = new Map([
  ...Array.from('˘ˇˆ˙˝˛˚˜', (character, i) => [character, 0x18 + i] as const),
  ...Array.from('•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž', (character, i) => [character, 0x80 + i] as const),
  ['€', 0xa0],
])

/** A name without its slash; undefined for anything else. */
export const toName = (value: PdfValue | undefined): string | undefined => {
  if (typeof value !== 'string') return undefined
  if (value.startsWith('/')) return value.slice(1)
  return value.startsWith('n:/') ? value.slice(3) : undefined
}

export const toNumber = (value: PdfValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** `D:20240131120000+02'00'` as `2024-01-31T12:00:00+02:00`, as far as it goes; undefined for what is no date. */
export const toIsoDate = (text: string | undefined): string | undefined => {
  const match = DATE.exec(text?.trim() ?? '')
  if (!match) return undefined
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour,
    minute = '00',
    second = '00',
    sign,
    zoneHour = '00',
    zoneMinute = '00',
  ] = match
  const date = `${year}-${month}-${day}`
  if (Number.isNaN(Date.parse(`${date}T${hour ?? '00'}:${minute}:${second}Z`))) return undefined
  if (hour === undefined) return date
  const zone = sign === undefined ? '' : sign === 'Z' ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`
  return `${date}T${hour}:${minute}:${second}${zone}`
}
const DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z|[+-])(?:(\d\d)'?(\d\d)?'?)?)?/
