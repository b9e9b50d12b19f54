import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { type PdfFile, readMakers } from '../../engines/liteparse.ts'
import { dumpStreams, QPDF } from '../../engines/qpdf.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { listAnnotations } from './annotations.ts'
import { listEmbeddedFiles } from './embedded-files.ts'
import { listFonts } from './fonts.ts'
import { readForm } from './form.ts'
import { type PdfObjects, readObjects, toIsoDate, toName, toText } from './objects.ts'
import { optional } from './optional.ts'
import { listOutline, type OutlineEntry } from './outline.ts'
import { listPageLabels, listPageSizes } from './page-facts.ts'
import { catalogOf } from './page-tree.ts'
import { type OpenPdf, openPdf } from './repair.ts'
import { listFilters, unpack } from './stream-filters.ts'
import { parseXmp, type XmpProperties } from './xmp.ts'

const MAX_CHARACTERS = 20_000
const MAX_CUSTOM_ENTRIES = 200
const MAX_LAYERS = 500
/** Entries of the information dictionary that everybody knows, by our names. */
const INFO_ENTRIES: Readonly<Record<string, string>> = {
  '/Title': 'title',
  '/Author': 'author',
  '/Subject': 'subject',
  '/Keywords': 'keywords',
  '/Creator': 'creator',
  '/Producer': 'producer',
  '/CreationDate': 'created',
  '/ModDate': 'modified',
  '/Trapped': 'trapped',
}

/** All that a file says about itself. */
export const metadata = defineCapability({
  id: 'pdf.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: information and XMP, pages and their sizes, outline, fonts, encryption, signatures, form, annotations, attachments.',
  options: { password: passwordOption },
  tools: [QPDF],
  async *extract(source, options, context) {
    const opened = await openPdf(source, options.password, context)
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile(await describe(source, opened, context)),
    }
  },
})

const describe = async (source: Source, { file, pageCount, repaired }: OpenPdf, context: Context): Promise<object> => {
  const objects = await readObjects(file, context)
  context.progress(0.7)
  if (objects.outcome !== 'done') {
    context.warn('pdf.metadata_partial', 'The structure of the file could not be read to its end; facts are missing.')
  }
  const catalog = catalogOf(objects)
  const packet = await readPacket(file, objects, context)
  const xmp = packet === undefined ? undefined : await parseXmp(packet)
  const form = readForm(objects, source.bytes)
  const annotations = listAnnotations(objects)
  const attachments = listEmbeddedFiles(objects)
  if (form.isCut || annotations.isCut || attachments.isCut) {
    context.warn('pdf.metadata_cut', 'There are more fields, annotations or attachments than are listed.')
  }
  return {
    format: source.extension,
    bytes: source.bytes,
    version: readVersion(objects),
    ...(repaired ? { repaired } : {}),
    info: await readInfo(file, objects),
    ...(packet === undefined ? {} : { xmp: { ...optional('properties', xmp), raw: packet } }),
    conformance: readConformance(xmp ?? {}),
    ...optional('language', toText(objects.resolve(catalog['/Lang'])) || undefined),
    tagged: objects.resolve(objects.dict(catalog['/MarkInfo'])['/Marked']) === true,
    linearized: hasAny(objects, '"/Linearized": '),
    javaScript: hasAny(objects, '"/JS": ', '"/S": "/JavaScript"'),
    encryption: describeEncryption(objects),
    pages: { count: pageCount, sizes: listPageSizes(objects), labels: listPageLabels(objects) },
    outline: nest(listOutline(objects)),
    fonts: listFonts(objects),
    form: { ...(form.isXfa ? { xfa: true } : {}), fields: form.fields },
    // One that was saved again by the repair has other bytes than those that were signed.
    signatures: repaired ? form.signatures.map(({ coversWholeFile: _, ...rest }) => rest) : form.signatures,
    annotations: { counts: annotations.counts, list: annotations.list },
    attachments: attachments.files.map(({ stream: _, ...rest }) => rest),
    layers: listLayers(objects),
  }
}

const readPacket = async (file: PdfFile, objects: PdfObjects, context: Context): Promise<string | undefined> => {
  const reference = catalogOf(objects)['/Metadata']
  if (typeof reference !== 'string' || !objects.isStream(reference)) return undefined
  const folder = await mkdtemp(join(context.scratch, 'xmp-'))
  const number = Number.parseInt(reference, 10)
  await dumpStreams(file, [number], folder, context)
  try {
    const raw = await readFile(join(folder, `data-${number}`))
    return unpack(raw, listFilters(objects, objects.dict(reference)), MAX_PACKET_BYTES).data.toString('utf8')
  } catch {
    context.warn('pdf.xmp_unreadable', 'The XMP packet is damaged or too large.')
    return undefined
  } finally {
    await rm(folder, { recursive: true })
  }
}
const MAX_PACKET_BYTES = 4 * 1_048_576

const hasAny = (objects: PdfObjects, ...texts: string[]): boolean => {
  for (const _ of objects.find(...texts)) return true
  return false
}

/** The catalog may name a later version than the first line of the file. */
const readVersion = (objects: PdfObjects): string =>
  [objects.version, toName(objects.resolve(catalogOf(objects)['/Version'])) ?? ''].sort().at(-1) ?? ''

const readInfo = async (file: PdfFile, objects: PdfObjects): Promise<object> => {
  const info: Record<string, string> = objects.outcome === 'done' ? {} : await readMakers(file)
  const custom: Record<string, string> = {}
  for (const [key, value] of Object.entries(objects.dict(objects.trailer['/Info']))) {
    const resolved = objects.resolve(value)
    const text = (toText(resolved) ?? toName(resolved))?.slice(0, MAX_CHARACTERS).trim()
    if (!text) continue
    const known = INFO_ENTRIES[key]
    if (known === undefined) {
      if (Object.keys(custom).length < MAX_CUSTOM_ENTRIES) custom[key.slice(1)] = text
    } else info[known] = key.endsWith('Date') ? (toIsoDate(text) ?? text) : text
  }
  return { ...info, ...(Object.keys(custom).length > 0 ? { custom } : {}) }
}

/** Standards that the file claims to follow; nothing of it is verified. */
const readConformance = (xmp: XmpProperties): object => {
  const text = (name: string) => {
    const value = xmp[name]
    return typeof value === 'string' ? value : undefined
  }
  const part = text('pdfaid:part')
  const level = text('pdfaid:conformance') ?? ''
  const accessible = text('pdfuaid:part')
  return {
    ...(part ? { pdfA: `PDF/A-${part}${level.toLowerCase()}` } : {}),
    ...(accessible ? { pdfUa: `PDF/UA-${accessible}` } : {}),
    ...optional('pdfX', text('pdfxid:GTS_PDFXVersion') ?? text('pdfx:GTS_PDFXVersion')),
  }
}

const PERMISSIONS = {
  printlow: 'print',
  printhigh: 'printHighQuality',
  modifyother: 'modify',
  modifyannotations: 'annotate',
  modifyforms: 'fillForms',
  modifyassembly: 'assemble',
  extract: 'copy',
  accessibility: 'readAloud',
} as const

const describeEncryption = ({ encryption }: PdfObjects): object => {
  if (!encryption.R) return { encrypted: false }
  return {
    encrypted: true,
    method: encryption.method,
    bits: encryption.bits,
    revision: encryption.R,
    permissions: Object.fromEntries(Object.entries(PERMISSIONS).map(([key, name]) => [name, encryption[key] === true])),
  }
}

type OutlineNode = { title: string; page?: number; children?: OutlineNode[] }

const nest = (entries: readonly OutlineEntry[]): OutlineNode[] => {
  const roots: OutlineNode[] = []
  const open: { level: number; node: OutlineNode }[] = []
  for (const { level, ...node } of entries) {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const parent = open.at(-1)?.node
    const siblings = parent ? (parent.children ?? []) : roots
    siblings.push(node)
    if (parent) parent.children = siblings
    open.push({ level, node })
  }
  return roots
}

const listLayers = (objects: PdfObjects): string[] =>
  objects
    .array(objects.dict(catalogOf(objects)['/OCProperties'])['/OCGs'])
    .slice(0, MAX_LAYERS)
    .flatMap((group) => toText(objects.resolve(objects.dict(group)['/Name'])) ?? [])
