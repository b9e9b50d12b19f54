import { MAX_TOC_DEPTH, MAX_TOC_ENTRIES, type TocEntry } from '../book.ts'
import { isGiven, type MobiHeader } from './header.ts'
import { type IndexEntry, readIndex } from './index-table.ts'
import type { PalmDatabase } from './palm-database.ts'

/** Where an entry of the table of contents leads: a position in the text, or an offset in a fragment. */
export type NcxPlace = { position?: number; fragment?: number; offset?: number }
export type NcxEntry = { title: string; place: NcxPlace; children: NcxEntry[] }

const POSITION = 1
const LABEL = 3
const FRAGMENT = 6
const PARENT = 21

/** The table of contents that the devices show; none where the book has none, or a broken one. */
export const readNcx = (file: PalmDatabase, header: MobiHeader): NcxEntry[] => {
  if (!isGiven(header.ncxIndex)) return []
  try {
    const { entries, textAt } = readIndex(file, header.base + header.ncxIndex, header.encoding)
    return nest(entries.slice(0, MAX_TOC_ENTRIES), textAt)
  } catch {
    return []
  }
}

/** Each entry names the one it stands under, which came before it: so no circle can be. */
const nest = (entries: readonly IndexEntry[], textAt: (offset: number) => string): NcxEntry[] => {
  const top: NcxEntry[] = []
  const made: { entry: NcxEntry; depth: number }[] = []
  for (const [index, { tags }] of entries.entries()) {
    const label = tags.get(LABEL)?.[0]
    const entry: NcxEntry = { title: label === undefined ? '' : textAt(label), place: placeOf(tags), children: [] }
    const parentIndex = tags.get(PARENT)?.[0]
    const parent = parentIndex !== undefined && parentIndex < index ? made[parentIndex] : undefined
    const depth = parent ? parent.depth + 1 : 0
    if (parent && depth <= MAX_TOC_DEPTH) parent.entry.children.push(entry)
    else top.push(entry)
    made.push({ entry, depth })
  }
  return top
}

const placeOf = (tags: IndexEntry['tags']): NcxPlace => {
  const [fragment, offset] = tags.get(FRAGMENT) ?? []
  const position = tags.get(POSITION)?.[0]
  return {
    ...(position === undefined ? {} : { position }),
    ...(fragment === undefined ? {} : { fragment, offset: offset ?? 0 }),
  }
}

/** The entries with the names of the places that they lead to. */
export const toToc = (entries: readonly NcxEntry[], nameOf: (place: NcxPlace) => string | undefined): TocEntry[] =>
  entries.map(({ title, place, children }) => {
    const target = nameOf(place)
    return { title, ...(target === undefined ? {} : { target }), children: toToc(children, nameOf) }
  })
