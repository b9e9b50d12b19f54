import type { Inline, Table } from '../document/model.ts'
import type { Edges } from './geometry.ts'
import type { Marker } from './markers.ts'

/** A line of monospace text: what stands on it, set in columns of characters. */
export type CodeLine = { text: string; x: number; y: number; bottom: number; characterWidth: number }

/** What the structure tree says a paragraph is. */
export type Tagged =
  | { as: 'heading'; level?: number }
  | { as: 'paragraph' | 'caption' | 'note' | 'aside' }
  | { as: 'item'; depth: number; label?: string }

/**
 * A paragraph as found on its page, with what tells in the end what it is. All its fields are always there: objects of one
 * shape are read faster.
 */
export type TextDraft = {
  kind: 'text'
  page: number
  box: Edges
  /** Changed in place when references to notes are found. */
  content: readonly Inline[]
  text: string
  /** Its lines as typed, where all is monospace. */
  codeLines: readonly CodeLine[] | undefined
  lines: number
  size: number
  /** Shares of its characters, 0 to 1. */
  bold: number
  italic: number
  monospace: number
  color: string
  font: string
  marker: Marker | undefined
  /** Left edge of the text after the marker. */
  textLeft: number
  /** Edges of its column. */
  left: number
  right: number
  /** Gaps to what stands above and below in its column, in sizes of its text; infinite at the ends. */
  gapAbove: number
  gapBelow: number
  /** Whether its last line reaches the right edge of the column. */
  isFull: boolean
  isIndented: boolean
  isCentred: boolean
  rightToLeft: boolean
  /** Where it stands apart at the edge of the page, or turned. */
  zone: 'top' | 'bottom' | 'side' | undefined
  /** Where a tagged paragraph stands near the edge of the page; on many pages, it is a running line all the same. */
  edge: 'top' | 'bottom' | undefined
  /** Whether other lines stand on its height, at the edge of the page. */
  isBeside: boolean | undefined
  /** Number of the panel of its page that it stands in. */
  panel: number | undefined
  /** Number of the column of its page. */
  column: number
  /** Whether it ends in a number set apart, as entries of a table of contents do. */
  isEntry: boolean
  /** Whether a rule stands between it and what is above. */
  isUnderRule: boolean
  confidence: number | undefined
  tagged: Tagged | undefined
  /** Pages that it went on over were joined to it. */
  endPage: number | undefined
}
export type TableDraft = { kind: 'table'; page: number; box: Edges; table: Table; column: number; panel?: number }
export type ImageDraft = {
  kind: 'image'
  page: number
  box: Edges
  image: string
  alt?: string
  column: number
  panel?: number
}
export type Draft = TextDraft | TableDraft | ImageDraft
