import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import type { DocumentImage } from '../shared/document/model.ts'
import { imageModeOption, referToImage, tableFormatOption } from '../shared/document/options.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { type ImageHref, writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { writeNotebookMarkdown } from './notebook/notebook-markdown.ts'
import { contentOption, isNotebook, outputsOption, readContent, readDocument } from './page.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'web.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'CommonMark with the tables of GitHub: headings, lists, tables, links, code, quotes, images.',
  options: {
    content: contentOption,
    outputs: outputsOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
  },
  async *extract(source, { content, outputs, tableFormat, imageMode }, context) {
    const document = await readContent(source, content, context, outputs)
    if (!document) return
    const embed = async (): Promise<ImageHref> => {
      const { inside } = await readDocument(source, content, context)
      const bytes = new Map(inside.map((image) => [image.id, image]))
      return ({ id, url }) => {
        const image = bytes.get(id)
        return image ? `data:${image.mediaType};base64,${image.bytes.toString('base64')}` : url
      }
    }
    if (isNotebook(source)) {
      const known = new Map(document.images.map((image) => [image.id, image]))
      const imageHref = await chooseHref(imageMode, embed)
      const options = {
        hasOutputs: outputs,
        tableFormat,
        imageHref: ({ id }: DocumentImage) => imageHref(known.get(id) ?? { id }),
      }
      const parts = await writeNotebookMarkdown(source, options, context)
      yield {
        path: artifactPath(source, 'markdown', 'md'),
        mediaType: 'text/markdown; charset=utf-8',
        data: streamPieces(parts),
      }
      return
    }
    yield* writeMarkdownFiles(source, document, { tableFormat, imageMode, headersFooters: 'keep' }, embed)
  },
})

const chooseHref = async (mode: 'reference' | 'embed' | 'omit', embed: () => Promise<ImageHref>): Promise<ImageHref> =>
  mode === 'embed' ? await embed() : mode === 'reference' ? referToImage : () => undefined
