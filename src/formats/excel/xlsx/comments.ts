import type { OfficePackage, Relationships } from '../../shared/ooxml/package.ts'
import { readPart, readTree } from '../../shared/ooxml/read-part.ts'
import { childOf, childrenOf, textOf } from '../../shared/xml/tree.ts'
import { readCellName } from '../cell-reference.ts'
import { withoutAuthor } from '../comment-text.ts'
import type { Comment } from '../workbook.ts'
import { decodeEscapes } from './escapes.ts'

const MAX_COMMENTS = 100_000

/** Notes and threaded comments of a sheet, by the parts it refers to. */
export const readComments = async (
  file: OfficePackage,
  relationships: Relationships,
  persons: ReadonlyMap<string, string>,
): Promise<Comment[]> => {
  const notes: Comment[] = []
  const threads: Comment[] = []
  for (const { type, target } of relationships.values()) {
    if (type === 'comments') await readNotes(file, target, notes)
    else if (type === 'threadedComment') await readThreads(file, target, persons, threads)
  }
  // Of each thread there is a note for older programs, which says no more than that they cannot show it.
  const threaded = new Set(threads.map(({ row, column }) => `${row},${column}`))
  return [...notes.filter(({ row, column }) => !threaded.has(`${row},${column}`)), ...threads].sort(
    (a, b) => a.row - b.row || a.column - b.column,
  )
}

const readNotes = async (file: OfficePackage, part: string, found: Comment[]): Promise<void> => {
  const authors: string[] = []
  let text = ''
  let isText = false
  let phoneticDepth = 0
  let place: { row: number; column: number } | undefined
  let author: string | undefined
  await readPart(file, part, {
    open(name, attributes) {
      if (name === 'x:author') text = ''
      else if (name === 'x:comment') {
        place = readCellName(attributes.ref ?? '')
        author = authors[Number(attributes.authorId)]
        text = ''
      } else if (name === 'x:rPh') phoneticDepth++
      isText = name === 'x:author' || (name === 'x:t' && phoneticDepth === 0)
    },
    close(name) {
      isText = false
      if (name === 'x:author') authors.push(text)
      else if (name === 'x:rPh') phoneticDepth--
      else if (name === 'x:comment' && place && found.length < MAX_COMMENTS) {
        found.push({ ...place, ...(author ? { author } : {}), text: withoutAuthor(decodeEscapes(text).trim(), author) })
      }
    },
    text(piece) {
      if (isText) text += piece
    },
  })
}

const readThreads = async (
  file: OfficePackage,
  part: string,
  persons: ReadonlyMap<string, string>,
  found: Comment[],
): Promise<void> => {
  const root = await readTree(file, part)
  for (const comment of childrenOf(root)) {
    const { ref, personId } = comment.attributes
    const place = readCellName(ref ?? '')
    const prefix = comment.name.slice(0, comment.name.indexOf(':') + 1)
    const text = textOf(childOf(comment, `${prefix}text`)).trim()
    const author = persons.get(personId ?? '')
    if (place && text !== '' && found.length < MAX_COMMENTS)
      found.push({ ...place, ...(author ? { author } : {}), text })
  }
}

/** Names of those who wrote threaded comments, by id. */
export const readPersons = async (file: OfficePackage, relationships: Relationships): Promise<Map<string, string>> => {
  const persons = new Map<string, string>()
  for (const { type, target } of relationships.values()) {
    if (type !== 'person') continue
    for (const { attributes } of childrenOf(await readTree(file, target))) {
      if (attributes.id && attributes.displayName) persons.set(attributes.id, attributes.displayName)
    }
  }
  return persons
}
