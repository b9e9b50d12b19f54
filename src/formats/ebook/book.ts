import type { Block, DocumentImage, Note } from '../shared/document/model.ts'

/** Who made a book, and as what. */
export type Person = { name: string; role?: string; fileAs?: string }

/** What a book says about itself. */
export type BookFacts = {
  title?: string
  subtitle?: string
  creators: Person[]
  contributors: Person[]
  languages: string[]
  identifiers: { scheme?: string; value: string }[]
  publisher?: string
  published?: string
  modified?: string
  description?: string
  subjects: string[]
  series?: { name: string; number?: string }
  rights?: string
  /** Kind of file and its version: `epub 3.0`, `mobi 6`. */
  version: string
  producer?: string
  /** Whatever else a format tells. */
  more: Record<string, unknown>
}

export const emptyFacts = (version: string): BookFacts => ({
  creators: [],
  contributors: [],
  languages: [],
  identifiers: [],
  subjects: [],
  version,
  more: {},
})

/** An entry of a table of contents. */
export type TocEntry = { title: string; target?: string; children: TocEntry[] }

/** A picture that the file holds. */
export type Picture = { id: string; path: string; mediaType: string; bytes: number; alt?: string }

/** Reads the content of pictures; who opened it closes it. */
export type PictureReader = { read(picture: Picture): Promise<Buffer>; close(): void }

/** All that is read from a book, whatever its format. */
export type Book = {
  facts: BookFacts
  toc: TocEntry[]
  blocks: Block[]
  notes: Note[]
  /** Images that the text shows. */
  images: DocumentImage[]
  pictures: Picture[]
  openPictures(): Promise<PictureReader>
  cover: Picture | undefined
  /** Files of the book that make up its text. */
  chapters: number
  /** What is missing or could not be read. */
  shortcomings: { code: string; detail: string }[]
}

export const MAX_TOC_ENTRIES = 20_000
export const MAX_TOC_DEPTH = 20

/** Descriptions are often written in HTML; what they say is wanted. */
export const withoutMarkup = (text: string): string =>
  text
    .replace(/<\/?(?:p|div|br|li|h\d)\b[^>]{0,200}>/gi, ' ')
    .replace(/<[^>]{1,200}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
