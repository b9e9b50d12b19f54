import type { Context, Source } from '../../core/catalog.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentModel } from '../shared/document/model.ts'
import { asDocx } from './legacy/as-docx.ts'
import { readWord } from './reader/read-document.ts'

/** The document model of a Word file; images have paths where the result holds them. */
export const readDocument = async (source: Source, context: Context, password: string): Promise<DocumentModel> => {
  const { model, foreignParts } = await readWord(await asDocx(source, context, password), context)
  if (foreignParts > 0) {
    context.warn(
      'word.foreign_content',
      `${foreignParts} pieces in another format (RTF, a web archive, another document) are not part of the text.`,
    )
  }
  return context.selected.has('word.images') ? model : { ...model, images: model.images.map(withoutPath) }
}

/** The same, where a document that says nothing is of no use: then undefined, and said so. */
export const readContent = async (
  source: Source,
  context: Context,
  password: string,
): Promise<DocumentModel | undefined> => {
  const document = await readDocument(source, context, password)
  if (hasContent(document)) return document
  context.warn('word.no_text', 'The document holds no text.')
  return undefined
}

const withoutPath = ({ path: _, ...image }: DocumentModel['images'][number]) => image
