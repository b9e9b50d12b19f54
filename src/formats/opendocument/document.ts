import type { Context, Source } from '../../core/catalog.ts'
import { hasContent } from '../shared/document/has-content.ts'
import { plainText } from '../shared/document/inline-content.ts'
import type { Block, DocumentModel } from '../shared/document/model.ts'
import { listPictures, withPaths } from './media.ts'
import { openOdf } from './package/open-package.ts'
import { type OdfDocument, readOdf } from './reader/read-document.ts'
import { titleText, toSlideBlocks } from './reader/slides.ts'

type Values = { password: string; hiddenSlides: 'keep' | 'drop'; notes: 'keep' | 'drop' }

/** The document model of an OpenDocument file; images have paths where the result holds them. */
export const readDocument = async (source: Source, values: Values, context: Context): Promise<DocumentModel> => {
  const odf = await readOdf(source, context, values.password)
  if (odf.unreadObjects > 0) {
    context.warn('opendocument.objects_unread', `${odf.unreadObjects} embedded objects are not part of the text.`)
  }
  const model = odf.kind === 'text' ? toTextModel(odf) : toSlideModel(odf, values)
  if (!context.selected.has('opendocument.images')) return model
  const file = await openOdf(source, values.password, context)
  try {
    return { ...model, images: withPaths(model.images, listPictures(file, odf)) }
  } finally {
    file.close()
  }
}

/** The same, where a document that says nothing is of no use: then undefined, and said so. */
export const readContent = async (
  source: Source,
  values: Values,
  context: Context,
): Promise<DocumentModel | undefined> => {
  const document = await readDocument(source, values, context)
  if (hasContent(document)) return document
  context.warn('opendocument.no_text', 'The document holds no text.')
  return undefined
}

const describe = ({ properties, language, images }: OdfDocument, title: string | undefined) => ({
  ...(title ? { title } : {}),
  ...(language ? { language } : {}),
  images: images.map((image) => image),
  ...(properties.said.title ? { title: String(properties.said.title) } : {}),
})

const toTextModel = (odf: OdfDocument): DocumentModel => ({
  ...describe(odf, titleOf(odf.blocks)),
  pageUnit: 'page',
  pages: [],
  blocks: [
    ...odf.furniture.filter(({ role }) => role === 'header'),
    ...odf.blocks,
    ...odf.furniture.filter(({ role }) => role !== 'header'),
  ],
  notes: odf.notes,
})

const titleOf = (blocks: readonly Block[]): string | undefined => {
  const first =
    blocks.find((block) => block.kind === 'paragraph' && block.role === 'title') ??
    blocks.find((block) => block.kind === 'heading')
  return first && 'content' in first ? plainText(first.content).trim() : undefined
}

const toSlideModel = (odf: OdfDocument, values: Values): DocumentModel => {
  const choice = { notes: values.notes === 'keep', hiddenSlides: values.hiddenSlides === 'keep' }
  const slides = odf.slides.filter(({ isHidden }) => choice.hiddenSlides || !isHidden)
  const [first] = slides
  return {
    ...describe(odf, first && titleText(first)),
    pageUnit: odf.kind === 'drawing' ? 'page' : 'slide',
    pages: slides.map((slide) => {
      const title = titleText(slide) ?? slide.name
      return { number: slide.number, ...(title ? { title } : {}) }
    }),
    blocks: slides.flatMap((slide) => toSlideBlocks(slide, 1, choice)),
    notes: odf.notes,
  }
}
