import { createHeadingAnchors, resolveLinks } from '../../shared/document/heading-anchors.ts'
import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, DocumentImage, Note } from '../../shared/document/model.ts'
import { visitBlocks } from '../../shared/document/visit-blocks.ts'
import { type InlineImage, readHtml } from '../../shared/html/read-html.ts'
import { findElement, type HtmlElement, walkElements } from '../../shared/html/tree.ts'
import { createBudget } from '../../shared/ooxml/budget.ts'
import { hasOnlyHeadings, looksLikeReference, type NoteReference, type NoteStore, takeNotes } from './find-notes.ts'
import { prepareChapter } from './prepare-chapter.ts'
import { type PlaceTitle, promoteTitles } from './promote-titles.ts'

/** What a book must tell so that its chapters can be read. */
export type ChapterSource = {
  /** The image behind an address in a chapter; undefined where the book does not hold it. */
  findImage(src: string, chapter: string): DocumentImage | undefined
  /** The name of a place in the book (`chapter` or `chapter#id`); undefined where a link leads out of it. */
  findPlace(href: string, chapter: string): string | undefined
  /** What the table of contents calls places of a chapter. */
  titlesOf(chapter: string): readonly PlaceTitle[]
}

/** What came of all chapters. */
export type ChapterReading = {
  blocks: Block[]
  notes: Note[]
  images: DocumentImage[]
  inside: InlineImage[]
  missingImages: number
}

export type ChapterReader = { add(chapter: string, root: HtmlElement): void; finish(): ChapterReading }

/** Reads the chapters of a book, one after the other, into one document. */
export const createChapterReader = (source: ChapterSource): ChapterReader => {
  const anchors = createHeadingAnchors()
  const budget = createBudget()
  const store: NoteStore = { references: new Map(), found: new Map() }
  const images = new Map<string, DocumentImage>()
  const inside = new Map<string, InlineImage>()
  const blocks: Block[] = []
  const idNames = new Map<string, string>()
  let missingImages = 0

  const noteId = (name: string): string => {
    const reference = store.references.get(name)
    if (reference && reference.id === undefined) {
      reference.id = `note-${idNames.size + 1}`
      idNames.set(reference.id, name)
    }
    return reference?.id ?? ''
  }

  const read = (root: HtmlElement, chapter: string, namesOf: ReadonlyMap<HtmlElement, string[]>): Block[] => {
    const place = (href: string) => source.findPlace(href, chapter)
    const { document, inside: own } = readHtml(root, {
      findImage: (src) => source.findImage(src, chapter),
      findLink(href) {
        const name = place(href)
        return name === undefined ? outsideLink(href) : `#${name}`
      },
      findNote(link) {
        const name = place(link.attributes.href ?? '')
        if (name === undefined || !store.references.has(name)) return undefined
        return looksLikeReference(link) ? noteId(name) : undefined
      },
      onHeading: (element, heading) => anchors.add(plainText(heading.content), namesOf.get(element) ?? []),
    })
    for (const image of document.images) images.set(image.id, image)
    for (const image of own) inside.set(image.id, image)
    visitBlocks(document.blocks, {
      blocks: (list) => budget.countBlocks(list.length),
      inline: (inline) => budget.countText(inline.kind === 'text' ? inline.text : ''),
    })
    return [...document.blocks]
  }

  return {
    add(chapter, root) {
      const { missingImages: missing } = prepareChapter(
        root,
        (src) => src.startsWith('data:') || source.findImage(src, chapter) !== undefined,
      )
      missingImages += missing
      const taken = takeNotes(root, chapter, (href) => source.findPlace(href, chapter), store)
      if (taken > 0 && hasOnlyHeadings(root)) return
      promoteTitles(findElement(root, 'body') ?? root, source.titlesOf(chapter))
      blocks.push(...read(root, chapter, nameHeadings(root, chapter)))
    },
    finish() {
      const readNote = (element: HtmlElement, name: string): Block[] =>
        read({ name: '', attributes: {}, children: element.children }, name.replace(/#.*$/, ''), new Map())
      const notes = readNotes(store, idNames, readNote)
      const known = new Set(notes.map(({ id }) => id))
      // What was taken for a note and is none stays part of the text.
      for (const [name, element] of store.found) {
        if (!known.has(store.references.get(name)?.id ?? '')) blocks.push(...readNote(element, name))
      }
      // A reference without its note is what it shows.
      dropReferences([...blocks, ...notes.flatMap((note) => note.blocks)], known, (id) =>
        store.references.get(idNames.get(id) ?? ''),
      )
      resolveLinks(anchors, [...blocks, ...notes.flatMap((note) => note.blocks)])
      return { blocks, notes, images: [...images.values()], inside: [...inside.values()], missingImages }
    },
  }
}

const outsideLink = (href: string): string | undefined =>
  /^(?:https?|ftp|mailto|tel|doi|urn):/i.test(href.trim()) ? href.trim() : undefined

/** Names under which links know headings: ids in them, and those that stand right before them. */
const nameHeadings = (root: HtmlElement, chapter: string): Map<HtmlElement, string[]> => {
  const names = new Map<HtmlElement, string[]>()
  const body = findElement(root, 'body') ?? root
  let pending = [chapter]
  const visit = (element: HtmlElement): void => {
    if (/^h[1-6]$/.test(element.name)) {
      const inside = [element, ...walkElements(element)].flatMap(idsOf)
      names.set(element, [...pending, ...inside.map((id) => `${chapter}#${id}`)])
      pending = []
      return
    }
    pending.push(...idsOf(element).map((id) => `${chapter}#${id}`))
    for (const child of element.children) {
      if (typeof child !== 'string') visit(child)
      else if (child.trim() !== '') pending = pending.filter((name) => name === chapter)
    }
  }
  visit(body)
  return names
}

const idsOf = ({ name, attributes }: HtmlElement): string[] => [
  ...(attributes.id ? [attributes.id] : []),
  ...(name === 'a' && attributes.name ? [attributes.name] : []),
]

const readNotes = (
  { references, found }: NoteStore,
  idNames: ReadonlyMap<string, string>,
  read: (element: HtmlElement, name: string) => Block[],
): Note[] => {
  const notes: Note[] = []
  // Notes may refer to notes, which then come to the end of the list.
  for (const [id, name] of idNames) {
    const element = found.get(name)
    if (!element) continue
    const blocks = trimLead(read(element, name))
    const label = references.get(name)?.label.replace(/^[[(]|[\])]?\.?$/g, '')
    if (blocks.length > 0) notes.push({ id, kind: 'footnote', ...(label ? { label } : {}), blocks })
  }
  return notes
}

/** What is left of a number whose link was taken away. */
const trimLead = (blocks: Block[]): Block[] => {
  const [first, ...others] = blocks
  if (first?.kind !== 'paragraph') return blocks
  const [lead, ...content] = first.content
  if (lead?.kind !== 'text') return blocks
  const text = lead.text.replace(/^[\s.:)\]}–—-]+(?=\S)|^[\s.:)\]}]+$/, '')
  return [{ ...first, content: text === '' ? content : [{ ...lead, text }, ...content] }, ...others]
}

const dropReferences = (
  blocks: readonly Block[],
  known: ReadonlySet<string>,
  referenceOf: (id: string) => NoteReference | undefined,
): void =>
  visitBlocks(blocks, {
    inline(inline) {
      if (inline.kind !== 'note' || known.has(inline.id)) return
      const { label = '', isRaised = false } = referenceOf(inline.id) ?? {}
      const href = `#${referenceOf(inline.id)?.name ?? ''}`
      Object.assign(inline, { kind: 'text', text: label, href, ...(isRaised ? { script: 'super' } : {}) })
      Reflect.deleteProperty(inline, 'id')
    },
  })
