import { type PdfDict, type PdfObjects, type PdfValue, toName } from './objects.ts'

/** A page's dictionary with what it inherits. */
export type PageObject = { reference: string; page: PdfDict }

const MAX_PAGES = 100_000
const MAX_DEPTH = 100
const INHERITED = ['/MediaBox', '/CropBox', '/Rotate', '/Resources'] as const

/** The pages in order, as the tree has them; hostile trees end at a limit. */
export const listPages = (objects: PdfObjects): readonly PageObject[] => {
  const known = listed.get(objects)
  if (known) return known
  const pages: PageObject[] = []
  const open = new Set<PdfValue>()
  const walk = (node: PdfValue | undefined, inherited: PdfDict, depth: number): void => {
    if (typeof node !== 'string' || open.has(node) || depth > MAX_DEPTH || pages.length >= MAX_PAGES) return
    const dict = objects.dict(node)
    const own = Object.fromEntries(INHERITED.flatMap((key) => (dict[key] === undefined ? [] : [[key, dict[key]]])))
    const together = { ...inherited, ...own }
    const kids = objects.array(dict['/Kids'])
    if (toName(dict['/Type']) === 'Page' || (kids.length === 0 && dict['/Kids'] === undefined)) {
      if (dict['/Type'] !== undefined || dict['/Contents'] !== undefined) {
        pages.push({ reference: node, page: { ...dict, ...together } })
      }
      return
    }
    open.add(node)
    for (const kid of kids) walk(kid, together, depth + 1)
    open.delete(node)
  }
  walk(catalogOf(objects)['/Pages'], {}, 0)
  listed.set(objects, pages)
  return pages
}
const listed = new WeakMap<PdfObjects, PageObject[]>()

export const catalogOf = (objects: PdfObjects): PdfDict => objects.dict(objects.trailer['/Root'])

/** Numbers of pages by their references. */
export const pageNumbersOf = (objects: PdfObjects): ReadonlyMap<string, number> => {
  const known = numbered.get(objects)
  if (known) return known
  const numbers = new Map<string, number>()
  for (const [index, { reference }] of listPages(objects).entries()) {
    if (!numbers.has(reference)) numbers.set(reference, index + 1)
  }
  numbered.set(objects, numbers)
  return numbers
}
const numbered = new WeakMap<PdfObjects, ReadonlyMap<string, number>>()

/** Members of a name or number tree, in order, up to a limit. */
export const listTree = (
  objects: PdfObjects,
  root: PdfValue | undefined,
  leaves: '/Names' | '/Nums',
  limit: number,
): [key: PdfValue, value: PdfValue][] => {
  const members: [PdfValue, PdfValue][] = []
  const seen = new Set<PdfValue>()
  const walk = (node: PdfValue | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || members.length >= limit || (typeof node === 'string' && seen.has(node))) return
    if (typeof node === 'string') seen.add(node)
    const dict = objects.dict(node)
    const pairs = objects.array(dict[leaves])
    for (let i = 0; i + 1 < pairs.length && members.length < limit; i += 2) {
      members.push([objects.resolve(pairs[i]), pairs[i + 1] ?? null])
    }
    for (const kid of objects.array(dict['/Kids'])) walk(kid, depth + 1)
  }
  walk(root, 0)
  return members
}
