import type { Bytes } from './bytes.ts'
import { openPdf, type PdfObjects } from './pdf-objects.ts'
import { isDict, isReference, type PdfValue } from './pdf-syntax.ts'

/** A page takes more than this; a file with less for each of its pages may only pretend to have them. */
const PLAUSIBLE_PAGE_BYTES = 3_000
const MAX_WALKED_NODES = 5_000

/** Pages of a PDF as its tree counts them; undefined where the count is hard to believe. */
export const countPdfPages = async (bytes: Bytes): Promise<number | undefined> => {
  const objects = await openPdf(bytes)
  const catalog = await objects.resolve(objects.trailer.entries.get('/Root'))
  if (!isDict(catalog)) return undefined
  const root = catalog.entries.get('/Pages')
  const pages = await objects.resolve(root)
  const count = isDict(pages) ? await objects.resolve(pages.entries.get('/Count')) : null
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) return undefined
  if (bytes.size / count > PLAUSIBLE_PAGE_BYTES && isDict(pages) && pages.entries.has('/Kids')) return count
  return (await walkPages(objects, root)) === count ? count : undefined
}

const walkPages = async (objects: PdfObjects, root: PdfValue | undefined): Promise<number | undefined> => {
  const waiting: (PdfValue | undefined)[] = [root]
  const seen = new Set<number>()
  let leaves = 0
  for (let nodes = 0; waiting.length > 0; nodes++) {
    const next = waiting.pop()
    if (nodes > MAX_WALKED_NODES || (isReference(next) && seen.has(next.reference))) return undefined
    if (isReference(next)) seen.add(next.reference)
    const node = await objects.resolve(next)
    if (!isDict(node)) return undefined
    const kids = await objects.resolve(node.entries.get('/Kids'))
    if (Array.isArray(kids)) waiting.push(...kids)
    else leaves++
  }
  return leaves
}
