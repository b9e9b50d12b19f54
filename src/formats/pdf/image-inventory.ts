import { mkdtemp, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { dumpStreams, type QpdfOutcome } from '../../engines/qpdf.ts'
import type { Box, DocumentImage } from '../shared/document/model.ts'
import type { PlacedImage } from '../shared/layout/page-content.ts'
import { namePage } from '../shared/pages/page-name.ts'
import { fingerprint, UNRELATED } from './image-fingerprint.ts'
import { findImageUses, type ImageUse, numbersOf } from './image-uses.ts'
import { isDict, type PdfDict, type PdfObjects, type PdfValue, readObjects, toName, toNumber } from './objects.ts'
import { roundBox } from './page-space.ts'
import { listPages } from './page-tree.ts'
import { listFilters, type StreamFilter, unpack } from './stream-filters.ts'

export type ImagePlacement = { page: number; box?: Box; rotation?: number }

/** An image of a file: what it is, and where it is drawn. */
export type EmbeddedImage = {
  /** Page where it is met first, and its number there: `page-003-01`. */
  id: string
  /** Where the result holds it. */
  path: string
  format: 'png' | 'jpeg' | 'jp2' | 'j2k'
  mediaType: string
  /** Pixels. */
  width: number
  height: number
  /** A stencil, which is painted in whatever colour the page has at hand. */
  isStencil: boolean
  dict: PdfDict
  /** Its stream's number among the dumped ones, or its data where it stood in the content. */
  data: number | Buffer
  placements: ImagePlacement[]
}

export type ImageInventory = {
  images: EmbeddedImage[]
  /** Where `data-<number>` of each image and of all it refers to lies. */
  folder: string
  objects: PdfObjects
  outcome: QpdfOutcome
  isCut: boolean
}

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', jp2: 'image/jp2', j2k: 'image/j2c' } as const
const EXTENSIONS = { png: 'png', jpeg: 'jpg', jp2: 'jp2', j2k: 'j2k' } as const
const MAX_RELATED = 200
const MAX_DISTINCT = 20_000

/** Takes stock of the images of pages, once for all who ask about the same pages. */
export const readImages = (
  file: PdfFile,
  pageNumbers: readonly number[],
  context: Context,
): Promise<ImageInventory> => {
  const key = pageNumbers.join()
  const ofFile = known.get(file) ?? new Map<string, Promise<ImageInventory>>()
  known.set(file, ofFile)
  const found = ofFile.get(key) ?? loadImages(file, pageNumbers, context)
  ofFile.set(key, found)
  return found
}
const known = new WeakMap<PdfFile, Map<string, Promise<ImageInventory>>>()

/** Where the images stand on each page, by the ids that `pdf.images` gives them; those too small to matter left out. */
export const placeImages = ({ images }: ImageInventory, minSidePixels: number): Map<number, PlacedImage[]> => {
  const byPage = new Map<number, PlacedImage[]>()
  for (const { id, width, height, placements } of images) {
    if (Math.min(width, height) < minSidePixels) continue
    for (const { page, box } of placements) {
      if (!box) continue
      const placed = byPage.get(page) ?? []
      placed.push({ id, ...box })
      byPage.set(page, placed)
    }
  }
  return byPage
}

/** The same images as a document lists them. */
export const toDocumentImage = ({ id, path, mediaType, width, height }: EmbeddedImage): DocumentImage => ({
  id,
  path,
  mediaType,
  width,
  height,
})

const loadImages = async (file: PdfFile, pageNumbers: readonly number[], context: Context): Promise<ImageInventory> => {
  const objects = await readObjects(file, context)
  const folder = await mkdtemp(join(context.scratch, 'images-'))
  const { uses, isCut } = await findImageUses(file, objects, pageNumbers, folder, context)
  const references = new Set(uses.flatMap(({ image }) => (typeof image === 'string' ? image : [])))
  const inlineDicts = uses.flatMap(({ image }) => (typeof image === 'string' ? [] : [resolveSpace(objects, image)]))
  const wanted = [...references, ...listRelated(objects, [...references]), ...listRelated(objects, inlineDicts)]
  const outcome = wanted.length === 0 ? 'done' : await dumpStreams(file, numbersOf(wanted), folder, context)
  const images = await sortOut(objects, uses, folder, context)
  return {
    images,
    folder,
    objects,
    outcome: worse(objects.outcome, outcome),
    isCut: isCut || images.length >= MAX_DISTINCT,
  }
}

const worse = (first: QpdfOutcome, second: QpdfOutcome): QpdfOutcome => (first === 'done' ? second : first)

/** Makes one image of all uses of the same content. */
const sortOut = async (
  objects: PdfObjects,
  uses: readonly ImageUse[],
  folder: string,
  context: Context,
): Promise<EmbeddedImage[]> => {
  const byContent = new Map<string, EmbeddedImage | undefined>()
  const keys = new Map<string, string>()
  const countOnPage = new Map<number, number>()
  const pageCount = listPages(objects).length
  for (const [index, { page, box, rotation, image }] of uses.entries()) {
    if (index % 500 === 0) context.progress(0.4 + (0.1 * index) / uses.length)
    const isReference = typeof image === 'string'
    const dict = isReference ? objects.dict(image) : resolveSpace(objects, image)
    const data = isReference ? Number.parseInt(image, 10) : image.data
    const key = (isReference && keys.get(image)) || (await fingerprint(objects, dict, data, folder))
    if (isReference) keys.set(image, key)
    if (!byContent.has(key) && byContent.size < MAX_DISTINCT) {
      const number = (countOnPage.get(page) ?? 0) + 1
      const id = `${namePage(page, pageCount)}-${String(number).padStart(2, '0')}`
      const found = await describeImage(objects, id, dict, data, folder)
      if (found) countOnPage.set(page, number)
      byContent.set(key, found)
    }
    byContent.get(key)?.placements.push({
      page,
      ...(box ? { box: roundBox(box) } : {}),
      ...(rotation === 0 ? {} : { rotation }),
    })
  }
  return [...byContent.values()].filter((image) => image !== undefined)
}

const describeImage = async (
  objects: PdfObjects,
  id: string,
  dict: PdfDict,
  data: number | Buffer,
  folder: string,
): Promise<EmbeddedImage | undefined> => {
  const width = toNumber(objects.resolve(dict['/Width'])) ?? 0
  const height = toNumber(objects.resolve(dict['/Height'])) ?? 0
  if (!(width >= 1 && height >= 1)) return undefined
  const format = await chooseFormat(objects, dict, data, folder)
  return {
    id,
    path: `images/${id}.${EXTENSIONS[format]}`,
    format,
    mediaType: MEDIA_TYPES[format],
    width: Math.floor(width),
    height: Math.floor(height),
    isStencil: objects.resolve(dict['/ImageMask']) === true,
    dict,
    data,
    placements: [],
  }
}

/** A compressed picture is kept as it is where a viewer that knows nothing of the file shows it the same way. */
const chooseFormat = async (
  objects: PdfObjects,
  dict: PdfDict,
  data: number | Buffer,
  folder: string,
): Promise<EmbeddedImage['format']> => {
  const filters = listFilters(objects, dict)
  const filter = filters.at(-1)
  const isMasked = dict['/SMask'] !== undefined || dict['/Mask'] !== undefined || dict['/ImageMask'] !== undefined
  if (!filter || isMasked || dict['/Decode'] !== undefined) return 'png'
  const head = await readHead(data, filters.slice(0, -1), folder)
  if (filter.name === 'DCTDecode' && head.readUInt16BE(0) === 0xffd8) {
    return isPlainSpace(objects, dict['/ColorSpace']) ? 'jpeg' : 'png'
  }
  if (filter.name !== 'JPXDecode' || toNumber(objects.resolve(dict['/SMaskInData']))) return 'png'
  if (head.subarray(4, 8).toString('latin1') === 'jP  ') return 'jp2'
  return head.readUInt16BE(0) === 0xff4f ? 'j2k' : 'png'
}

/** Grey and colour as every viewer takes them; inks, palettes and the like are known to the document alone. */
const isPlainSpace = (objects: PdfObjects, value: PdfValue | undefined): boolean => {
  const space = objects.resolve(value)
  if (Array.isArray(space)) {
    const name = toName(objects.resolve(space[0]))
    if (name === 'ICCBased') return [1, 3].includes(toNumber(objects.resolve(objects.dict(space[1])['/N'])) ?? 0)
    return name === 'CalRGB' || name === 'CalGray' || name === 'DeviceRGB' || name === 'DeviceGray'
  }
  return ['DeviceRGB', 'DeviceGray', 'CalRGB', 'CalGray'].includes(toName(space) ?? '')
}

const HEAD_BYTES = 16
/** Of a picture that is compressed twice. */
export const MAX_PACKED_BYTES = 256 * 1_048_576

const readHead = async (data: number | Buffer, packing: readonly StreamFilter[], folder: string): Promise<Buffer> => {
  const head = Buffer.alloc(HEAD_BYTES)
  if (typeof data === 'number' && packing.length === 0) {
    const handle = await open(join(folder, `data-${data}`)).catch(() => undefined)
    await handle?.read(head, 0, HEAD_BYTES, 0)
    await handle?.close()
    return head
  }
  try {
    const raw = typeof data === 'number' ? await readFile(join(folder, `data-${data}`)) : data
    unpack(raw, packing, MAX_PACKED_BYTES).data.copy(head)
  } catch {
    // Damaged: it begins like no picture.
  }
  return head
}

/** Streams that pictures need: masks, palettes, profiles, functions. */
const listRelated = (objects: PdfObjects, roots: readonly PdfValue[]): string[] => {
  const streams = new Set<string>()
  const seen = new Set<string>()
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (depth > 8) return
    if (typeof value === 'string') {
      if (!/^\d+ \d+ R$/.test(value) || seen.has(value) || seen.size > MAX_RELATED + roots.length * 20) return
      seen.add(value)
      if (objects.isStream(value)) streams.add(value)
    }
    const resolved = objects.resolve(value)
    if (Array.isArray(resolved)) for (const member of resolved) visit(member, depth + 1)
    else if (isDict(resolved)) {
      for (const [key, member] of Object.entries(resolved)) if (!UNRELATED.has(key)) visit(member, depth + 1)
    }
  }
  for (const root of roots) visit(root, 0)
  return [...streams]
}

/** An image in the content names its colour space as the resources around it do. */
const resolveSpace = (objects: PdfObjects, { dict, resources }: { dict: PdfDict; resources: PdfDict }): PdfDict => {
  const space = dict['/ColorSpace']
  const named = typeof space === 'string' ? objects.dict(resources['/ColorSpace'])[space] : undefined
  return named === undefined ? dict : { ...dict, '/ColorSpace': named }
}
