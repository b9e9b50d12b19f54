import { defineCapability } from '../../core/catalog.ts'
import { extractMedia, type ImageUse } from '../shared/ooxml/image-files.ts'
import { passwordOption } from '../shared/password-option.ts'
import { asDocx } from './legacy/as-docx.ts'
import { readWord } from './reader/read-document.ts'

/** The pictures of the document, as they are. */
export const images = defineCapability({
  id: 'word.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Embedded pictures in their own format, each once; an index in JSON has their alternative texts.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const file = await asDocx(source, context, password)
    const { altTexts } = await readWord(file, context)
    const uses = new Map([...altTexts].map(([part, alt]): [string, ImageUse] => [part.toLowerCase(), { alt }]))
    yield* extractMedia(file, context, 'images', uses)
  },
})
