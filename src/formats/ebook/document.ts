import type { Context, Source } from '../../core/catalog.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentModel } from '../shared/document/model.ts'
import { readBook } from './read-book.ts'

/** The document model of a book; images have paths where the result holds them. */
export const readDocument = async (source: Source, context: Context): Promise<DocumentModel> => {
  const { facts, blocks, notes, images, shortcomings } = await readBook(source, context)
  for (const { code, detail } of shortcomings) context.warn(code, detail)
  const [language] = facts.languages
  return {
    ...(facts.title ? { title: facts.title } : {}),
    ...(language ? { language } : {}),
    pageUnit: 'page',
    pages: [],
    blocks,
    notes,
    images: context.selected.has('ebook.images') ? images : images.map(({ path: _, ...image }) => image),
  }
}

/** The same, where a book that says nothing is of no use: then undefined, and said so. */
export const readContent = async (source: Source, context: Context): Promise<DocumentModel | undefined> => {
  const document = await readDocument(source, context)
  if (hasContent(document)) return document
  context.warn('ebook.no_text', 'The book holds no text.')
  return undefined
}
