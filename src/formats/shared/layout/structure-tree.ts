import type { Tagged } from './drafts.ts'
import type { PageContent, StructureElement } from './page-content.ts'

/** A piece of the structure tree that is read as one: its marked content and what it is. */
export type TaggedPart = {
  kind: 'text' | 'table' | 'figure'
  mcids: number[]
  tagged: Tagged
  alt?: string
}

const PARTS_LIMIT = 20_000
const DEPTH_LIMIT = 60

const HEADING = /^(?:h|heading|überschrift|titre|título)[\s_-]*([1-6])?$/i
const CONTAINERS: ReadonlySet<string> = new Set(
  'Document DocumentFragment Part Art Sect Div TOC Index NonStruct Private L THead TBody TFoot TR BlockQuote Aside'.split(
    ' ',
  ),
)
const INLINE: ReadonlySet<string> = new Set(
  'Span Quote Link Reference BibEntry Annot Ruby RB RT RP Warichu WT WP Em Strong Sub Lbl LBody Form Artifact'.split(
    ' ',
  ),
)

/** The parts of a page's structure tree in the tree's order. */
export const readTaggedParts = (structure: readonly StructureElement[]): TaggedPart[] => {
  const parts: TaggedPart[] = []
  for (const root of structure) visit(root, { parts, listDepth: -1, depth: 0, tagged: { as: 'paragraph' } })
  return parts
}

type Visit = { parts: TaggedPart[]; listDepth: number; depth: number; tagged: Tagged }

const visit = (element: StructureElement, place: Visit): void => {
  const { parts, depth } = place
  if (depth > DEPTH_LIMIT || parts.length > PARTS_LIMIT) return
  const { type } = element
  if (type === 'Table') {
    parts.push({ kind: 'table', mcids: collect(element), tagged: place.tagged })
    return
  }
  if (type === 'Figure' || type === 'Formula') {
    const mcids = collect(element)
    const alt = element.alt ?? element.actualText
    parts.push({ kind: 'figure', mcids, tagged: place.tagged, ...(alt ? { alt } : {}) })
    return
  }
  if (type === 'LI') {
    visitItem(element, place)
    return
  }
  const tagged = roleOf(element, place.tagged)
  const isContainer =
    CONTAINERS.has(type) || (element.mcids.length === 0 && element.children.some((child) => !INLINE.has(child.type)))
  if (!isContainer) {
    visitBlock(element, { ...place, tagged })
    return
  }
  if (element.mcids.length > 0) parts.push({ kind: 'text', mcids: [...element.mcids], tagged })
  const inside = { ...place, tagged, depth: depth + 1, listDepth: type === 'L' ? place.listDepth + 1 : place.listDepth }
  for (const child of element.children) visit(child, inside)
}

/** A paragraph or heading; blocks that hang inside of it come after it. */
const visitBlock = (element: StructureElement, place: Visit): void => {
  const own: number[] = [...element.mcids]
  const after: StructureElement[] = []
  for (const child of element.children) {
    if (INLINE.has(child.type)) own.push(...collect(child))
    else after.push(child)
  }
  if (own.length > 0) place.parts.push({ kind: 'text', mcids: own, tagged: place.tagged })
  for (const child of after) visit(child, { ...place, depth: place.depth + 1 })
}

/** An item: its label and its first paragraph are one; lists and tables inside of it come after. */
const visitItem = (element: StructureElement, place: Visit): void => {
  const own: number[] = []
  const after: StructureElement[] = []
  let paragraphs = 0
  const gather = ({ mcids, children }: StructureElement, depth: number): void => {
    own.push(...mcids)
    for (const child of children) {
      if (depth > DEPTH_LIMIT) return
      if (INLINE.has(child.type)) gather(child, depth + 1)
      else if (child.type === 'P' && paragraphs++ === 0) gather(child, depth + 1)
      else after.push(child)
    }
  }
  gather(element, 0)
  const tagged: Tagged = { as: 'item', depth: Math.max(0, place.listDepth) }
  if (own.length > 0) place.parts.push({ kind: 'text', mcids: own, tagged })
  for (const child of after) visit(child, { ...place, tagged: { as: 'paragraph' }, depth: place.depth + 1 })
}

const roleOf = ({ type }: StructureElement, around: Tagged): Tagged => {
  const heading = HEADING.exec(type)
  if (heading) return { as: 'heading', ...(heading[1] ? { level: Number(heading[1]) } : {}) }
  if (type === 'Title') return { as: 'heading', level: 1 }
  if (type === 'Caption') return { as: 'caption' }
  if (type === 'Note' || type === 'FENote') return { as: 'note' }
  if (type === 'Aside') return { as: 'aside' }
  return around
}

const collect = (element: StructureElement): number[] => {
  const mcids: number[] = []
  const gather = (part: StructureElement, depth: number): void => {
    mcids.push(...part.mcids)
    if (depth < DEPTH_LIMIT) for (const child of part.children) gather(child, depth + 1)
  }
  gather(element, 0)
  return mcids
}

/** How much of the page's text, by characters, the tree must account for to be believed. */
const COVERED_SHARE = 0.9

/** Whether the tree accounts for the text of the page: what is left over may only be what stands at its edges. */
export const coversText = (page: PageContent, parts: readonly TaggedPart[]): boolean => {
  const known = new Set(parts.flatMap(({ mcids }) => mcids))
  let all = 0
  let covered = 0
  for (const { text, y, height, mcid } of page.runs) {
    const isKnown = mcid !== undefined && known.has(mcid)
    const isAtEdge = y + height < page.height * 0.1 || y > page.height * 0.9
    if (!isKnown && isAtEdge) continue
    all += text.length
    if (isKnown) covered += text.length
  }
  return all > 0 && covered >= all * COVERED_SHARE
}
