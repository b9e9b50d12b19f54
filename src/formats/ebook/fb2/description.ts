import type { Element } from '../../shared/xml/tree.ts'
import { type BookFacts, emptyFacts, type Person } from '../book.ts'
import { childNamed, childrenNamed, localName, textBelow } from '../xml.ts'
import { hrefOf } from './read-inlines.ts'

const MAX_CHARACTERS = 100_000
const clip = (element: Element | undefined): string => textBelow(element).slice(0, MAX_CHARACTERS)

/** Facts of a FictionBook, and the id of its cover. */
export const readDescription = (
  description: Element | undefined,
): { facts: BookFacts; cover: string | undefined; annotation: Element | undefined } => {
  const about = childNamed(description, 'title-info')
  const file = childNamed(description, 'document-info')
  const print = childNamed(description, 'publish-info')
  const facts = emptyFacts('fb2')
  const set = (key: 'title' | 'publisher' | 'published' | 'description', value: string): void => {
    if (value !== '') facts[key] ??= value
  }
  set('title', clip(childNamed(about, 'book-title')))
  set('publisher', clip(childNamed(print, 'publisher')))
  set('published', clip(childNamed(print, 'year')))
  const written = childNamed(about, 'date')
  set('published', written?.attributes.value || clip(written))
  set('description', clip(childNamed(about, 'annotation')))
  facts.creators.push(...childrenNamed(about, 'author').flatMap((author) => toPerson(author, 'aut')))
  facts.contributors.push(...childrenNamed(about, 'translator').flatMap((person) => toPerson(person, 'trl')))
  facts.languages.push(...[clip(childNamed(about, 'lang'))].filter(Boolean))
  facts.subjects.push(
    ...childrenNamed(about, 'genre').map(clip),
    ...clip(childNamed(about, 'keywords')).split(/\s*[,;]\s*/),
  )
  facts.subjects = facts.subjects.filter(Boolean)
  const isbn = clip(childNamed(print, 'isbn'))
  const id = clip(childNamed(file, 'id'))
  if (isbn !== '') facts.identifiers.push({ scheme: 'ISBN', value: isbn })
  if (id !== '') facts.identifiers.push({ scheme: 'fb2', value: id })
  const sequence = childNamed(about, 'sequence') ?? childNamed(print, 'sequence')
  if (sequence?.attributes.name) {
    const { name, number } = sequence.attributes
    facts.series = { name, ...(number ? { number } : {}) }
  }
  const program = clip(childNamed(file, 'program-used'))
  if (program !== '') facts.producer = program
  const original = clip(childNamed(about, 'src-lang'))
  if (original !== '') facts.more.originalLanguage = original
  const custom = childrenNamed(description, 'custom-info').map((info) => [
    info.attributes['info-type'] ?? 'info',
    clip(info),
  ])
  if (custom.length > 0) facts.more.custom = custom.map(([type, text]) => ({ type, text }))
  const images = (childNamed(about, 'coverpage')?.children ?? []).filter((child) => typeof child !== 'string')
  const cover = images.find((child) => localName(child) === 'image')
  return {
    facts,
    cover: cover && hrefOf(cover).replace(/^#/, ''),
    annotation: childNamed(about, 'annotation'),
  }
}

const toPerson = (element: Element, role: string): Person[] => {
  const part = (name: string) => clip(childNamed(element, name))
  const name =
    [part('first-name'), part('middle-name'), part('last-name')].filter(Boolean).join(' ') || part('nickname')
  const fileAs = [part('last-name'), [part('first-name'), part('middle-name')].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  return name === '' ? [] : [{ name, role, ...(part('last-name') === '' ? {} : { fileAs }) }]
}
