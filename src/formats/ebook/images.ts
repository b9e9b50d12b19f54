import { defineCapability } from '../../core/catalog.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { readBook } from './read-book.ts'

/** The pictures of the book, as they are. */
export const images = defineCapability({
  id: 'ebook.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Pictures of the book in their own format, each once; an index in JSON tells which is the cover.',
  options: {},
  async *extract(source, _options, context) {
    const { pictures, openPictures, cover } = await readBook(source, context)
    if (pictures.length === 0) return
    const reader = await openPictures()
    try {
      for (const [index, picture] of pictures.entries()) {
        context.signal.throwIfAborted()
        context.progress(index / pictures.length)
        const { path, mediaType, id } = picture
        yield { path, mediaType, provenance: { part: id }, data: await reader.read(picture) }
      }
    } finally {
      reader.close()
    }
    const list = pictures.map(({ id, path, mediaType, bytes }) => ({
      part: id,
      path,
      mediaType,
      bytes,
      ...(id === cover?.id ? { cover: true } : {}),
    }))
    yield { path: 'images/images.json', mediaType: 'application/json', data: writeJsonFile(list) }
  },
})
