import { defineCapability } from '../../core/catalog.ts'
import { extractMedia, type ImageUse } from '../shared/ooxml/image-files.ts'
import { readWord } from './reader/read-document.ts'

/** The pictures of the document, as they are. */
export const images = defineCapability({
  id: 'word.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Embedded pictures in their own format, each once; an index in JSON has their alternative texts.',
  options: {},
  async *extract(source, _options, context) {
    const { altTexts } = await readWord(source, context)
    const uses = new Map([...altTexts].map(([part, alt]): [string, ImageUse] => [part.toLowerCase(), { alt }]))
    yield* extractMedia(source, context, 'images', uses)
  },
})
