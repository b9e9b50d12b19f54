import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import type { DocumentImage } from '../shared/document/model.ts'
import { imageModeOption, tableFormatOption } from '../shared/document/options.ts'
import { writeMarkdownFiles } from '../shared/document/write-outputs.ts'
import { readContent } from './document.ts'
import { readBook } from './read-book.ts'

/** The text with its structure. */
export const markdown = defineCapability({
  id: 'ebook.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail:
    'CommonMark with the tables and footnotes of GitHub: chapters, lists, tables, quotes, verse, notes, links between chapters, formulas, images.',
  options: { tableFormat: tableFormatOption, imageMode: imageModeOption },
  async *extract(source, { tableFormat, imageMode }, context) {
    const document = await readContent(source, context)
    if (!document) return
    yield* writeMarkdownFiles(source, document, { tableFormat, imageMode, headersFooters: 'keep' }, () =>
      embedPictures(source, document.images, context),
    )
  },
})

const MAX_EMBEDDED_BYTES = 8 * 1_048_576
const MAX_TOTAL_BYTES = 64 * 1_048_576
const SHOWN_BY_BROWSERS = /^image\/(?:png|jpeg|gif|webp|bmp|svg\+xml|avif)$/

/** Reads images so that they can stand in the markdown itself; gives what finds them. */
const embedPictures = async (
  source: Source,
  images: readonly DocumentImage[],
  context: Context,
): Promise<(image: DocumentImage) => string | undefined> => {
  const { pictures, openPictures } = await readBook(source, context)
  const shown = new Set(images.map(({ id }) => id))
  const found = new Map<string, string>()
  let totalBytes = 0
  let leftOut = 0
  const reader = await openPictures()
  try {
    for (const picture of pictures.filter(({ id }) => shown.has(id))) {
      const { id, mediaType, bytes } = picture
      if (bytes > MAX_EMBEDDED_BYTES || totalBytes + bytes > MAX_TOTAL_BYTES || !SHOWN_BY_BROWSERS.test(mediaType)) {
        leftOut++
        continue
      }
      totalBytes += bytes
      found.set(id, `data:${mediaType};base64,${(await reader.read(picture)).toString('base64')}`)
      context.progress(0.9)
    }
  } finally {
    reader.close()
  }
  if (leftOut > 0) {
    context.warn(
      'ebook.images_not_embedded',
      `${leftOut} images are too large, or of a kind that browsers do not show.`,
    )
  }
  return ({ id, url }) => found.get(id) ?? url
}
