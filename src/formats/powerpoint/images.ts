import { type Artifact, type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { OFFICE_TOOLS } from '../../engines/libreoffice.ts'
import { countPages } from '../../engines/liteparse.ts'
import type { Block } from '../shared/document/model.ts'
import { whilePrinting } from '../shared/legacy/convert-source.ts'
import { extractMedia, type ImageUse } from '../shared/ooxml/image-files.ts'
import { type DrawingValues, drawingOptions, drawPages } from '../shared/pages/draw-pages.ts'
import { passwordOption } from '../shared/password-option.ts'
import { asPptx, printSlides } from './legacy/as-pptx.ts'
import { hiddenSlidesOption } from './options.ts'
import { type Presentation, readPowerPoint } from './reader/read-presentation.ts'

/** The pictures in the slides, as they are, and pictures of the slides. */
export const images = defineCapability({
  id: 'powerpoint.images',
  output: 'images',
  defaultSelected: false,
  detail:
    'Embedded pictures in their own format, each once, with an index in JSON that says on which slides they are; or a picture of each slide.',
  options: {
    password: passwordOption,
    include: {
      type: 'enum',
      allowedValues: ['embedded', 'slides', 'both'],
      defaultValue: 'embedded',
      detail: '`slides`: a picture of each slide as it is shown. `embedded`: what the slides hold.',
    },
    media: {
      type: 'enum',
      allowedValues: ['images', 'all'],
      defaultValue: 'images',
      detail: '`all`: embedded sound and films too.',
    },
    hiddenSlides: hiddenSlidesOption,
    ...drawingOptions,
  },
  tools: OFFICE_TOOLS.slides.map((tool) => ({ ...tool, optional: true })),
  async *extract(source, options, context) {
    const file = await asPptx(source, context, options.password)
    const presentation = await readPowerPoint(file, context)
    if (options.include !== 'slides') yield* extractMedia(file, context, options.media, listUses(presentation))
    if (options.include !== 'embedded') yield* drawSlides(source, presentation, options, context)
  },
})

async function* drawSlides(
  source: Source,
  { slides }: Presentation,
  options: DrawingValues & { password: string; hiddenSlides: 'keep' | 'drop' },
  context: Context,
): AsyncGenerator<Artifact> {
  const file = { path: await whilePrinting(() => printSlides(source, context, options.password)), password: '' }
  const pageCount = await countPages(file)
  const hidden = new Set(slides.filter(({ isHidden }) => isHidden).map(({ number }) => number))
  const numbers = Array.from({ length: pageCount }, (_, i) => i + 1).filter(
    (number) => options.hiddenSlides === 'keep' || !hidden.has(number),
  )
  const drawing = { file, pageCount, numbers, family: 'powerpoint', folder: 'images', unit: 'slide' } as const
  yield* drawPages(drawing, options, context)
}

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
