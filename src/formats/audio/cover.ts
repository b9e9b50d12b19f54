import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { readPictures } from './pictures.ts'
import { readTags } from './read-tags.ts'

/** Every picture that is in the file. */
export const cover = defineCapability({
  id: 'audio.cover',
  output: 'images',
  defaultSelected: true,
  detail: 'Every picture in the file as it is there, named after what it shows.',
  options: {},
  tools: [FFMPEG, FFPROBE],
  async *extract(source, _options, context) {
    const pictures = await readPictures(source, context)
    const { pictures: declared } = await readTags(source, context)
    if (declared.length > pictures.length) {
      const detail = `${declared.length - pictures.length} of ${declared.length} pictures are damaged, or only links.`
      context.warn('audio.pictures_unreadable', detail)
    }
    const used = new Map<string, number>()
    for (const { kind, data, extension, mediaType, description } of pictures) {
      const name = pictureName(kind)
      const count = (used.get(name) ?? 0) + 1
      used.set(name, count)
      yield {
        path: `images/${name}${count > 1 ? `-${count}` : ''}.${extension}`,
        mediaType,
        provenance: { part: description ? `${kind}: ${description}` : kind },
        data,
      }
    }
  },
})

/** `Cover (front)` becomes `cover-front`. */
const pictureName = (kind: string): string => {
  const name = kind
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return name === '' || name === 'other' ? 'picture' : name
}
