import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { dumpStreams } from '../../engines/qpdf.ts'
import type { Box } from '../shared/document/model.ts'
import { type Drawn, type InlineImage, readDrawn } from './content-stream.ts'
import { isDict, type PdfDict, type PdfObjects, type PdfValue, toName, toNumber } from './objects.ts'
import {
  boxOf,
  cutToPage,
  IDENTITY,
  type Matrix,
  multiply,
  readPageSpace,
  toMatrix,
  toRectangle,
} from './page-space.ts'
import { listPages, type PageObject } from './page-tree.ts'
import { listFilters, unpack } from './stream-filters.ts'

/** An image where a page draws it. A box is missing where it fills a pattern or lies off the page. */
export type ImageUse = {
  page: number
  box?: Box
  /** Degrees, clockwise, as shown. */
  rotation: number
  /** Its reference, or the image itself where it stands in the content. */
  image: string | (InlineImage & { resources: PdfDict })
}

const MAX_CONTENT_BYTES = 64 * 1_048_576
const MAX_DRAWN_PER_STREAM = 50_000
const MAX_USES = 100_000
const MAX_FORM_DEPTH = 16
const MAX_FORMS = 50_000
const HIDDEN = 2
const UNIT_SQUARE = [0, 0, 1, 1] as const

/** Finds where pages draw images, in the order they do. `isCut` where there is more than the limits allow. */
export const findImageUses = async (
  file: PdfFile,
  objects: PdfObjects,
  pageNumbers: readonly number[],
  folder: string,
  context: Context,
): Promise<{ uses: ImageUse[]; isCut: boolean }> => {
  const all = listPages(objects)
  const pages = pageNumbers.flatMap((number) => {
    const page = all[number - 1]
    return page ? [{ number, ...page }] : []
  })
  const forms = listForms(objects, pages)
  const contents = pages.flatMap(({ page }) => contentsOf(objects, page))
  await dumpStreams(file, numbersOf([...contents, ...forms]), folder, context)

  const read = makeContentReader(objects, folder)
  const uses: ImageUse[] = []
  let formRuns = 0
  let isCut = false
  const follow = async (drawn: readonly Drawn[], matrix: Matrix | undefined, scene: Scene): Promise<void> => {
    for (const item of drawn) {
      if (uses.length >= MAX_USES || formRuns > MAX_FORMS) {
        isCut = true
        return
      }
      const place = matrix && multiply(item.matrix, matrix)
      if ('inline' in item) {
        scene.add({ ...item.inline, resources: scene.resources }, place)
        continue
      }
      const reference = objects.dict(scene.resources['/XObject'])[item.name]
      const dict = objects.dict(reference)
      const kind = toName(objects.resolve(dict['/Subtype']))
      if (typeof reference !== 'string') continue
      if (kind === 'Image') scene.add(reference, place)
      if (kind === 'Form' && !scene.open.has(reference) && scene.open.size < MAX_FORM_DEPTH) {
        formRuns++
        const inner = place && multiply(toMatrix(objects, dict['/Matrix']) ?? IDENTITY, place)
        const resources = dict['/Resources'] === undefined ? scene.resources : objects.dict(dict['/Resources'])
        await follow(await read([reference]), inner, { ...scene, resources, open: new Set([...scene.open, reference]) })
      }
    }
  }

  for (const [index, { number, page }] of pages.entries()) {
    context.signal.throwIfAborted()
    context.progress(0.1 + (0.3 * index) / pages.length)
    const space = readPageSpace(objects, page)
    const add = (image: ImageUse['image'], place: Matrix | undefined): void => {
      const box = place && cutToPage(boxOf(UNIT_SQUARE, place), space)
      uses.push({ page: number, ...(box ? { box } : {}), rotation: place ? rotationOf(place) : 0, image })
    }
    const resources = objects.dict(page['/Resources'])
    const scene: Scene = { resources, open: new Set(), add }
    await follow(await read(contentsOf(objects, page)), space.toShown, scene)
    for (const { reference, matrix } of listAppearances(objects, page)) {
      const own = objects.dict(objects.dict(reference)['/Resources'])
      await follow(await read([reference]), multiply(matrix, space.toShown), { ...scene, resources: own })
    }
    for (const reference of listPatterns(objects, resources)) {
      const own = objects.dict(objects.dict(reference)['/Resources'])
      await follow(await read([reference]), undefined, { ...scene, resources: own })
    }
  }
  return { uses, isCut }
}

type Scene = {
  resources: PdfDict
  /** Forms that are being followed. */
  open: ReadonlySet<string>
  add(image: ImageUse['image'], place: Matrix | undefined): void
}

/** Object numbers of references. */
export const numbersOf = (references: Iterable<PdfValue | undefined>): Set<number> =>
  new Set([...references].flatMap((reference) => (typeof reference === 'string' ? Number.parseInt(reference, 10) : [])))

const contentsOf = (objects: PdfObjects, page: PdfDict): string[] => {
  const contents = page['/Contents']
  const list = objects.isStream(contents) ? [contents] : objects.array(contents)
  return list.filter((member): member is string => objects.isStream(member ?? null))
}

/** Reads what streams draw together, each list of streams once. */
const makeContentReader = (objects: PdfObjects, folder: string) => {
  const known = new Map<string, Drawn[]>()
  return async (references: readonly string[]): Promise<Drawn[]> => {
    const key = references.join()
    const found = known.get(key)
    if (found) return found
    const pieces: Buffer[] = []
    for (const reference of references) {
      const raw = await readFile(join(folder, `data-${Number.parseInt(reference, 10)}`)).catch(() => undefined)
      const data = raw && unpackContent(objects, reference, raw)
      if (data) pieces.push(data, Buffer.from('\n'))
    }
    const drawn = readDrawn(Buffer.concat(pieces), MAX_DRAWN_PER_STREAM)
    known.set(key, drawn)
    return drawn
  }
}

const unpackContent = (objects: PdfObjects, reference: string, raw: Buffer): Buffer | undefined => {
  try {
    return unpack(raw, listFilters(objects, objects.dict(reference)), MAX_CONTENT_BYTES).data
  } catch {
    return undefined
  }
}

/** All forms that the pages may draw, through resources, appearances and patterns. */
const listForms = (objects: PdfObjects, pages: readonly PageObject[]): Set<string> => {
  const forms = new Set<string>()
  const seenResources = new Set<PdfValue>()
  const visitResources = (value: PdfValue | undefined, depth: number): void => {
    const resources = objects.resolve(value)
    if (!isDict(resources) || seenResources.has(resources) || depth > MAX_FORM_DEPTH) return
    seenResources.add(resources)
    for (const reference of Object.values(objects.dict(resources['/XObject']))) visitForm(reference, depth)
    for (const reference of listPatterns(objects, resources)) visitForm(reference, depth, 'Pattern')
  }
  const visitForm = (reference: PdfValue | undefined, depth: number, as?: 'Pattern'): void => {
    if (typeof reference !== 'string' || forms.has(reference) || !objects.isStream(reference)) return
    const dict = objects.dict(reference)
    if (!as && toName(objects.resolve(dict['/Subtype'])) !== 'Form') return
    forms.add(reference)
    visitResources(dict['/Resources'], depth + 1)
  }
  for (const { page } of pages) {
    visitResources(page['/Resources'], 0)
    for (const { reference } of listAppearances(objects, page)) visitForm(reference, 0, 'Pattern')
  }
  return forms
}

const listPatterns = (objects: PdfObjects, resources: PdfDict): string[] =>
  Object.values(objects.dict(resources['/Pattern'])).filter(
    (reference): reference is string => objects.isStream(reference) && typeof reference === 'string',
  )

/** What annotations look like, with the transformation that puts them in their place. */
const listAppearances = (objects: PdfObjects, page: PdfDict): { reference: string; matrix: Matrix }[] =>
  objects.array(page['/Annots']).flatMap((value) => {
    const annotation = objects.dict(value)
    const flags = toNumber(objects.resolve(annotation['/F'])) ?? 0
    const normal = objects.dict(annotation['/AP'])['/N']
    const state = toName(objects.resolve(annotation['/AS']))
    const reference = objects.isStream(normal) ? normal : state ? objects.dict(normal)[`/${state}`] : undefined
    const rectangle = toRectangle(objects, annotation['/Rect'])
    if ((flags & HIDDEN) !== 0 || typeof reference !== 'string' || !objects.isStream(reference) || !rectangle) return []
    const form = objects.dict(reference)
    const own = toMatrix(objects, form['/Matrix']) ?? IDENTITY
    const bounds = boxOf(toRectangle(objects, form['/BBox']) ?? [0, 0, 1, 1], own)
    const [left, bottom, right, top] = rectangle
    const scaleX = bounds.width > 0 ? (right - left) / bounds.width : 1
    const scaleY = bounds.height > 0 ? (top - bottom) / bounds.height : 1
    const fit: Matrix = [scaleX, 0, 0, scaleY, left - bounds.x * scaleX, bottom - bounds.y * scaleY]
    return { reference, matrix: multiply(own, fit) }
  })

/** How far the upper edge of an image is turned from the horizontal. */
const rotationOf = ([a, b]: Matrix): number => {
  const degrees = Math.round((Math.atan2(b, a) * 180) / Math.PI)
  return ((degrees % 360) + 360) % 360
}
