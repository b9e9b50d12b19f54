import {
  isDict,
  type PdfDict,
  type PdfObjects,
  type PdfValue,
  toBytes,
  toIsoDate,
  toName,
  toNumber,
  toText,
} from './objects.ts'
import { optional } from './optional.ts'
import { catalogOf, listPages, listTree } from './page-tree.ts'

/** A file inside the file. */
export type EmbeddedFile = {
  /** As the document calls it; not safe as a path. */
  name: string
  /** Its stream, as `4 0 R`. */
  stream: string
  description?: string
  /** What it is to the document: `Data`, `Source`, … */
  relationship?: string
  mediaType?: string
  created?: string
  modified?: string
  /** As it is stated, in hexadecimal MD5. */
  checksum?: string
  /** As it is stated. */
  bytes?: number
  /** The page where an annotation shows it. */
  page?: number
}

const MAX_FILES = 1_000
const MD5_BYTES = 16
const FILE_KEYS = ['/UF', '/F', '/Unix', '/DOS', '/Mac'] as const

/** The files that a document carries, from its list and its annotations; each stream once. */
export const listEmbeddedFiles = (objects: PdfObjects): { files: EmbeddedFile[]; isCut: boolean } => {
  const files = new Map<string, EmbeddedFile>()
  let isCut = false
  const add = (key: string | undefined, specification: PdfValue | undefined, page?: number): void => {
    const file = describeFile(objects, objects.dict(specification), key)
    if (!file || files.has(file.stream)) return
    if (files.size >= MAX_FILES) isCut = true
    else files.set(file.stream, { ...file, ...optional('page', page) })
  }
  const catalog = catalogOf(objects)
  for (const [key, value] of listTree(
    objects,
    objects.dict(catalog['/Names'])['/EmbeddedFiles'],
    '/Names',
    MAX_FILES,
  )) {
    add(toText(key), value)
  }
  for (const file of objects.array(catalog['/AF'])) add(undefined, file)
  for (const [index, { page }] of listPages(objects).entries()) {
    for (const reference of objects.array(page['/Annots'])) {
      const annotation = objects.resolve(reference)
      if (!isDict(annotation) || annotation['/FS'] === undefined) continue
      add(toText(objects.resolve(annotation['/Contents'])), annotation['/FS'], index + 1)
    }
  }
  return { files: [...files.values()], isCut }
}

const describeFile = (
  objects: PdfObjects,
  specification: PdfDict,
  key: string | undefined,
): EmbeddedFile | undefined => {
  const embedded = objects.dict(specification['/EF'])
  const stream = FILE_KEYS.map((name) => embedded[name]).find((value) => objects.isStream(value))
  if (typeof stream !== 'string') return undefined
  const dict = objects.dict(stream)
  const parameters = objects.dict(dict['/Params'])
  const text = (value: PdfValue | undefined) => toText(objects.resolve(value)) || undefined
  const checksum = toBytes(objects.resolve(parameters['/CheckSum']))
  const names = FILE_KEYS.flatMap((name) => text(specification[name]) ?? [])
  return {
    name: names[0] ?? key ?? 'attachment',
    stream,
    ...optional('description', text(specification['/Desc'])),
    ...optional('relationship', toName(objects.resolve(specification['/AFRelationship']))),
    ...optional('mediaType', toMediaType(toName(objects.resolve(dict['/Subtype'])))),
    ...optional('created', toIsoDate(text(parameters['/CreationDate']))),
    ...optional('modified', toIsoDate(text(parameters['/ModDate']))),
    ...optional('checksum', checksum?.length === MD5_BYTES ? checksum.toString('hex') : undefined),
    ...optional('bytes', toNumber(objects.resolve(parameters['/Size']))),
  }
}

const toMediaType = (name: string | undefined): string | undefined =>
  name && /^[\w.+-]+\/[\w.+-]+$/.test(name) ? name.toLowerCase() : undefined
