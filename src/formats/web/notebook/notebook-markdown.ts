import type { Context, Source } from '../../../core/catalog.ts'
import type { Block, DocumentImage } from '../../shared/document/model.ts'
import type { TableFormat } from '../../shared/document/write-markdown.ts'
import { writeMarkdown } from '../../shared/document/write-markdown.ts'
import type { ImageHref } from '../../shared/document/write-outputs.ts'
import { readCells } from './notebook-document.ts'
import { type Bundle, readImage } from './outputs.ts'

export type NotebookMarkdownOptions = { hasOutputs: boolean; tableFormat: TableFormat; imageHref: ImageHref }

/** A notebook as markdown: what was written as markdown stays as it is, code and outputs stand between. */
export const writeNotebookMarkdown = async (
  source: Source,
  { hasOutputs, tableFormat, imageHref }: NotebookMarkdownOptions,
  context: Context,
): Promise<string[]> => {
  const { cells, images } = await readCells(source, context)
  const write = (blocks: readonly Block[]): string =>
    [
      ...writeMarkdown(
        { pageUnit: 'page', pages: [], blocks, notes: [], images: [...images.byId.values()] },
        { tableFormat, imageHref, headersFooters: 'keep' },
      ),
    ].join('')
  const parts: string[] = []
  for (const { cell, own, outputs } of cells) {
    parts.push(cell.kind === 'markdown' ? placeAttachments(cell.source, cell.attachments, imageHref) : write(own))
    if (!hasOutputs) continue
    for (const [index, blocks] of outputs.entries()) {
      const output = cell.outputs[index]
      parts.push(output?.kind === 'markdown' ? output.text : write(blocks))
    }
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => `${index > 0 ? '\n' : ''}${part}\n`)
}

/** Points the images that are attached to a cell to where the result has them; where it has not, their name stays. */
const placeAttachments = (text: string, attachments: ReadonlyMap<string, Bundle>, imageHref: ImageHref): string => {
  if (attachments.size === 0) return text
  return text.replace(/(!\[[^\]]{0,2000}\]\(\s*<?)attachment:([^)\s>]+)/g, (whole, lead: string, name: string) => {
    const bundle = attachments.get(name) ?? attachments.get(decode(name))
    const image = bundle && readImage(bundle)
    const href = image && imageHref(image as DocumentImage)
    return href ? `${lead}${href}` : whole
  })
}

const decode = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
