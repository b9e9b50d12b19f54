import { readFile, stat } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import type { Context } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { type PdfObjects, type PdfValue, readObjects, toName, toText } from './objects.ts'
import { catalogOf, listTree, pageNumbersOf } from './page-tree.ts'

/** A bookmark. `level` 1 is the outermost; `page` is missing where it leads elsewhere, or nowhere. */
export type OutlineEntry = { title: string; level: number; page?: number }

const MAX_ENTRIES = 10_000
const MAX_LEVEL = 32
const MAX_NAMES = 100_000

/** The bookmarks of a file in the order they are shown; none where it has none, or they cannot be read. */
export const readOutline = async (file: PdfFile, context: Context): Promise<OutlineEntry[]> =>
  (await mayHaveOutline(file)) ? listOutline(await readObjects(file, context)) : []

/** The same, from objects in hand. */
export const listOutline = (objects: PdfObjects): OutlineEntry[] => {
  const catalog = catalogOf(objects)
  const entries: OutlineEntry[] = []
  const seen = new Set<PdfValue>()
  let names: Map<string, PdfValue> | undefined
  const findNamed = (name: string): PdfValue => {
    names ??= readDestinations(objects)
    return names.get(name) ?? null
  }
  const walk = (first: PdfValue | undefined, level: number): void => {
    for (let item: PdfValue | undefined = first; typeof item === 'string' && !seen.has(item); ) {
      if (entries.length >= MAX_ENTRIES) return
      seen.add(item)
      const dict = objects.dict(item)
      const title = (toText(objects.resolve(dict['/Title'])) ?? '').replace(/\s+/g, ' ').trim()
      const action = objects.dict(dict['/A'])
      const target = dict['/Dest'] ?? (toName(action['/S']) === 'GoTo' ? action['/D'] : undefined)
      const page = findPage(objects, target, findNamed)
      if (title !== '') entries.push({ title, level, ...(page ? { page } : {}) })
      if (level < MAX_LEVEL) walk(dict['/First'], level + 1)
      item = dict['/Next']
    }
  }
  walk(objects.dict(catalog['/Outlines'])['/First'], 1)
  return entries
}

const readDestinations = (objects: PdfObjects): Map<string, PdfValue> => {
  const catalog = catalogOf(objects)
  const names = new Map<string, PdfValue>()
  for (const [name, target] of Object.entries(objects.dict(catalog['/Dests']))) names.set(name, target ?? null)
  const tree = objects.dict(catalog['/Names'])['/Dests']
  for (const [name, target] of listTree(objects, tree, '/Names', MAX_NAMES)) names.set(String(name), target)
  return names
}

const findPage = (
  objects: PdfObjects,
  target: PdfValue | undefined,
  findNamed: (name: string) => PdfValue,
  depth = 0,
): number | undefined => {
  const found = objects.resolve(target)
  if (Array.isArray(found)) {
    const [page] = found
    if (typeof page === 'string') return pageNumbersOf(objects).get(page)
    return typeof page === 'number' ? page + 1 : undefined
  }
  if (depth > 2) return undefined
  if (typeof found === 'string') return findPage(objects, findNamed(found), findNamed, depth + 1)
  return findPage(objects, objects.dict(found)['/D'], findNamed, depth + 1)
}

const MAX_SEARCHED_BYTES = 32 * 1_048_576
const MAX_UNPACKED_BYTES = 8 * 1_048_576

/** Most files have no outline, and to look into them here costs far less than to start the program that would. */
const mayHaveOutline = async (file: PdfFile): Promise<boolean> => {
  const { size } = await stat(file.path)
  if (size > MAX_SEARCHED_BYTES || file.password) return true
  const bytes = await readFile(file.path)
  if (bytes.includes('/Outlines')) return true
  for (let at = bytes.indexOf('/ObjStm'); at >= 0; at = bytes.indexOf('/ObjStm', at + 1)) {
    const start = bytes.indexOf('stream', at)
    if (start < 0) return false
    const data = start + (bytes[start + 6] === 13 ? 8 : 7)
    try {
      if (inflateSync(bytes.subarray(data), { maxOutputLength: MAX_UNPACKED_BYTES }).includes('/Outlines')) return true
    } catch {
      // Packed in another way, encrypted or too large: only the program can tell.
      return true
    }
  }
  return false
}
