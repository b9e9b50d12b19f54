/**
 * What a document says, whatever file it came from: every document family fills this model, and the text, markdown, JSON
 * and chunk writers read it.
 *
 * - *block*: a piece of the flow with a kind (heading, paragraph, item, table, …), in reading order
 * - *inline*: what stands in a line of a block: styled text, a line break, a reference to a note, an image
 * - *page*: what the source is divided into, if it is: pages of paper, slides
 * - *furniture*: running headers, running footers and page numbers, which belong to the page and not to the text
 * - *note*: a footnote, endnote or comment, kept apart from the flow and referred to from it
 */

/** A rectangle on a page, from its top left corner, in points (1/72 inch). */
export type Box = { x: number; y: number; width: number; height: number }

/** Styled text. Spaces are part of the text; a line break is never in it. */
export type TextInline = {
  kind: 'text'
  text: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  code?: boolean
  script?: 'super' | 'sub'
  href?: string
}
export type Inline =
  | TextInline
  | { kind: 'break' }
  /** `id` is that of one of the document's notes. */
  | { kind: 'note'; id: string }
  /** `image` is the id of one of the document's images. */
  | { kind: 'image'; image: string; alt?: string }
  | { kind: 'formula'; text: string; latex?: string }

/** Where a block stands and how sure we are of it. */
export type Placed = {
  /** 1-based number of one of the document's pages. A block that goes on over a page break stands where it begins. */
  page?: number
  box?: Box
  /** 0 to 1; absent where nothing was guessed. */
  confidence?: number
  direction?: 'rtl'
}

export type Heading = Placed & { kind: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; content: readonly Inline[] }
export type Paragraph = Placed & {
  kind: 'paragraph'
  content: readonly Inline[]
  /** `caption`: of a table or figure. `aside`: a sidebar or pull quote, outside the main flow. */
  role?: 'title' | 'subtitle' | 'caption' | 'aside'
}
/** One item of a list. Items that follow each other make the list; `depth` 0 is the outermost. */
export type Item = Placed & {
  kind: 'item'
  depth: number
  ordered: boolean
  /** As it stood in the source: `•`, `3.`, `(b)`. */
  marker: string
  checked?: boolean
  content: readonly Inline[]
  /** What else is in the item, after its first paragraph. */
  more?: readonly Block[]
}
export type Cell = {
  blocks: readonly Block[]
  /** Columns and rows that it covers; 1 unless told. */
  columnSpan?: number
  rowSpan?: number
  header?: boolean
  box?: Box
}
/** Rows hold only the cells that begin in them, as in HTML: what a span covers is left out. */
export type Table = Placed & {
  kind: 'table'
  rows: readonly (readonly Cell[])[]
  /** How many rows at the top are headers. */
  headerRows: number
  caption?: readonly Inline[]
  /** Other pages it goes on over, with its box there. */
  continued?: readonly { page: number; box: Box }[]
}
export type Code = Placed & { kind: 'code'; text: string; language?: string }
export type Quote = Placed & { kind: 'quote'; blocks: readonly Block[] }
export type ImageBlock = Placed & { kind: 'image'; image: string; alt?: string; caption?: readonly Inline[] }
export type Formula = Placed & { kind: 'formula'; text: string; latex?: string; label?: string }
export type Rule = Placed & { kind: 'rule' }
/** A break that the author set; where pages merely end, the `page` of the blocks tells. */
export type PageBreak = Placed & { kind: 'page-break' }
export type Furniture = Placed & {
  kind: 'furniture'
  role: 'header' | 'footer' | 'page-number'
  content: readonly Inline[]
}
export type Block =
  | Heading
  | Paragraph
  | Item
  | Table
  | Code
  | Quote
  | ImageBlock
  | Formula
  | Rule
  | PageBreak
  | Furniture

export type Note = {
  id: string
  kind: 'footnote' | 'endnote' | 'comment'
  /** As it stood in the source: `1`, `*`. */
  label?: string
  author?: string
  page?: number
  blocks: readonly Block[]
}

export type Page = {
  number: number
  /** As printed in the source, where it has such names: `iv`, `A-3`. */
  label?: string
  /** Points. */
  width?: number
  height?: number
  /** How its text was read; `text` unless told. */
  source?: 'text' | 'ocr' | 'none'
  /** A slide's or sheet's own name. */
  title?: string
}

/** An image that blocks refer to. `path` is where the result holds it, once it was written there. */
export type DocumentImage = {
  id: string
  path?: string
  /** Where it lies outside the result; it is never fetched. */
  url?: string
  mediaType?: string
  /** Pixels. */
  width?: number
  height?: number
}

export type DocumentModel = {
  title?: string
  language?: string
  /** What `pages` are. */
  pageUnit: 'page' | 'slide'
  pages: readonly Page[]
  blocks: readonly Block[]
  notes: readonly Note[]
  images: readonly DocumentImage[]
}
