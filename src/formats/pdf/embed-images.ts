import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../core/catalog.ts'
import type { ImageHref } from '../shared/document/write-outputs.ts'
import type { ReadDocument } from './document.ts'
import { writeImage } from './image-file.ts'

const MAX_IMAGE_BYTES = 8 * 1_048_576
const MAX_TOTAL_BYTES = 64 * 1_048_576

/** Writes the images of a document to files, and gives what reads each of them as a `data:` address when it is due. */
export const embedImages = async ({ document, inventory }: ReadDocument, context: Context): Promise<ImageHref> => {
  if (!inventory) return () => undefined
  const folder = await mkdtemp(join(context.scratch, 'embedded-'))
  const wanted = new Set(document.images.map(({ id }) => id))
  const files = new Map<string, string>()
  let total = 0
  let leftOut = 0
  for (const image of inventory.images.filter(({ id }) => wanted.has(id))) {
    context.signal.throwIfAborted()
    const written = await writeImage(image, inventory, join(folder, image.id))
    const bytes = typeof written === 'string' ? Number.POSITIVE_INFINITY : (await stat(written.file)).size
    if (typeof written !== 'string' && bytes <= MAX_IMAGE_BYTES && total + bytes <= MAX_TOTAL_BYTES) {
      files.set(image.id, written.file)
      total += bytes
    } else {
      leftOut++
      await rm(join(folder, image.id), { force: true })
    }
    context.progress(READ_SHARE)
  }
  if (leftOut > 0) {
    context.warn('pdf.images_not_embedded', `${leftOut} images are damaged, or too large to stand in the markdown.`)
  }
  return ({ id, mediaType }) => {
    const file = files.get(id)
    return file && `data:${mediaType};base64,${readFileSync(file, 'base64')}`
  }
}

/** How far a capability is once the document is read. */
const READ_SHARE = 0.9
