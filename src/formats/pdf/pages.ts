import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCapability } from '../../core/catalog.ts'
import { namePage } from './page-name.ts'
import { renderPage } from './render-page.ts'
import { openPdf } from './repair.ts'
import { pagesOption, passwordOption, selectPages } from './selection.ts'

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const
const EXTENSIONS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const
/** Beyond it WebP has no way to write a width or height. */
const WEBP_MAX_SIDE = 16_383

/** Pictures of the pages, as they are shown. */
export const pages = defineCapability({
  id: 'pdf.pages',
  output: 'pages',
  defaultSelected: false,
  detail: 'A picture of each page, with its annotations and form fields.',
  options: {
    pages: pagesOption,
    password: passwordOption,
    dpi: { type: 'integer', min: 36, max: 600, defaultValue: 150, detail: 'Dots per inch.' },
    format: { type: 'enum', allowedValues: ['png', 'jpeg', 'webp'], defaultValue: 'png' },
    quality: { type: 'integer', min: 1, max: 100, defaultValue: 85, detail: 'Of JPEG and WebP.' },
    grayscale: { type: 'boolean', defaultValue: false },
  },
  async *extract(source, options, context) {
    const { file, pageCount } = await openPdf(source, options.password, context)
    const numbers = selectPages(options.pages, pageCount, context)
    const folder = await mkdtemp(join(context.scratch, 'pages-'))
    let reduced = 0
    let unreadable = 0
    for (const [index, page] of numbers.entries()) {
      context.signal.throwIfAborted()
      context.progress(index / numbers.length)
      const drawn = await renderPage(file, page, options.dpi, join(folder, `${page}.png`))
      if (!drawn) {
        unreadable++
        continue
      }
      if (drawn.dpi < options.dpi) reduced++
      yield {
        path: `pages/${namePage(page, pageCount)}.${EXTENSIONS[options.format]}`,
        mediaType: MEDIA_TYPES[options.format],
        provenance: { page },
        file: await convert(drawn, options),
      }
    }
    await rm(folder, { recursive: true, force: true })
    if (reduced > 0) context.warn('pdf.pages_reduced', `${reduced} of the pages are too large for ${options.dpi} dpi.`)
    if (unreadable > 0) context.warn('pdf.page_unreadable', `${unreadable} of the pages could not be drawn.`)
  },
})

type Conversion = { format: keyof typeof EXTENSIONS; quality: number; grayscale: boolean }

const convert = async (
  { path, width, height }: { path: string; width: number; height: number },
  { format, quality, grayscale }: Conversion,
): Promise<string> => {
  if (format === 'png' && !grayscale) return path
  const { default: sharp } = await import('sharp')
  const image = sharp(path, { limitInputPixels: width * height }).flatten({ background: '#ffffff' })
  if (grayscale) image.grayscale()
  const target = `${path}.${EXTENSIONS[format]}`
  if (format === 'png') image.png()
  else if (format === 'jpeg') image.jpeg({ quality })
  else {
    if (Math.max(width, height) > WEBP_MAX_SIDE) {
      image.resize({ width: WEBP_MAX_SIDE, height: WEBP_MAX_SIDE, fit: 'inside' })
    }
    image.webp({ quality })
  }
  await image.toFile(target)
  await rm(path)
  return target
}
