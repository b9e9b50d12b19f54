import type { HeadingAnchors } from '../../shared/document/heading-anchors.ts'
import type { MarginComment } from '../../shared/document/margin-comment.ts'
import type { Block, DocumentImage, Note } from '../../shared/document/model.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import type { Counts, ListNumbers } from './number-lists.ts'
import type { Styles } from './styles.ts'

/** A remark in the margin of a text or beside a slide. */
export type Comment = MarginComment & { slide?: number }

/** A tracked change: the text of the document has insertions taken in and deletions left out. */
export type Change = {
  kind: 'insertion' | 'deletion' | 'format'
  author?: string
  date?: string
  text: string
}

/** What another part of the file holds that the text refers to: a formula, the data of a chart, cells. */
export type EmbeddedObject =
  | { kind: 'formula'; text: string; latex?: string }
  | { kind: 'blocks'; blocks: readonly Block[] }

/** What is gathered while one document is read. */
export type Reading = {
  readonly styles: Styles
  readonly budget: Budget
  readonly lists: ListNumbers
  /** Numbers that the headings have come to. */
  readonly outlineCounts: Counts
  /** By name of the part, or by a name of ours for a picture inside the XML. */
  readonly images: Map<string, DocumentImage>
  /** Pictures inside the XML of a flat file. */
  readonly inside: Map<string, Buffer>
  readonly altTexts: Map<string, string>
  readonly notes: Note[]
  readonly anchors: HeadingAnchors
  readonly comments: Comment[]
  readonly openComments: Map<string, Comment>
  readonly changes: Map<string, Change>
  readonly openChanges: Map<string, Change>
  readonly objects: ReadonlyMap<string, EmbeddedObject>
  /** Objects that the text shows and that could not be read. */
  unreadObjects: number
  /** The slide that is being read. */
  slide?: number
}

const MAX_REMARKED_CHARACTERS = 2_000

/** Tells the comments and changes that are open about a piece of text. */
export const noteText = ({ openComments, openChanges, budget }: Reading, text: string): void => {
  budget.countText(text)
  for (const comment of openComments.values()) {
    const known = comment.commentedText ?? ''
    if (known.length < MAX_REMARKED_CHARACTERS) comment.commentedText = (known + text).slice(0, MAX_REMARKED_CHARACTERS)
  }
  for (const change of openChanges.values()) {
    if (change.text.length < MAX_REMARKED_CHARACTERS)
      change.text = (change.text + text).slice(0, MAX_REMARKED_CHARACTERS)
  }
}
