import { type PdfDict, type PdfObjects, type PdfValue, toIsoDate, toName, toNumber, toText } from './objects.ts'
import { optional } from './optional.ts'
import { catalogOf, listPages, pageNumbersOf } from './page-tree.ts'

/** A field of a form, with what was filled in. */
export type FieldFacts = {
  name: string
  type: 'text' | 'checkbox' | 'radio' | 'button' | 'choice' | 'signature' | 'unknown'
  label?: string
  value?: string | readonly string[]
  defaultValue?: string | readonly string[]
  options?: readonly string[]
  pages?: readonly number[]
  readOnly?: true
  required?: true
}
/** A signature as it describes itself; nothing of it is verified. */
export type SignatureFacts = {
  field: string
  signer?: string
  date?: string
  reason?: string
  location?: string
  contact?: string
  format?: string
  /** Whether the signed bytes reach the end of the file. */
  coversWholeFile?: boolean
}
export type FormFacts = { fields: FieldFacts[]; signatures: SignatureFacts[]; isXfa: boolean; isCut: boolean }

const MAX_FIELDS = 10_000
const MAX_DEPTH = 50
const MAX_OPTIONS = 500
const MAX_CHARACTERS = 20_000
const FLAG_READ_ONLY = 1
const FLAG_REQUIRED = 2
const FLAG_PASSWORD = 1 << 13
const FLAG_RADIO = 1 << 15
const FLAG_PUSH_BUTTON = 1 << 16

type Inherited = {
  name: string
  type?: string
  flags: number
  value?: PdfValue
  defaultValue?: PdfValue
  label?: string
}

/** Fields and signatures of a file's form. */
export const readForm = (objects: PdfObjects, fileBytes: number): FormFacts => {
  const form = objects.dict(catalogOf(objects)['/AcroForm'])
  const found: FormFacts = { fields: [], signatures: [], isXfa: form['/XFA'] !== undefined, isCut: false }
  const pageOf = makePageFinder(objects)
  const open = new Set<PdfValue>()
  const walk = (reference: PdfValue, inherited: Inherited, depth: number): void => {
    if (depth > MAX_DEPTH || open.has(reference)) return
    if (found.fields.length >= MAX_FIELDS) {
      found.isCut = true
      return
    }
    const dict = objects.dict(reference)
    const own = inherit(objects, dict, inherited)
    const kids = objects.array(dict['/Kids'])
    const isNamed = (kid: PdfValue) => objects.dict(kid)['/T'] !== undefined
    if (kids.some(isNamed)) {
      open.add(reference)
      for (const kid of kids) walk(kid, own, depth + 1)
      open.delete(reference)
      return
    }
    const widgets = kids.length > 0 ? kids : [reference]
    const pages = [...new Set(widgets.flatMap((widget) => pageOf(widget) ?? []))].sort((a, b) => a - b)
    found.fields.push(describeField(objects, dict, own, pages))
    if (own.type === 'Sig' && own.value !== undefined) {
      found.signatures.push(describeSignature(objects, own.name, objects.dict(own.value), fileBytes))
    }
  }
  for (const field of objects.array(form['/Fields'])) walk(field, { name: '', flags: 0 }, 0)
  return found
}

const inherit = (objects: PdfObjects, dict: PdfDict, inherited: Inherited): Inherited => {
  const partial = toText(objects.resolve(dict['/T']))
  const name = [inherited.name, partial].filter((part) => part !== undefined && part !== '').join('.')
  const type = toName(objects.resolve(dict['/FT'])) ?? inherited.type
  const value = dict['/V'] ?? inherited.value
  const defaultValue = dict['/DV'] ?? inherited.defaultValue
  const label = toText(objects.resolve(dict['/TU'])) ?? inherited.label
  return {
    name,
    flags: toNumber(objects.resolve(dict['/Ff'])) ?? inherited.flags,
    ...optional('type', type),
    ...optional('value', value),
    ...optional('defaultValue', defaultValue),
    ...optional('label', label),
  }
}

const describeField = (objects: PdfObjects, dict: PdfDict, own: Inherited, pages: number[]): FieldFacts => {
  const type = kindOf(own)
  const isSecret = type === 'text' && (own.flags & FLAG_PASSWORD) !== 0
  const hasValue = type !== 'signature' && !isSecret
  const options = objects
    .array(dict['/Opt'])
    .slice(0, MAX_OPTIONS)
    // An option may be a pair of what is sent and what is shown.
    .flatMap((option) => toValue(objects, Array.isArray(option) ? (option[1] ?? null) : option) ?? [])
  return {
    name: own.name,
    type,
    ...optional('label', own.label),
    ...(hasValue ? optional('value', toValue(objects, own.value)) : {}),
    ...(hasValue ? optional('defaultValue', toValue(objects, own.defaultValue)) : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(pages.length > 0 ? { pages } : {}),
    ...((own.flags & FLAG_READ_ONLY) !== 0 ? { readOnly: true as const } : {}),
    ...((own.flags & FLAG_REQUIRED) !== 0 ? { required: true as const } : {}),
  }
}

const kindOf = ({ type, flags }: Inherited): FieldFacts['type'] => {
  if (type === 'Tx') return 'text'
  if (type === 'Ch') return 'choice'
  if (type === 'Sig') return 'signature'
  if (type !== 'Btn') return 'unknown'
  if ((flags & FLAG_PUSH_BUTTON) !== 0) return 'button'
  return (flags & FLAG_RADIO) !== 0 ? 'radio' : 'checkbox'
}

const toValue = (objects: PdfObjects, value: PdfValue | undefined): string | string[] | undefined => {
  const resolved = objects.resolve(value)
  if (Array.isArray(resolved)) return resolved.flatMap((member) => toValue(objects, member) ?? [])
  if (typeof resolved === 'number') return String(resolved)
  return (toText(resolved) ?? toName(resolved))?.slice(0, MAX_CHARACTERS)
}

const describeSignature = (
  objects: PdfObjects,
  field: string,
  signature: PdfDict,
  fileBytes: number,
): SignatureFacts => {
  const text = (key: string) => toText(objects.resolve(signature[key])) || undefined
  const ranges = objects.array(signature['/ByteRange']).map((number) => toNumber(objects.resolve(number)))
  const [, , start, length] = ranges
  return {
    field,
    ...optional('signer', text('/Name')),
    ...optional('date', toIsoDate(text('/M'))),
    ...optional('reason', text('/Reason')),
    ...optional('location', text('/Location')),
    ...optional('contact', text('/ContactInfo')),
    ...optional('format', toName(objects.resolve(signature['/SubFilter']))),
    ...(start !== undefined && length !== undefined
      ? { coversWholeFile: ranges.length === 4 && ranges[0] === 0 && start + length === fileBytes }
      : {}),
  }
}

/** A widget may name its page; if not, the page names the widget. */
const makePageFinder = (objects: PdfObjects): ((widget: PdfValue) => number | undefined) => {
  let byWidget: Map<PdfValue, number> | undefined
  return (widget) => {
    const named = objects.dict(widget)['/P']
    const number = typeof named === 'string' ? pageNumbersOf(objects).get(named) : undefined
    if (number !== undefined) return number
    byWidget ??= new Map(
      listPages(objects).flatMap(({ page }, index) =>
        objects.array(page['/Annots']).map((annotation) => [annotation, index + 1] as const),
      ),
    )
    return byWidget.get(widget)
  }
}
