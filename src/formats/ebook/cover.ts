import { posix } from 'node:path'
import { defineCapability } from '../../core/catalog.ts'
import { readBook } from './read-book.ts'

/** The picture on the front of the book. */
export const cover = defineCapability({
  id: 'ebook.cover',
  output: 'cover',
  defaultSelected: false,
  detail: 'The cover in its own format.',
  options: {},
  async *extract(source, _options, context) {
    const { cover: found, openPictures } = await readBook(source, context)
    if (!found) {
      context.warn('ebook.no_cover', 'The book names no cover.')
      return
    }
    const reader = await openPictures()
    try {
      const extension = posix.extname(found.path) || '.bin'
      yield { path: `cover/cover${extension}`, mediaType: found.mediaType, data: await reader.read(found) }
    } finally {
      reader.close()
    }
  },
})
