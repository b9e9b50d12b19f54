import type { Context, Source } from '../../core/catalog.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentModel } from '../shared/document/model.ts'
import { toDocument } from './document.ts'
import { asPptx } from './legacy/as-pptx.ts'
import { readPowerPoint } from './reader/read-presentation.ts'

type SlideValues = { password: string; hiddenSlides: 'keep' | 'drop'; notes: 'keep' | 'drop' }

/** The document model of a presentation; images have paths where the result holds them. */
export const readDocument = async (source: Source, values: SlideValues, context: Context): Promise<DocumentModel> => {
  const presentation = await readPowerPoint(await asPptx(source, context, values.password), context)
  const choice = { notes: values.notes === 'keep', hiddenSlides: values.hiddenSlides === 'keep' }
  const document = toDocument(presentation, choice)
  return context.selected.has('powerpoint.images')
    ? document
    : { ...document, images: document.images.map(({ path: _, ...image }) => image) }
}

/** The same, where a presentation that says nothing is of no use: then undefined, and said so. */
export const readContent = async (
  source: Source,
  values: SlideValues,
  context: Context,
): Promise<DocumentModel | undefined> => {
  const document = await readDocument(source, values, context)
  if (hasContent(document)) return document
  context.warn('powerpoint.no_text', 'The slides hold no text.')
  return undefined
}
