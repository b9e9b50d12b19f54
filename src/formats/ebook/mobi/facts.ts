import { type BookFacts, emptyFacts, withoutMarkup } from '../book.ts'
import type { MobiHeader } from './header.ts'

const MAX_VALUES = 200
const MAX_CHARACTERS = 100_000

/** What the header of a book says about it. */
export const readFacts = ({ extended, encoding, title, version }: MobiHeader): BookFacts => {
  const decoder = new TextDecoder(encoding)
  const texts = (type: number): string[] =>
    (extended.get(type) ?? [])
      .slice(0, MAX_VALUES)
      .map((bytes) => decoder.decode(bytes.subarray(0, MAX_CHARACTERS)).trim())
      .filter((text) => text !== '')
  const [publisher] = texts(101)
  const [description] = texts(103)
  const [published] = texts(106)
  const [rights] = texts(109)
  const [updatedTitle] = texts(503)
  const [producer] = texts(535)
  const facts = emptyFacts(version >= 8 ? `kf8 ${version}` : `mobi ${version}`)
  const named = updatedTitle ?? title
  if (named) facts.title = named
  facts.creators.push(...texts(100).map((name) => ({ name })))
  facts.contributors.push(...texts(108).map((name) => ({ name })))
  facts.languages.push(...texts(524))
  facts.subjects.push(...texts(105).flatMap((text) => text.split(/\s*;\s*/)))
  facts.identifiers.push(
    ...texts(104).map((value) => ({ scheme: 'ISBN', value })),
    ...texts(113).map((value) => ({ scheme: 'ASIN', value })),
    ...texts(112).map((value) => ({ scheme: 'source', value })),
  )
  if (publisher) facts.publisher = publisher
  if (description) facts.description = withoutMarkup(description)
  if (published) facts.published = published
  if (rights) facts.rights = rights
  if (producer) facts.producer = producer
  const [direction] = texts(527)
  if (direction) facts.more.pageProgression = direction
  return facts
}
