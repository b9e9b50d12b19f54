import type { Block, Cell, DocumentModel, Inline, Item, Paragraph, Table, TextInline } from './model.ts'

/** Text with a style, for tests. */
export const styled = (text: string, style: Partial<TextInline> = {}): TextInline => ({ kind: 'text', text, ...style })

const inlines = (content: string | readonly Inline[]): readonly Inline[] =>
  typeof content === 'string' ? [styled(content)] : content

export const paragraph = (content: string | readonly Inline[], page?: number): Paragraph => ({
  kind: 'paragraph',
  content: inlines(content),
  ...(page === undefined ? {} : { page }),
})

export const heading = (level: 1 | 2 | 3, content: string | readonly Inline[], page?: number): Block => ({
  kind: 'heading',
  level,
  content: inlines(content),
  ...(page === undefined ? {} : { page }),
})

export const item = (marker: string, content: string | readonly Inline[], more: Partial<Item> = {}): Item => ({
  kind: 'item',
  depth: 0,
  ordered: /[\da-z]/i.test(marker),
  marker,
  content: inlines(content),
  ...more,
})

export const cell = (text: string, more: Partial<Cell> = {}): Cell => ({
  blocks: text === '' ? [] : [paragraph(text)],
  ...more,
})

export const table = (rows: readonly (readonly (string | Cell)[])[], more: Partial<Table> = {}): Table => ({
  kind: 'table',
  headerRows: 1,
  rows: rows.map((row) => row.map((each) => (typeof each === 'string' ? cell(each) : each))),
  ...more,
})

/** A document of these blocks. */
export const documentOf = (blocks: readonly Block[], more: Partial<DocumentModel> = {}): DocumentModel => ({
  pageUnit: 'page',
  pages: [],
  notes: [],
  images: [],
  blocks,
  ...more,
})
