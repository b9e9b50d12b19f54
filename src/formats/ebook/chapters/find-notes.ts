import { type HtmlElement, walkElements } from '../../shared/html/tree.ts'
import { clippedText } from './clipped-text.ts'

/** A place in the text that refers to a note. */
export type NoteReference = {
  /** Of the place that the note stands at. */
  name: string
  /** By the markup of EPUB 3; others are only taken for it if the note leads back to them. */
  isMarked: boolean
  label: string
  /** The link stood above the line. */
  isRaised: boolean
  /** Where the first link to it stands. */
  chapter: string
  position: number
  /** Names of the places that refer to it, for the way back. */
  from: Set<string>
  /** Id in the document, once a link to it was read. */
  id?: string
}

export type NoteStore = {
  references: Map<string, NoteReference>
  /** Elements that are notes, by the name of their place. */
  found: Map<string, HtmlElement>
}

type ToName = (href: string) => string | undefined

const MAX_REFERENCES = 200_000
const MARKER = /^[[(]?(?:\d{1,4}|[*†‡§¶#]{1,4}|[a-z]|[ivxlc]{1,6})[\])]?\.?$/i
const BACK = /^(?:[\s[\](){}.:↩↑^←⏎\d*†‡§a-z]|\ufe0e){0,8}$/i
const BLOCKS = new Set(['li', 'p', 'div', 'aside', 'section', 'dd', 'blockquote', 'td', 'article'])
const MAX_MARKER_CHARACTERS = 40
const MAX_NOTE_CHARACTERS = 20_000

/** Whether an element has one of these types of EPUB or roles of ARIA. */
const hasType = ({ attributes }: HtmlElement, type: RegExp): boolean =>
  type.test(attributes['epub:type'] ?? '') || type.test((attributes.role ?? '').replace(/doc-/g, ''))

const isMarkedReference = (link: HtmlElement): boolean => hasType(link, /(?:^|\s)(?:noteref|annoref)(?:\s|$)/)

/** Whether a link looks like a reference to a note. */
export const looksLikeReference = (link: HtmlElement): boolean =>
  isMarkedReference(link) || MARKER.test(clippedText(link, MAX_MARKER_CHARACTERS) ?? '')

/** Takes the notes of a chapter out of its tree: those that the text before it, or it itself, refers to. */
export const takeNotes = (root: HtmlElement, chapter: string, toName: ToName, store: NoteStore): number => {
  const parents = new Map<HtmlElement, HtmlElement>()
  const all = [...walkElements(root)]
  for (const parent of [root, ...all]) {
    for (const child of parent.children) if (typeof child !== 'string') parents.set(child, parent)
  }
  for (const [position, element] of all.entries()) {
    if (element.name === 'a') addReference(element, { chapter, position, parents, toName }, store)
  }
  if (store.references.size === 0) return 0
  const candidates = new Map<HtmlElement, string[]>()
  for (const [position, element] of all.entries()) {
    const id = element.attributes.id ?? (element.name === 'a' ? element.attributes.name : undefined)
    if (id === undefined) continue
    const name = `${chapter}#${id}`
    const reference = store.references.get(name)
    if (!reference || store.found.has(name)) continue
    // A note leads back by a link that looks like the one to it; what comes first is the text.
    if (!reference.isMarked && reference.chapter === chapter && reference.position > position) continue
    const block = blockOf(element, parents)
    if (block) candidates.set(block, [...(candidates.get(block) ?? []), name])
  }
  const removed = new Set<HtmlElement>()
  for (const [block, names] of candidates) {
    const [name] = names
    // One block with several notes is a page of them, not a note.
    if (name === undefined || names.length > 1) continue
    const reference = store.references.get(name)
    if (!reference || clippedText(block, MAX_NOTE_CHARACTERS) === undefined) continue
    const returns = backLinks(block, reference, toName)
    if (!reference.isMarked && returns.length === 0) continue
    if (isAncestorOfReference(block, reference, chapter)) continue
    for (const element of [...returns, block]) removed.add(element)
    store.found.set(name, block)
  }
  const holders = new Set([...removed].flatMap((element) => parents.get(element) ?? []))
  for (const holder of holders) {
    holder.children = holder.children.filter((child) => typeof child === 'string' || !removed.has(child))
  }
  for (const holder of holders) dropEmptied(holder, parents)
  return removed.size
}

/** Whether a page says nothing but its headings. */
export const hasOnlyHeadings = (element: HtmlElement): boolean =>
  element.children.every((child) => {
    if (typeof child === 'string') return child.trim() === ''
    if (/^h[1-6]$|^head$/.test(child.name)) return true
    return !/^(?:img|image|svg|math|table)$/.test(child.name) && hasOnlyHeadings(child)
  })

/** What held nothing but notes goes with them, and the line above them. */
const dropEmptied = (element: HtmlElement, parents: ReadonlyMap<HtmlElement, HtmlElement>): void => {
  let at: HtmlElement | undefined = element
  while (at && /^(?:ol|ul|dl|div|section|aside)$/.test(at.name) && isEmptied(at)) {
    const parent = parents.get(at)
    removeChild(parent, at)
    at = parent
  }
}

const isEmptied = (element: HtmlElement): boolean =>
  element.children.every((child) =>
    typeof child === 'string'
      ? child.trim() === ''
      : !/^(?:img|image|svg|math|table)$/.test(child.name) && isEmptied(child),
  )

type LinkPlace = {
  chapter: string
  position: number
  parents: ReadonlyMap<HtmlElement, HtmlElement>
  toName: ToName
}

const addReference = (
  link: HtmlElement,
  { chapter, position, parents, toName }: LinkPlace,
  { references }: NoteStore,
): void => {
  const name = toName(link.attributes.href ?? '')
  if (!name?.includes('#') || references.size >= MAX_REFERENCES) return
  const isMarked = isMarkedReference(link)
  const label = clippedText(link, MAX_MARKER_CHARACTERS) ?? ''
  if (!looksLikeReference(link)) return
  const isRaised =
    [...walkElements(link), parents.get(link)].some((element) => element?.name === 'sup') || link.name === 'sup'
  const known = references.get(name) ?? { name, isMarked, label, isRaised, chapter, position, from: new Set<string>() }
  known.isMarked ||= isMarked
  let at: HtmlElement | undefined = link
  for (let steps = 0; at && steps < 3; steps++, at = parents.get(at)) {
    if (at.attributes.id) known.from.add(`${chapter}#${at.attributes.id}`)
    if (at.attributes.name) known.from.add(`${chapter}#${at.attributes.name}`)
    for (const inside of steps === 0 ? walkElements(at) : []) {
      if (inside.attributes.id) known.from.add(`${chapter}#${inside.attributes.id}`)
    }
  }
  references.set(name, known)
}

/** The paragraph, item or the like that an element stands in or is. */
const blockOf = (element: HtmlElement, parents: ReadonlyMap<HtmlElement, HtmlElement>): HtmlElement | undefined => {
  let at: HtmlElement | undefined = element
  while (at && !BLOCKS.has(at.name)) at = at.name === 'body' || /^h[1-6]$/.test(at.name) ? undefined : parents.get(at)
  if (!at) return undefined
  // The item is the note where the paragraph is all that is in it.
  const parent = parents.get(at)
  if (at.name === 'p' && parent && (parent.name === 'li' || parent.name === 'aside')) return parent
  return at
}

const backLinks = (block: HtmlElement, { from }: NoteReference, toName: ToName): HtmlElement[] =>
  [...walkElements(block)].filter((element) => {
    if (element.name !== 'a') return false
    const name = toName(element.attributes.href ?? '')
    const isBack = (name !== undefined && from.has(name)) || hasType(element, /(?:^|\s)(?:backlink|referrer)(?:\s|$)/)
    return isBack && BACK.test(clippedText(element, MAX_MARKER_CHARACTERS) ?? 'long')
  })

/** A reference inside what it refers to is no reference to a note. */
const isAncestorOfReference = (block: HtmlElement, { from }: NoteReference, chapter: string): boolean =>
  [...walkElements(block)].some(
    ({ attributes }) => attributes.id !== undefined && from.has(`${chapter}#${attributes.id}`),
  )

const removeChild = (parent: HtmlElement | undefined, child: HtmlElement): void => {
  if (parent) parent.children = parent.children.filter((node) => node !== child)
}
