import { defineCapability } from '../../core/catalog.ts'
import { streamAttachment } from './attachments.ts'
import { readingOptions } from './options.ts'
import { placeIn, readDocuments } from './read-documents.ts'

const MAX_FILES = 5_000

/** The pictures that the body shows. */
export const images = defineCapability({
  id: 'email.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Pictures that the body shows and the file holds, each once. Nothing is fetched.',
  options: { body: readingOptions.body, content: readingOptions.content },
  async *extract(source, options, context) {
    const given = new Set<string>()
    for await (const open of readDocuments(source, { ...options, quotedText: 'keep', headers: 'none' }, context)) {
      const files = placeIn(open, source, 'images')
      for (const attachment of open.shown) {
        const path = files.get(attachment)
        if (path === undefined || !attachment.mediaType.startsWith('image/')) continue
        if (given.size >= MAX_FILES) return
        given.add(path)
        yield { path, mediaType: attachment.mediaType, data: streamAttachment(attachment, context) }
      }
      for (const { path, mediaType, bytes } of open.inside) {
        if (!path || given.has(path) || given.size >= MAX_FILES) continue
        given.add(path)
        yield { path, mediaType: mediaType ?? 'application/octet-stream', data: bytes }
      }
    }
    if (given.size === 0) context.warn('email.no_images', 'The body shows no picture that the file holds.')
  },
})
