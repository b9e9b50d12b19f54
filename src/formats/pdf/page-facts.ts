import { type PdfObjects, toName, toNumber, toText } from './objects.ts'
import { optional } from './optional.ts'
import { readPageSpace } from './page-space.ts'
import { catalogOf, listPages, listTree } from './page-tree.ts'

/** Pages of one size, in points, as they are shown. */
export type PageSize = { width: number; height: number; count: number; pages: string }
/** From `page` on, pages are called prefix and number. */
export type PageLabel = { page: number; style: string; prefix?: string; first?: number }

const MAX_SIZES = 500
const MAX_LABELS = 5_000
const STYLES: Readonly<Record<string, string>> = {
  D: 'decimal',
  R: 'upper-roman',
  r: 'lower-roman',
  A: 'upper-letters',
  a: 'lower-letters',
}

/** The sizes of the pages, each once, with the pages that have it. */
export const listPageSizes = (objects: PdfObjects): PageSize[] => {
  const sizes = new Map<string, { width: number; height: number; pages: number[] }>()
  for (const [index, { page }] of listPages(objects).entries()) {
    const space = readPageSpace(objects, page)
    const width = Math.round(space.width * 100) / 100
    const height = Math.round(space.height * 100) / 100
    const known = sizes.get(`${width} ${height}`)
    if (known) known.pages.push(index + 1)
    else if (sizes.size < MAX_SIZES) sizes.set(`${width} ${height}`, { width, height, pages: [index + 1] })
  }
  return [...sizes.values()].map(({ width, height, pages }) => ({
    width,
    height,
    count: pages.length,
    pages: writeRanges(pages),
  }))
}

/** `1-3,7` for 1, 2, 3 and 7. */
export const writeRanges = (pages: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else ranges.push([page, page])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}

/** How the pages are called, where the file gives them names. */
export const listPageLabels = (objects: PdfObjects): PageLabel[] =>
  listTree(objects, catalogOf(objects)['/PageLabels'], '/Nums', MAX_LABELS).flatMap(([index, value]) => {
    const label = objects.dict(value)
    const first = toNumber(objects.resolve(label['/St']))
    const page = toNumber(index)
    if (page === undefined) return []
    return {
      page: page + 1,
      style: STYLES[toName(objects.resolve(label['/S'])) ?? ''] ?? 'none',
      ...optional('prefix', toText(objects.resolve(label['/P']))),
      ...optional('first', first === 1 ? undefined : first),
    }
  })
