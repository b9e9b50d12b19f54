import { defineCapability } from '../../core/catalog.ts'
import { readDocument } from './page.ts'

/** The pictures that are in the file itself. */
export const images = defineCapability({
  id: 'web.images',
  output: 'images',
  defaultSelected: true,
  detail: 'Pictures that are inside the page (`data:` addresses), each once. Nothing is fetched.',
  options: {},
  async *extract(source, _options, context) {
    const { inside } = await readDocument(source, 'full', context)
    for (const [path, image] of new Map(inside.map((image) => [image.path, image]))) {
      if (path) yield { path, mediaType: image.mediaType ?? 'application/octet-stream', data: image.bytes }
    }
  },
})
