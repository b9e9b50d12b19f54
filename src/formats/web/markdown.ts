import { defineCapability } from '../../core/catalog.ts'
import { imageModeOption, tableFormatOption } from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { contentOption, readContent, readDocument } from './page.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'web.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'CommonMark with the tables of GitHub: headings, lists, tables, links, code, quotes, images.',
  options: { content: contentOption, tableFormat: tableFormatOption, imageMode: imageModeOption },
  async *extract(source, { content, tableFormat, imageMode }, context) {
    const document = await readContent(source, content, context)
    if (!document) return
    yield* writeMarkdownFiles(source, document, { tableFormat, imageMode, headersFooters: 'keep' }, async () => {
      const { inside } = await readDocument(source, content, context)
      const bytes = new Map(inside.map((image) => [image.id, image]))
      return ({ id, url }) => {
        const image = bytes.get(id)
        return image ? `data:${image.mediaType};base64,${image.bytes.toString('base64')}` : url
      }
    })
  },
})
