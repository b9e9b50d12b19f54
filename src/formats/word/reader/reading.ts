import type { Block, DocumentImage } from '../../shared/document/model.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import type { OfficePackage, Relationships } from '../../shared/ooxml/package.ts'
import type { Field } from './fields.ts'
import type { Numbering } from './numbering.ts'
import type { Styles } from './styles.ts'

/** A tracked change: the text of the document has insertions taken in and deletions left out. */
export type Change = {
  kind: 'insertion' | 'deletion' | 'moved-from' | 'moved-to'
  author: string | undefined
  date: string | undefined
  text: string
}

/** What is gathered while the parts of one document are read. */
export type Reading = {
  readonly file: OfficePackage
  readonly styles: Styles
  readonly numbering: Numbering
  readonly budget: Budget
  /** By name of the part that holds the image. */
  readonly images: Map<string, DocumentImage>
  /** What the author wrote for those who do not see an image, by the same name. */
  readonly altTexts: Map<string, string>
  /** Notes in the order in which the text refers to them, as `footnote-2`. */
  readonly noteIds: Set<string>
  /** Headings by the bookmarks that stand in them, as anchors. */
  readonly anchors: Map<string, string>
  readonly takenAnchors: Map<string, number>
  /** Blocks that stand for what is in another part, and how to read it. */
  readonly deferred: Map<Block, () => Promise<Block[]>>
  readonly changes: Change[]
  /** What comments are attached to, by comment id. */
  readonly commentedText: Map<string, string>
  /** Relationship ids of headers and footers, by kind, in order. */
  readonly headerFooterIds: { header: Set<string>; footer: Set<string> }
  /** Parts in a foreign format that the document takes in and that are not read. */
  foreignParts: number
  hasInternalLinks: boolean
}

/** What holds while one part is read from its beginning to its end. */
export type PartReading = {
  readonly reading: Reading
  readonly relationships: Relationships
  /** Fields that have begun and not ended; they may span paragraphs. */
  readonly fields: Field[]
  /** Comments whose range has begun and not ended. */
  readonly openComments: Set<string>
}

export const startPart = (reading: Reading, relationships: Relationships): PartReading => ({
  reading,
  relationships,
  fields: [],
  openComments: new Set(),
})

const MAX_CHANGES = 50_000
const MAX_COMMENTED_CHARACTERS = 2_000

/** Notes a change; pieces of one change that follow each other are one. */
export const noteChange = (reading: Reading, change: Change): void => {
  if (change.text === '') return
  const last = reading.changes.at(-1)
  if (last && last.kind === change.kind && last.author === change.author && last.date === change.date) {
    last.text += change.text
  } else if (reading.changes.length < MAX_CHANGES) reading.changes.push(change)
}

/** Adds shown text to the comments that are attached to it. */
export const noteCommentedText = ({ reading, openComments }: PartReading, text: string): void => {
  for (const id of openComments) {
    const known = reading.commentedText.get(id) ?? ''
    if (known.length < MAX_COMMENTED_CHARACTERS)
      reading.commentedText.set(id, (known + text).slice(0, MAX_COMMENTED_CHARACTERS))
  }
}
