import type { Context, Source } from '../../core/catalog.ts'
import { decodeText, overLimit } from '../shared/decode.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentImage, DocumentModel } from '../shared/document/model.ts'
import { findEncoding } from '../shared/encoding.ts'
import { type HtmlReading, readHtml } from '../shared/html/read-html.ts'
import { createTreeBuilder, type HtmlElement } from '../shared/html/tree.ts'
import { perSource } from '../shared/per-source.ts'
import { readNotebookDocument } from './notebook/notebook-document.ts'

/** A page is held as a tree; what is larger than this is data, not a page. */
const MAX_PAGE_BYTES = 64 * 1_048_576

/** Which part of the page is meant; given for one capability, it holds for all. */
export const contentOption = {
  type: 'enum',
  allowedValues: ['main', 'full'],
  defaultValue: 'main',
  shared: true,
  detail: '`main`: without navigation and what else surrounds the content. `full`: everything a browser shows.',
} as const

/** Whether what the code of a notebook printed and drew is part of it; given for one capability, it holds for all. */
export const outputsOption = {
  type: 'boolean',
  defaultValue: true,
  shared: true,
  detail: 'Of a notebook (ipynb): whether the outputs of its code come along.',
} as const

/** Whether a source is a notebook rather than a page. */
export const isNotebook = ({ extension }: Source): boolean => extension === 'ipynb'

/** The tree of the page, read once for all capabilities. */
export const readTree = perSource(async (source: Source, context: Context): Promise<HtmlElement> => {
  if (source.bytes > MAX_PAGE_BYTES) throw overLimit('pageBytes', MAX_PAGE_BYTES)
  const encoding = await findEncoding(source, context, 'auto')
  const builder = await createTreeBuilder({ xml: source.extension === 'xhtml' })
  for await (const text of decodeText(source, context, encoding)) builder.write(text)
  return builder.endTree()
})

const readPage = perSource(async (source, context, content): Promise<HtmlReading> => {
  return readHtml(await readTree(source, context), { content: content as 'main' | 'full' })
})

/** The page as a document; pictures inside it have a place in the result where they are part of it. */
export const readDocument = async (
  source: Source,
  content: 'main' | 'full',
  context: Context,
  outputs = true,
): Promise<HtmlReading> => {
  const reading = isNotebook(source)
    ? await readNotebookDocument(source, outputs, context)
    : await readPage(source, context, content)
  if (context.selected.has('web.images')) return reading
  const images = reading.document.images.map(({ path: _path, ...image }: DocumentImage) => image)
  return { ...reading, document: { ...reading.document, images } }
}

/** The same, where a page that says nothing is of no use: then undefined, and said so. */
export const readContent = async (
  source: Source,
  content: 'main' | 'full',
  context: Context,
  outputs = true,
): Promise<DocumentModel | undefined> => {
  const { document } = await readDocument(source, content, context, outputs)
  if (hasContent(document)) return document
  context.warn('web.no_text', 'The page shows no text.')
  return undefined
}
