import type { Context, Source } from '../../../core/catalog.ts'
import { createHeadingAnchors, resolveLinks } from '../../shared/document/heading-anchors.ts'
import { plainText } from '../../shared/document/inline-content.ts'
import type { Block, DocumentImage, Note } from '../../shared/document/model.ts'
import { visitBlocks } from '../../shared/document/visit-blocks.ts'
import { createBudget } from '../../shared/ooxml/budget.ts'
import { makePause } from '../../shared/read-chunks.ts'
import type { Element } from '../../shared/xml/tree.ts'
import { type Book, MAX_TOC_ENTRIES, type Picture } from '../book.ts'
import { childNamed, childrenNamed, localName } from '../xml.ts'
import { readDescription } from './description.ts'
import { openFb2 } from './open-fb2.ts'
import { listSections, readBlocks } from './read-blocks.ts'
import type { Fb2Reading } from './reading.ts'
import { scanFb2 } from './scan-fb2.ts'
import { createSpool } from './spool-pictures.ts'

const MAX_BODIES = 1_000

/** Reads a FictionBook. */
export const readFb2 = async (source: Source, context: Context): Promise<Book> => {
  const spool = createSpool(context.scratch)
  const bodies: Element[] = []
  let description: Element | undefined
  await scanFb2(
    openFb2(source, context),
    {
      description: (element) => (description ??= element),
      body(element) {
        if (bodies.length < MAX_BODIES) bodies.push(element)
      },
      beginBinary: spool.begin,
      binaryPiece: spool.add,
      endBinary: spool.end,
    },
    makePause(context),
  )
  const { facts, cover } = readDescription(description)
  const texts = bodies.filter((body, index) => index === 0 || !isNotes(body))
  const noteBodies = bodies.filter((body) => !texts.includes(body))
  const reading: Fb2Reading = {
    budget: createBudget(),
    anchors: createHeadingAnchors(),
    noteIds: new Set(noteBodies.flatMap(sectionsOf).flatMap(({ attributes }) => attributes.id ?? [])),
    references: new Map(),
    shown: new Set(),
  }
  const blocks = texts.flatMap((body) => readBlocks(body, reading, 1))
  const { notes, rest } = readNotes(noteBodies, reading)
  blocks.push(...rest)
  settleReferences([...blocks, ...notes.flatMap((note) => note.blocks)], notes, reading)
  resolveLinks(reading.anchors, [...blocks, ...notes.flatMap((note) => note.blocks)])
  const byId = new Map(spool.pictures.map((picture) => [picture.id, picture]))
  const missing = [...reading.shown].filter((id) => !byId.has(id)).length
  const counter = { left: MAX_TOC_ENTRIES }
  return {
    facts,
    toc: texts.flatMap((body) => listSections(body, counter)),
    blocks: dropMissing(blocks, byId),
    notes,
    images: [...reading.shown].flatMap((id) => toImage(byId.get(id))),
    pictures: spool.pictures,
    openPictures: spool.open,
    cover: cover === undefined ? undefined : byId.get(cover),
    chapters: texts.flatMap((body) => childrenNamed(body, 'section')).length,
    shortcomings:
      missing > 0
        ? [{ code: 'ebook.images_missing', detail: `${missing} images that the text shows are not in the file.` }]
        : [],
  }
}

const isNotes = ({ attributes }: Element): boolean => /^(?:notes?|comments?|footnotes?)$/i.test(attributes.name ?? '')

const toImage = (picture: Picture | undefined): DocumentImage[] =>
  picture ? [{ id: picture.id, path: picture.path, mediaType: picture.mediaType }] : []

const sectionsOf = (parent: Element): Element[] =>
  childrenNamed(parent, 'section').flatMap((section) => [section, ...sectionsOf(section)])

/** Notes that the text refers to, in its order; what it never refers to stays part of the text. */
const readNotes = (bodies: readonly Element[], reading: Fb2Reading): { notes: Note[]; rest: Block[] } => {
  const sections = new Map(
    bodies
      .flatMap(sectionsOf)
      .flatMap((section): [string, Element][] => (section.attributes.id ? [[section.attributes.id, section]] : [])),
  )
  const notes: Note[] = []
  // Notes may refer to notes, which then come to the end of the list.
  for (const [id, shown] of reading.references) {
    const section = sections.get(id)
    if (!section) continue
    const label = shown.replace(/^[[({]|[\])}]$/g, '').trim()
    const title = childNamed(section, 'title')
    const children = section.children.filter((child) => child !== title)
    const blocks = readBlocks({ ...section, children }, reading, 6)
    if (blocks.length > 0) notes.push({ id, kind: 'footnote', ...(label ? { label } : {}), blocks })
  }
  const taken = new Set(notes.map(({ id }) => id))
  const rest = bodies.flatMap((body) => {
    const left = withoutTaken(body, taken)
    return left ? readBlocks(left, reading, 1) : []
  })
  return { notes, rest }
}

/** A body without the notes that were taken; undefined where nothing but its title is left. */
const withoutTaken = (element: Element, taken: ReadonlySet<string>): Element | undefined => {
  if (taken.has(element.attributes.id ?? '')) return undefined
  const children = element.children.flatMap((child): (Element | string)[] => {
    if (typeof child === 'string' || localName(child) !== 'section') return [child]
    const left = withoutTaken(child, taken)
    return left ? [left] : []
  })
  const says = children.some((child) => typeof child !== 'string' && !/^(?:title|empty-line)$/.test(localName(child)))
  return says ? { ...element, children } : undefined
}

/** A reference without its note is what it shows. */
const settleReferences = (blocks: readonly Block[], notes: readonly Note[], { references }: Fb2Reading): void => {
  const known = new Set(notes.map(({ id }) => id))
  visitBlocks(blocks, {
    inline(inline) {
      if (inline.kind !== 'note' || known.has(inline.id)) return
      const text = references.get(inline.id) ?? ''
      Object.assign(inline, { kind: 'text', text })
      Reflect.deleteProperty(inline, 'id')
    },
  })
}

const dropMissing = (blocks: Block[], known: ReadonlyMap<string, Picture>): Block[] => {
  visitBlocks(blocks, {
    blocks(list) {
      for (const [index, block] of list.entries()) {
        if (
          !('content' in block) ||
          !block.content.some((inline) => inline.kind === 'image' && !known.has(inline.image))
        )
          continue
        const content = block.content.filter((inline) => inline.kind !== 'image' || known.has(inline.image))
        list[index] = { ...block, content }
      }
      const kept = list.filter((block) => block.kind !== 'image' || known.has(block.image))
      if (kept.length < list.length) list.splice(0, list.length, ...kept)
    },
  })
  return blocks.filter((block) => !('content' in block) || plainText(block.content) !== '' || block.content.length > 0)
}
