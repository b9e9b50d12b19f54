import type { Element } from '../../shared/xml/tree.ts'
import { type BookFacts, emptyFacts, type Person, withoutMarkup } from '../book.ts'
import { childNamed, childrenNamed, localName, textBelow } from '../xml.ts'
import { resolvePath } from './paths.ts'

/** A file that the book names. */
export type ManifestItem = { id: string; path: string; mediaType: string; properties: string[] }

/** What the package document (OPF) says: the files, their order, the facts. */
export type PackageDocument = {
  facts: BookFacts
  items: ReadonlyMap<string, ManifestItem>
  /** Files of the text in reading order, each once. */
  spine: ManifestItem[]
  /** Entries of the spine that name no file. */
  danglingItems: number
  navPath: string | undefined
  ncxPath: string | undefined
  coverId: string | undefined
  /** Where the guide of EPUB 2 says the cover is: a page, or the picture itself. */
  coverPage: string | undefined
}

const MAX_VALUES = 1_000
const MAX_CHARACTERS = 100_000

export const readPackageDocument = (root: Element, opfPath: string): PackageDocument => {
  const metadata = childNamed(root, 'metadata')
  const inner = childNamed(metadata, 'dc-metadata')
  const more = childNamed(metadata, 'x-metadata')
  const fields = [metadata, inner, more].flatMap((element) => element?.children ?? []).filter(isElement)
  const items = readManifest(childNamed(root, 'manifest'), opfPath)
  const spine = childNamed(root, 'spine')
  const named = childrenNamed(spine, 'itemref').map(({ attributes }) => items.get(attributes.idref ?? ''))
  const found = named.filter((item) => item !== undefined)
  const byProperty = (property: string) => [...items.values()].find(({ properties }) => properties.includes(property))
  const guide = childrenNamed(childNamed(root, 'guide'), 'reference')
  const cover = guide.find(({ attributes }) => /cover/i.test(attributes.type ?? ''))?.attributes.href
  return {
    facts: readFacts(fields, root.attributes.version ?? '', spine),
    items,
    spine: [...new Map(found.map((item) => [item.path.toLowerCase(), item])).values()],
    danglingItems: named.length - found.length,
    navPath: byProperty('nav')?.path,
    ncxPath: (
      items.get(spine?.attributes.toc ?? '') ??
      [...items.values()].find(({ mediaType, path }) => /dtbncx/.test(mediaType) || /\.ncx$/i.test(path))
    )?.path,
    coverId: byProperty('cover-image')?.id ?? metaNamed(fields, 'cover') ?? undefined,
    coverPage: cover === undefined ? undefined : resolvePath(cover, opfPath)?.path,
  }
}

const isElement = (node: Element | string): node is Element => typeof node !== 'string'

const readManifest = (manifest: Element | undefined, opfPath: string): Map<string, ManifestItem> => {
  const items = new Map<string, ManifestItem>()
  for (const { attributes } of childrenNamed(manifest, 'item')) {
    const path = resolvePath(attributes.href ?? '', opfPath)?.path
    if (attributes.id === undefined || path === undefined || path === opfPath) continue
    items.set(attributes.id, {
      id: attributes.id,
      path,
      mediaType: (attributes['media-type'] ?? '').toLowerCase(),
      properties: (attributes.properties ?? '').split(/\s+/),
    })
  }
  return items
}

const metaNamed = (fields: readonly Element[], name: string): string | undefined =>
  fields.find((field) => localName(field) === 'meta' && field.attributes.name === name)?.attributes.content

const clip = (text: string): string => text.slice(0, MAX_CHARACTERS)

const readFacts = (fields: readonly Element[], version: string, spine: Element | undefined): BookFacts => {
  const facts = emptyFacts(`epub ${version || 'unknown'}`)
  /** What EPUB 3 says about another entry, by the id of that. */
  const refinements = new Map<string, Map<string, string>>()
  for (const field of fields) {
    const target = field.attributes.refines?.replace(/^#/, '')
    if (localName(field) !== 'meta' || target === undefined || field.attributes.property === undefined) continue
    const known = refinements.get(target) ?? new Map<string, string>()
    known.set(field.attributes.property, textBelow(field))
    refinements.set(target, known)
  }
  const refined = (field: Element, property: string) => refinements.get(field.attributes.id ?? '')?.get(property)
  const toPerson = (field: Element): Person => {
    const role = field.attributes['opf:role'] ?? field.attributes.role ?? refined(field, 'role')
    const fileAs = field.attributes['opf:file-as'] ?? field.attributes['file-as'] ?? refined(field, 'file-as')
    return { name: clip(textBelow(field)), ...(role ? { role } : {}), ...(fileAs ? { fileAs } : {}) }
  }
  for (const field of fields.slice(0, MAX_VALUES)) {
    const text = clip(textBelow(field))
    if (text === '' && localName(field) !== 'meta') continue
    switch (localName(field).toLowerCase()) {
      case 'title':
        if (refined(field, 'title-type') === 'subtitle') facts.subtitle = text
        else facts.title ??= text
        break
      case 'creator':
        facts.creators.push(toPerson(field))
        break
      case 'contributor':
        facts.contributors.push(toPerson(field))
        break
      case 'language':
        facts.languages.push(text)
        break
      case 'identifier': {
        const scheme = field.attributes['opf:scheme'] ?? field.attributes.scheme ?? refined(field, 'identifier-type')
        facts.identifiers.push({ ...(scheme ? { scheme } : {}), value: text })
        break
      }
      case 'publisher':
        facts.publisher ??= text
        break
      case 'date':
        if (/modif/i.test(field.attributes['opf:event'] ?? '')) facts.modified ??= text
        else facts.published ??= text
        break
      case 'description':
        facts.description ??= clip(withoutMarkup(text))
        break
      case 'subject':
        facts.subjects.push(text)
        break
      case 'rights':
        facts.rights ??= text
        break
      case 'meta':
        addMeta(facts, field, text, refined)
    }
  }
  const direction = spine?.attributes['page-progression-direction']
  if (direction) facts.more.pageProgression = direction
  return facts
}

const addMeta = (
  facts: BookFacts,
  field: Element,
  text: string,
  refined: (field: Element, property: string) => string | undefined,
): void => {
  const { name, content, property, refines } = field.attributes
  if (name === 'calibre:series' && content) facts.series = { ...facts.series, name: content }
  if (name === 'calibre:series_index' && content) facts.series = { name: facts.series?.name ?? '', number: content }
  if (/^(?:generator|Sigil version|calibre:version)$/i.test(name ?? '') && content) facts.producer ??= content
  if (refines !== undefined || text === '') return
  if (property === 'dcterms:modified') facts.modified ??= text
  if (property === 'belongs-to-collection' && facts.series === undefined) {
    const number = refined(field, 'group-position')
    facts.series = { name: text, ...(number ? { number } : {}) }
  }
  if (property?.startsWith('rendition:')) facts.more[property] = text
}
