import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artifact, Context } from '../../../core/catalog.ts'
import type { PdfFile } from '../../../engines/liteparse.ts'
import { namePage } from './page-name.ts'
import { renderPage } from './render-page.ts'

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const
const EXTENSIONS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const
/** Beyond it WebP has no way to write a width or height. */
const WEBP_MAX_SIDE = 16_383

/** How pages are drawn. */
export const drawingOptions = {
  dpi: { type: 'integer', min: 36, max: 600, defaultValue: 150, detail: 'Dots per inch.' },
  format: { type: 'enum', allowedValues: ['png', 'jpeg', 'webp'], defaultValue: 'png' },
  quality: { type: 'integer', min: 1, max: 100, defaultValue: 85, detail: 'Of JPEG and WebP.' },
  grayscale: { type: 'boolean', defaultValue: false },
} as const

export type DrawingValues = { dpi: number; format: keyof typeof EXTENSIONS; quality: number; grayscale: boolean }

/** Which pages of which file, and what they are to the family that asks for them. */
export type Drawing = {
  file: PdfFile
  pageCount: number
  numbers: readonly number[]
  family: string
  /** Folder of the result. */
  folder: string
  unit: 'page' | 'slide'
}

/** Draws pages one by one; tells of those that could not be drawn, or only smaller than asked for. */
export async function* drawPages(
  { file, pageCount, numbers, family, folder, unit }: Drawing,
  options: DrawingValues,
  context: Context,
): AsyncGenerator<Artifact> {
  const workFolder = await mkdtemp(join(context.scratch, 'pages-'))
  let reduced = 0
  let unreadable = 0
  for (const [index, page] of numbers.entries()) {
    context.signal.throwIfAborted()
    context.progress(index / numbers.length)
    const drawn = await renderPage(file, page, options.dpi, join(workFolder, `${page}.png`))
    if (!drawn) {
      unreadable++
      continue
    }
    if (drawn.dpi < options.dpi) reduced++
    yield {
      path: `${folder}/${namePage(page, pageCount, unit)}.${EXTENSIONS[options.format]}`,
      mediaType: MEDIA_TYPES[options.format],
      provenance: { [unit]: page },
      file: await convert(drawn, options),
    }
  }
  await rm(workFolder, { recursive: true, force: true })
  const some = `of the ${unit}s`
  if (reduced > 0)
    context.warn(`${family}.${unit}s_reduced`, `${reduced} ${some} are too large for ${options.dpi} dpi.`)
  if (unreadable > 0) context.warn(`${family}.${unit}_unreadable`, `${unreadable} ${some} could not be drawn.`)
}

const convert = async (
  { path, width, height }: { path: string; width: number; height: number },
  { format, quality, grayscale }: DrawingValues,
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
