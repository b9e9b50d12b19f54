import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, defineCapability } from '../../core/catalog.ts'
import { QPDF } from '../../engines/qpdf.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { pagesOption, selectPages } from '../shared/pages/selection.ts'
import { passwordOption } from '../shared/password-option.ts'
import { writeImage } from './image-file.ts'
import { type EmbeddedImage, type ImageInventory, readImages } from './image-inventory.ts'
import { openPdf } from './repair.ts'

/** Spacers and dots are smaller than this. */
export const MIN_SIDE_PIXELS = 8

/** The pictures that a document is made with, each once. */
export const images = defineCapability({
  id: 'pdf.images',
  output: 'images',
  defaultSelected: true,
  detail: 'Embedded images: JPEG and JPEG 2000 as they are, others as PNG; an index in JSON says where they stand.',
  options: {
    pages: pagesOption,
    password: passwordOption,
    minSidePixels: {
      type: 'integer',
      min: 1,
      max: 10_000,
      defaultValue: MIN_SIDE_PIXELS,
      detail: 'Images with a shorter side are left out.',
    },
    maxImages: { type: 'integer', min: 1, max: 5_000, defaultValue: 1_000, detail: 'More of them are left out.' },
  },
  tools: [QPDF],
  async *extract(source, options, context) {
    const { file, pageCount } = await openPdf(source, options.password, context)
    const inventory = await readImages(file, selectPages(options.pages, pageCount, context, 'pdf'), context)
    const large = inventory.images.filter(({ width, height }) => Math.min(width, height) >= options.minSidePixels)
    const taken = large.slice(0, options.maxImages)
    const folder = await mkdtemp(join(context.scratch, 'pictures-'))
    const index: object[] = []
    const troubles = { unreadable: 0, too_large: 0, reduced: 0 }
    for (const [i, image] of taken.entries()) {
      context.signal.throwIfAborted()
      context.progress(0.5 + (0.5 * i) / taken.length)
      const written = await writeImage(image, inventory, join(folder, image.id))
      if (typeof written === 'string') {
        troubles[written]++
        continue
      }
      if (written.reduced) troubles.reduced++
      const { size: bytes } = await stat(written.file)
      index.push(describe(image, written, bytes))
      const [{ page } = {}] = image.placements
      const provenance = page === undefined ? {} : { provenance: { page } }
      yield { path: image.path, mediaType: image.mediaType, ...provenance, file: written.file }
    }
    await rm(folder, { recursive: true, force: true })
    warn(context, inventory, troubles, large.length - taken.length)
    if (index.length > 0)
      yield { path: 'images/images.json', mediaType: 'application/json', data: writeJsonFile(index) }
  },
})

const describe = (
  { id, path, format, width, height, isStencil, placements }: EmbeddedImage,
  written: { width: number; height: number; reduced: boolean },
  bytes: number,
): object => ({
  id,
  path,
  format,
  width: written.width,
  height: written.height,
  ...(written.width === width && written.height === height ? {} : { sourceWidth: width, sourceHeight: height }),
  bytes,
  ...(isStencil ? { stencil: true } : {}),
  pages: [...new Set(placements.map(({ page }) => page))],
  placements,
})

const warn = (
  context: Context,
  { outcome, isCut }: ImageInventory,
  troubles: Readonly<Record<'unreadable' | 'too_large' | 'reduced', number>>,
  leftOut: number,
): void => {
  if (outcome !== 'done' || isCut)
    context.warn('pdf.images_partial', 'Not all of the file could be searched for images.')
  if (leftOut > 0) context.warn('pdf.images_left_out', `${leftOut} images beyond the limit are left out.`)
  if (troubles.unreadable > 0) context.warn('pdf.image_unreadable', `${troubles.unreadable} images are damaged.`)
  if (troubles.too_large > 0)
    context.warn('pdf.image_too_large', `${troubles.too_large} images are too large to decode.`)
  if (troubles.reduced > 0) context.warn('pdf.images_reduced', `${troubles.reduced} images are made smaller.`)
}
