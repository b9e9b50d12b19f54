import type { HeadingAnchors } from '../../shared/document/heading-anchors.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'

/** What is gathered while the bodies of a FictionBook are read. */
export type Fb2Reading = {
  readonly budget: Budget
  readonly anchors: HeadingAnchors
  /** Ids of all sections in the bodies of notes. */
  readonly noteIds: Set<string>
  /** Notes that the text refers to, in its order, with what the link shows. */
  readonly references: Map<string, string>
  /** Ids of pictures that the text shows. */
  readonly shown: Set<string>
}
