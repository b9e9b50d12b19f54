import { defineCapability } from '../../core/catalog.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { withPictures } from './media.ts'
import { readOdf } from './reader/read-document.ts'

/** The pictures of the document, as they are. */
export const images = defineCapability({
  id: 'opendocument.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Embedded pictures in their own format, each once; an index in JSON has their alternative texts.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const odf = await readOdf(source, context, password)
    yield* withPictures(source, password, odf, context, async function* (pictures, read) {
      for (const [index, picture] of pictures.entries()) {
        context.signal.throwIfAborted()
        context.progress(index / pictures.length)
        const { path, mediaType, part } = picture
        yield { path, mediaType, provenance: { part }, data: await read(picture) }
      }
      if (pictures.length === 0) return
      const list = pictures.map((picture) => {
        const alt = odf.altTexts.get(picture.part)
        return { ...picture, ...(alt ? { alt } : {}) }
      })
      yield { path: 'images/images.json', mediaType: 'application/json', data: writeJsonFile(list) }
    })
  },
})
