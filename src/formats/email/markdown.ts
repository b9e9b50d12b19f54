import { defineCapability } from '../../core/catalog.ts'
import type { DocumentImage } from '../shared/document/model.ts'
import { imageModeOption, referToImage, tableFormatOption } from '../shared/document/options.ts'
import { writeMarkdown } from '../shared/document/write-markdown.ts'
import type { InlineImage } from '../shared/html/read-html.ts'
import type { Attachment } from './mail.ts'
import { headersOption, messagesOption, readingOptions } from './options.ts'
import type { ReadDocument } from './read-documents.ts'
import { writeMessages } from './write-messages.ts'

/** A message with its structure. */
export const markdown = defineCapability({
  id: 'email.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail:
    'Markdown: the subject as heading, sender, recipients and date, the body with quoted text as quotes, images in place, invitations, attached messages, a list of the attachments.',
  options: {
    ...readingOptions,
    messages: messagesOption,
    headers: headersOption,
    tableFormat: tableFormatOption,
    imageMode: imageModeOption,
  },
  async *extract(source, options, context) {
    yield* writeMessages(source, options, context, {
      folder: 'markdown',
      extension: 'md',
      mediaType: 'text/markdown; charset=utf-8',
      headers: options.headers ? 'heading' : 'none',
      separator: '\n---\n\n',
      write: (read) =>
        writeMarkdown(read.document, {
          tableFormat: options.tableFormat,
          headersFooters: 'keep',
          imageHref: chooseHref(options.imageMode, read),
        }),
    })
  },
})

type ImageHref = (image: DocumentImage) => string | undefined

const chooseHref = (mode: 'reference' | 'embed' | 'omit', read: ReadDocument): ImageHref => {
  if (mode === 'omit') return () => undefined
  return mode === 'embed' ? embedImages(read) : referToImage
}

/** More than this in one file is of no use to anybody. */
const MAX_EMBEDDED_BYTES = 32 * 1_048_576

const embedImages = ({ attached, inside }: ReadDocument): ImageHref => {
  let left = MAX_EMBEDDED_BYTES
  const own = new Map(inside.map((image) => [image.id, image]))
  return ({ id, url }) => {
    const bytes = own.get(id)?.bytes ?? readWhole(attached.get(id), left)
    if (!bytes) return url
    left -= bytes.length
    return `data:${typeOf(own.get(id), attached.get(id))};base64,${bytes.toString('base64')}`
  }
}

const typeOf = (own: InlineImage | undefined, attachment: Attachment | undefined): string =>
  own?.mediaType ?? attachment?.mediaType ?? 'application/octet-stream'

const readWhole = (attachment: Attachment | undefined, maxBytes: number): Buffer | undefined => {
  const pieces: Buffer[] = []
  let length = 0
  for (const piece of attachment?.read() ?? []) {
    length += piece.length
    if (length > maxBytes) return undefined
    pieces.push(piece)
  }
  return length > 0 ? Buffer.concat(pieces) : undefined
}
