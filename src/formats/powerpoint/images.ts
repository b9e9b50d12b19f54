import { defineCapability } from '../../core/catalog.ts'
import type { Block } from '../shared/document/model.ts'
import { extractMedia, type ImageUse } from '../shared/ooxml/image-files.ts'
import { type Presentation, readPowerPoint } from './reader/read-presentation.ts'

/** The pictures in the slides, as they are. */
export const images = defineCapability({
  id: 'powerpoint.images',
  output: 'images',
  defaultSelected: false,
  detail: 'Embedded pictures in their own format, each once; an index in JSON says on which slides they are.',
  options: {
    media: {
      type: 'enum',
      allowedValues: ['images', 'all'],
      defaultValue: 'images',
      detail: '`all`: embedded sound and films too.',
    },
  },
  async *extract(source, { media }, context) {
    const uses = listUses(await readPowerPoint(source, context))
    yield* extractMedia(source, context, media, uses)
  },
})

const listUses = ({ slides }: Presentation): Map<string, ImageUse> => {
  const uses = new Map<string, ImageUse & { slides: number[] }>()
  for (const { number, blocks } of slides) {
    for (const { image, alt } of blocks.filter((block): block is Block & { kind: 'image' } => block.kind === 'image')) {
      const known = uses.get(image.toLowerCase()) ?? { ...(alt ? { alt } : {}), slides: [] }
      if (known.slides.at(-1) !== number) known.slides.push(number)
      uses.set(image.toLowerCase(), known)
    }
  }
  return uses
}
